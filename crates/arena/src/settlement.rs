//! Settlement: records how finished games ended, for the history of their players and for ratings.
//!
//! Everything is derived from the stored entries, so nothing is lost if the server stops in
//! between: games that are not settled yet are settled after the restart.

use std::sync::Arc;

use fourfold_table::{Outcome, Seat};
use serde::Serialize;
use serde_json::{Value, json};

use crate::hub::Hub;
use crate::party::{Party, Player};
use crate::rating::{Pool, may_count};
use crate::realtime;
use crate::room::Room;
use crate::store::Kept;

/// How a game ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Ending {
    pub(crate) outcome: Outcome,
    /// The players, as sent to pages.
    players: Value,
    /// The pool in which the game is rated, if it is.
    #[serde(skip)]
    pub(crate) pool: Option<Pool>,
    #[serde(skip)]
    pub(crate) seated: Vec<Player>,
    /// Places by seat, starting at 1; equal results share a place.
    #[serde(skip)]
    pub(crate) places: Vec<usize>,
    #[serde(skip)]
    pub(crate) teams: Vec<Vec<Seat>>,
}

impl Ending {
    /// Returns how a stored game ended, or `None` if it is not over.
    ///
    /// # Errors
    /// Fails if the game cannot be replayed.
    pub(crate) fn of(kept: &Kept) -> Result<Option<Ending>, String> {
        let (id, setup) = (kept.id.clone(), kept.setup.clone());
        if realtime::find(&setup.game).is_some() {
            let mut room = realtime::Room::new(id, setup)?;
            for entry in kept.entries()? {
                room.act(&entry)?;
            }
            let rated = room.is_rated() && room.was_played();
            let ending =
                |outcome: &Outcome| Ending::new(outcome, room.party(), &[], room.teams(), rated);
            return Ok(room.outcome().map(ending));
        }
        let mut room = Room::new(id, setup)?;
        for entry in kept.entries()? {
            room.act(&entry)?;
        }
        // A game that ends before both players have moved is not rated.
        let rated = room.is_rated() && room.table().ply() > 1;
        let scene = room.table().scene();
        let ending = |outcome: &Outcome| {
            Ending::new(outcome, room.party(), &scene.scores, scene.teams.clone(), rated)
        };
        Ok(scene.outcome.as_ref().map(ending))
    }

    fn new(
        outcome: &Outcome,
        party: &Party,
        scores: &[i32],
        teams: Vec<Vec<Seat>>,
        rated: bool,
    ) -> Ending {
        let drawn = outcome.winners.is_empty();
        let merit = |seat: usize| {
            let won = outcome.winners.contains(&Seat::new(seat as u8));
            let score =
                if drawn || !teams.is_empty() { 0 } else { scores.get(seat).copied().unwrap_or(0) };
            (won, score)
        };
        let seats = 0..party.players().len();
        let place = |seat| 1 + seats.clone().filter(|other| merit(*other) > merit(seat)).count();
        Ending {
            outcome: outcome.clone(),
            players: json!(party.shown(|_| false)),
            pool: Pool::of(party.setup()).filter(|_| rated && may_count(party)),
            seated: party.players().to_vec(),
            places: seats.clone().map(place).collect(),
            teams,
        }
    }
}

/// Settles games as they end, until the server shuts down.
pub(crate) async fn keep(hub: Arc<Hub>) {
    loop {
        if let Err(error) = settle(&hub).await {
            tracing::error!(%error, "cannot save the results of games");
        }
        tokio::select! {
            () = hub.stopped() => return,
            () = hub.ended.notified() => {}
        }
    }
}

/// Settles all finished games that are not settled yet.
async fn settle(hub: &Hub) -> rusqlite::Result<()> {
    let mut after = String::new();
    while let Some(kept) = hub.store.unsettled(after.clone()).await? {
        after.clone_from(&kept.id);
        let ending = tokio::task::spawn_blocking(move || Ending::of(&kept)).await;
        match ending.unwrap_or_else(|_| Err("the task failed".to_owned())) {
            Ok(Some(ending)) => {
                hub.store.settle(after.clone(), ending).await?;
                hub.tell_settled(&after).await;
            }
            Ok(None) => tracing::warn!(game = after, "a game that is marked as over is not over"),
            Err(error) => tracing::warn!(game = after, error, "cannot settle a game"),
        }
    }
    Ok(())
}
