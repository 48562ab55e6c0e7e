//! The lobby: public games that are open or in progress.
//!
//! Each game updates its own listing, which is removed when the game's task ends. Subscribed pages
//! receive the whole list whenever it changes, but not more often than people can read.

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
use crate::rating::{DisplayedRating, may_count};
use crate::seating::{Player, Seats};
use crate::viewer::{Viewer, is_connected, watchers};

/// The maximum number of open games, and of games in progress, that a page receives.
const MOST_SHOWN: usize = 60;
/// The minimum time between two updates of a page.
const MIN_INTERVAL: Duration = Duration::from_millis(300);

/// All listed games.
#[derive(Default)]
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
    /// The players' ratings by seat, `None` for an open one; empty if the game is unrated or they
    /// are unknown.
    ratings: Vec<Option<DisplayedRating>>,
    watchers: usize,
    rated: bool,
    /// The guest in each seat, if it is a person.
    #[serde(skip)]
    guests: Vec<Option<GuestId>>,
    #[serde(skip)]
    is_open: bool,
}

impl Listing {
    /// Returns a game's listing, or `None` if the game is private or over, or none of its players
    /// is connected.
    pub(crate) fn of(id: &str, seats: &Seats, viewers: &[Viewer], over: bool) -> Option<Listing> {
        let setup = &seats.setup;
        let connected = |guest| is_connected(viewers, guest);
        let guests: Vec<Option<GuestId>> = seats.players.iter().map(Player::guest).collect();
        if !setup.listed || over || !guests.iter().flatten().any(|guest| connected(*guest)) {
            return None;
        }
        Some(Listing {
            id: id.to_owned(),
            game: setup.game.clone(),
            rules: setup.rules.clone(),
            clock: setup.clock,
            players: json!(seats.to_protocol(connected)),
            ratings: ratings(seats),
            watchers: watchers(viewers, seats),
            rated: !setup.casual,
            guests,
            is_open: seats.open_seat().is_some(),
        })
    }
}

fn ratings(seats: &Seats) -> Vec<Option<DisplayedRating>> {
    if !may_count(seats) {
        return Vec::new();
    }
    let known = seats.ratings.iter().zip(&seats.players);
    known.map(|(rating, player)| (*player != Player::Open).then_some(*rating)).collect()
}

impl Lobby {
    /// Adds, updates or removes a game's listing.
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

    /// Subscribes to the lobby. The first update is due at once.
    pub(crate) fn subscribe(&self) -> Subscription {
        let mut changes = self.changes.subscribe();
        changes.mark_changed();
        Subscription { changes, not_before: Instant::now() }
    }

    /// Returns the list as a guest sees it.
    pub(crate) fn message_for(&self, guest: GuestId) -> String {
        let listed = lock(&self.listed);
        let shown = |listing: &Listing| {
            let mut shown = json!(listing);
            let mine = |(_, owner): &(usize, &Option<GuestId>)| **owner == Some(guest);
            let you: Vec<usize> =
                listing.guests.iter().enumerate().filter(mine).map(|(seat, _)| seat).collect();
            shown["you"] = json!(you);
            shown
        };
        let sorted = |is_open: bool, order: fn(&(u64, Listing)) -> (usize, u64)| -> Vec<Value> {
            let mut some: Vec<&(u64, Listing)> =
                listed.values().filter(|(_, listing)| listing.is_open == is_open).collect();
            some.sort_by_key(|one| std::cmp::Reverse(order(one)));
            some.iter().take(MOST_SHOWN).map(|(_, listing)| shown(listing)).collect()
        };
        let waiting = sorted(true, |(number, _)| (0, *number));
        let playing = sorted(false, |(number, listing)| (listing.watchers, *number));
        json!({"t": "lobby", "waiting": waiting, "playing": playing}).to_string()
    }
}

/// A page's subscription to the lobby.
pub(crate) struct Subscription {
    changes: watch::Receiver<u64>,
    /// No update is sent before this time.
    not_before: Instant,
}

impl Subscription {
    /// Waits until an update is due.
    pub(crate) async fn changed(&mut self) {
        sleep_until(self.not_before).await;
        // The lobby lives as long as the server.
        if self.changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
        self.not_before = Instant::now() + MIN_INTERVAL;
    }
}

/// Keeps a game in the list. Dropping it removes the listing.
pub(crate) struct ListingGuard {
    lobby: Arc<Lobby>,
    id: String,
}

impl ListingGuard {
    pub(crate) fn new(lobby: &Arc<Lobby>, id: &str) -> ListingGuard {
        ListingGuard { lobby: lobby.clone(), id: id.to_owned() }
    }

    /// Updates the listing.
    pub(crate) fn show(&self, seats: &Seats, viewers: &[Viewer], over: bool) {
        self.lobby.put(&self.id, Listing::of(&self.id, seats, viewers, over));
    }
}

impl Drop for ListingGuard {
    fn drop(&mut self) {
        self.lobby.put(&self.id, None);
    }
}
