//! The journal of a game: the entries that are saved, and those that still have to be.

use serde::Serialize;

use crate::guest::GuestId;
use crate::party::Setup;
use crate::store::Record;

/// How much of a game is saved, and what is not yet.
pub(crate) struct Journal {
    id: String,
    creator: GuestId,
    setup: Setup,
    /// The number of saved entries.
    count: u64,
    unsaved: Vec<(u64, String)>,
    /// Whether the game itself is saved.
    known: bool,
}

impl Journal {
    /// Creates the journal of a game with `count` saved entries. `known` says whether the game
    /// itself is saved.
    pub(crate) fn new(
        id: String,
        creator: GuestId,
        setup: Setup,
        count: u64,
        known: bool,
    ) -> Journal {
        Journal { id, creator, setup, count, unsaved: Vec::new(), known }
    }

    /// Returns the guest who created the game.
    pub(crate) fn creator(&self) -> GuestId {
        self.creator
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
        self.push_text(to_text(entry));
    }

    /// Appends an entry that is already serialized.
    pub(crate) fn push_text(&mut self, entry: String) {
        self.unsaved.push((self.count(), entry));
    }

    /// Returns everything that is not saved yet.
    pub(crate) fn record(&self, over: bool) -> Record {
        Record {
            id: self.id.clone(),
            creator: self.creator,
            setup: self.setup.clone(),
            over,
            entries: self.unsaved.clone(),
        }
    }

    /// Marks the first `entries` unsaved entries as saved.
    pub(crate) fn saved(&mut self, entries: usize) {
        self.known = true;
        self.unsaved.drain(..entries);
        self.count += entries as u64;
    }
}

/// Serializes one of our own types to JSON.
pub(crate) fn to_text(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("our own data has text keys")
}
