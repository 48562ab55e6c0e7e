//! Settlement: records how finished games ended, for the history of their players and for ratings.
//!
//! Everything is derived from the stored entries, so nothing is lost if the server stops in
//! between: games that are not settled yet are settled after the restart.

use std::collections::HashSet;
use std::sync::Arc;

use fourfold_table::{Outcome, Seat};
use serde::Serialize;
use serde_json::{Value, json};

use crate::game::GameRoom;
use crate::hub::Hub;
use crate::rating::Pool;
use crate::realtime;
use crate::room::Room;
use crate::seating::Player;
use crate::store::StoredGame;

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
    pub(crate) fn of(stored: &StoredGame) -> Result<Option<Ending>, String> {
        match realtime::find(&stored.setup.game) {
            Some(_) => Ok(Ending::of_room(&realtime::Room::restore(stored)?.0)),
            None => Ok(Ending::of_room(&Room::restore(stored)?.0)),
        }
    }

    fn of_room(room: &impl GameRoom) -> Option<Ending> {
        let (seats, scores, teams) = (room.seats(), room.scores(), room.teams());
        let outcome = room.outcome()?;
        let drawn = outcome.winners.is_empty();
        let merit = |seat: usize| {
            let won = outcome.winners.contains(&Seat::new(seat as u8));
            let score =
                if drawn || !teams.is_empty() { 0 } else { scores.get(seat).copied().unwrap_or(0) };
            (won, score)
        };
        let all = 0..seats.players.len();
        let place = |seat| 1 + all.clone().filter(|other| merit(*other) > merit(seat)).count();
        let places = all.clone().map(place).collect();
        Some(Ending {
            outcome,
            players: json!(seats.to_protocol(|_| false)),
            pool: Pool::of(&seats.setup).filter(|_| room.is_rated() && room.was_played()),
            seated: seats.players.clone(),
            places,
            teams,
        })
    }
}

/// Settles games as they end, until the server shuts down.
pub(crate) async fn settle_games(hub: Arc<Hub>) {
    let mut unreadable = HashSet::new();
    loop {
        if let Err(error) = settle(&hub, &mut unreadable).await {
            tracing::error!(%error, "cannot save the results of games");
        }
        tokio::select! {
            () = hub.stopped() => return,
            () = hub.ended.notified() => {}
        }
    }
}

/// Settles all finished games that are not settled yet. Those that cannot be read are reported and
/// added to `unreadable`, so that this happens once; they do not stop the others.
pub(crate) async fn settle(hub: &Hub, unreadable: &mut HashSet<String>) -> rusqlite::Result<()> {
    let mut after = String::new();
    while let Some(id) = hub.store.unsettled(after.clone()).await? {
        after.clone_from(&id);
        if unreadable.contains(&id) {
            continue;
        }
        let stored = match hub.store.game(id).await {
            Ok(Some(stored)) => stored,
            Ok(None) => continue,
            Err(error @ rusqlite::Error::FromSqlConversionFailure(..)) => {
                tracing::error!(%error, game = after, "cannot read a finished game");
                unreadable.insert(after.clone());
                continue;
            }
            // The disk may work again later.
            Err(error) => {
                tracing::error!(%error, game = after, "cannot load a finished game");
                continue;
            }
        };
        let ending = tokio::task::spawn_blocking(move || Ending::of(&stored)).await;
        match ending.unwrap_or_else(|_| Err("the task failed".to_owned())) {
            Ok(Some(ending)) => {
                hub.store.settle(after.clone(), ending).await?;
                hub.notify_settled(&after).await;
            }
            Ok(None) => {
                tracing::error!(game = after, "a game that is marked as over is not over");
                unreadable.insert(after.clone());
            }
            Err(error) => {
                tracing::error!(game = after, error, "cannot settle a game");
                unreadable.insert(after.clone());
            }
        }
    }
    Ok(())
}
