//! The journal of a game: the entries that are saved, and those that still have to be.

use serde::Serialize;

use crate::guest::GuestId;
use crate::hub::Hub;
use crate::seating::Setup;
use crate::store::{NewGame, Progress, Record, StoredGame};

/// How much of a game is saved, and what is not yet.
pub(crate) struct Journal {
    id: String,
    game: NewGame,
    /// The entries that are not saved yet.
    unsaved: Vec<(u64, String)>,
    /// The number of saved entries.
    count: u64,
    /// Whether the game itself is saved.
    known: bool,
    /// Whether the game is meant to be saved at all.
    pub(crate) is_stored: bool,
}

impl Journal {
    /// Creates the journal of a game whose entries are saved. `known` says whether the game itself
    /// is saved.
    pub(crate) fn new(game: StoredGame, known: bool) -> Journal {
        let StoredGame { id, creator, setup, entries, .. } = game;
        let game = NewGame { creator, setup, address_hash: None };
        let count = entries.len() as u64;
        Journal { id, game, unsaved: Vec::new(), count, known, is_stored: true }
    }

    /// Adds the hash of the address from which a new game was created.
    pub(crate) fn with_address_hash(mut self, address_hash: Option<i64>) -> Journal {
        self.game.address_hash = address_hash;
        self
    }

    /// Creates the journal of a game that is never saved and belongs to nobody.
    pub(crate) fn unstored(id: String, setup: Setup) -> Journal {
        let game = StoredGame::new(id, GuestId(-1), setup);
        Journal { is_stored: false, ..Journal::new(game, true) }
    }

    /// Returns the guest who created the game.
    pub(crate) fn creator(&self) -> GuestId {
        self.game.creator
    }

    /// Returns the number of entries, saved or not.
    pub(crate) fn count(&self) -> u64 {
        self.count + self.unsaved.len() as u64
    }

    /// Whether everything is saved.
    pub(crate) fn is_whole(&self) -> bool {
        self.unsaved.is_empty() && self.known
    }

    /// Appends an entry.
    pub(crate) fn push(&mut self, entry: &impl Serialize) {
        if self.is_stored {
            self.unsaved.push((self.count(), to_text(entry)));
        }
    }

    /// Saves everything that is not saved yet. If that fails, the game continues in memory.
    pub(crate) async fn save(&mut self, hub: &Hub, progress: Progress) {
        if self.is_whole() {
            return;
        }
        let record = self.record(progress);
        let entries = record.entries.len();
        match hub.store.put(record).await {
            Ok(()) => self.saved(entries, hub, progress.over),
            Err(error) => tracing::debug!(%error, game = self.id, "cannot save a game"),
        }
    }

    /// Returns everything that is not saved yet.
    pub(crate) fn record(&self, progress: Progress) -> Record {
        let new = (!self.known).then(|| self.game.clone());
        Record { id: self.id.clone(), new, progress, entries: self.unsaved.clone() }
    }

    /// Marks the first `entries` unsaved entries as saved. A game that is `over` can be settled
    /// then.
    pub(crate) fn saved(&mut self, entries: usize, hub: &Hub, over: bool) {
        if over {
            hub.ended.notify_one();
        }
        self.known = true;
        self.unsaved.drain(..entries);
        self.count += entries as u64;
    }
}

/// Serializes one of our own types to JSON.
pub(crate) fn to_text(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("our own types have string keys")
}
