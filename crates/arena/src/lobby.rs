//! The lobby: public games that wait for somebody, and those that go on.
//!
//! Every game says itself how it is to be listed, and is gone from the list when its task ends. Pages
//! that listen hear the whole list when it has changed, and not more often than people can read.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::clock::TimeControl;
use crate::guest::GuestId;
use crate::hub::lock;
use crate::party::{Party, Player};
use crate::viewer::{Viewer, is_here, watchers};

/// The most games of each sort that a page is told about.
const MOST_SHOWN: usize = 60;
/// How long a page is left in peace after it was told.
const PEACE: Duration = Duration::from_millis(300);

/// All games that are listed.
pub(crate) struct Lobby {
    listed: Mutex<BTreeMap<String, (u64, Listing)>>,
    /// Counts the changes.
    changes: watch::Sender<u64>,
}

/// A game as the lobby shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Listing {
    id: String,
    game: String,
    rules: Option<String>,
    clock: Option<TimeControl>,
    players: Value,
    watchers: usize,
    /// Who has each seat, if it is a person.
    #[serde(skip)]
    guests: Vec<Option<GuestId>>,
    #[serde(skip)]
    waits: bool,
}

impl Listing {
    /// How a game is to be listed; not at all if it is private or over, or none of its players is there.
    pub(crate) fn of(id: &str, party: &Party, viewers: &[Viewer], over: bool) -> Option<Listing> {
        let setup = party.setup();
        let here = |guest| is_here(viewers, guest);
        let guest = |player: &Player| match player {
            Player::Guest { guest, .. } => Some(*guest),
            Player::Open | Player::Bot { .. } => None,
        };
        let guests: Vec<Option<GuestId>> = party.players().iter().map(guest).collect();
        if !setup.listed || over || !guests.iter().flatten().any(|guest| here(*guest)) {
            return None;
        }
        Some(Listing {
            id: id.to_owned(),
            game: setup.game.clone(),
            rules: setup.rules.clone(),
            clock: setup.clock,
            players: json!(party.shown(here)),
            watchers: watchers(viewers, party),
            guests,
            waits: party.open_seat().is_some(),
        })
    }
}

impl Default for Lobby {
    fn default() -> Lobby {
        Lobby { listed: Mutex::default(), changes: watch::Sender::new(0) }
    }
}

impl Lobby {
    /// Lists a game, or does not any more.
    fn put(&self, id: &str, listing: Option<Listing>) {
        let mut listed = lock(&self.listed);
        match listing {
            Some(listing) => match listed.get_mut(id) {
                Some((_, known)) if *known == listing => return,
                Some((_, known)) => *known = listing,
                None => drop(listed.insert(id.to_owned(), (*self.changes.borrow(), listing))),
            },
            None if listed.remove(id).is_none() => return,
            None => {}
        }
        self.changes.send_modify(|count| *count += 1);
    }

    /// Somebody who wants to hear of it; at first at once.
    pub(crate) fn listen(&self) -> Listener {
        let mut changes = self.changes.subscribe();
        changes.mark_changed();
        Listener { changes, peace: Instant::now() }
    }

    /// The list as a guest sees it.
    pub(crate) fn told_to(&self, guest: GuestId) -> String {
        let listed = lock(&self.listed);
        let shown = |listing: &Listing| {
            let mut shown = json!(listing);
            let mine = |(_, owner): &(usize, &Option<GuestId>)| **owner == Some(guest);
            let you: Vec<usize> =
                listing.guests.iter().enumerate().filter(mine).map(|(seat, _)| seat).collect();
            shown["you"] = json!(you);
            shown
        };
        let sorted = |waits: bool, order: fn(&(u64, Listing)) -> (usize, u64)| -> Vec<Value> {
            let mut some: Vec<&(u64, Listing)> =
                listed.values().filter(|(_, listing)| listing.waits == waits).collect();
            some.sort_by_key(|one| std::cmp::Reverse(order(one)));
            some.iter().take(MOST_SHOWN).map(|(_, listing)| shown(listing)).collect()
        };
        let waiting = sorted(true, |(number, _)| (0, *number));
        let playing = sorted(false, |(number, listing)| (listing.watchers, *number));
        json!({"t": "lobby", "waiting": waiting, "playing": playing}).to_string()
    }
}

/// A page that listens.
pub(crate) struct Listener {
    changes: watch::Receiver<u64>,
    /// Until when it is left in peace.
    peace: Instant,
}

impl Listener {
    /// Waits until there is something to tell.
    pub(crate) async fn news(&mut self) {
        sleep_until(self.peace).await;
        // The lobby lives as long as the server.
        if self.changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
        self.peace = Instant::now() + PEACE;
    }
}

/// A game's place on the list, which is free again when this is dropped.
pub(crate) struct Sign {
    lobby: Arc<Lobby>,
    id: String,
}

impl Sign {
    pub(crate) fn new(lobby: &Arc<Lobby>, id: &str) -> Sign {
        Sign { lobby: lobby.clone(), id: id.to_owned() }
    }

    /// Shows a game as it stands now.
    pub(crate) fn show(&self, party: &Party, viewers: &[Viewer], over: bool) {
        self.lobby.put(&self.id, Listing::of(&self.id, party, viewers, over));
    }
}

impl Drop for Sign {
    fn drop(&mut self) {
        self.lobby.put(&self.id, None);
    }
}
