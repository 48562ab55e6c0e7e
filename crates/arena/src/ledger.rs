//! What of a game is on its way to the disk.

use serde::Serialize;

use crate::guest::GuestId;
use crate::party::Setup;
use crate::store::Record;

/// How much of a game is kept, and what could not be yet.
pub(crate) struct Ledger {
    id: String,
    creator: GuestId,
    setup: Setup,
    /// So many entries are kept.
    count: u64,
    unsaved: Vec<(u64, String)>,
    /// Whether the game itself is.
    known: bool,
}

impl Ledger {
    /// The ledger of a game of which `count` entries are kept; `known` says whether it is.
    pub(crate) fn new(
        id: String,
        creator: GuestId,
        setup: Setup,
        count: u64,
        known: bool,
    ) -> Ledger {
        Ledger { id, creator, setup, count, unsaved: Vec::new(), known }
    }

    /// Who has made the game.
    pub(crate) fn creator(&self) -> GuestId {
        self.creator
    }

    /// How many entries the game has.
    pub(crate) fn count(&self) -> u64 {
        self.count + self.unsaved.len() as u64
    }

    /// Whether everything is kept.
    pub(crate) fn is_whole(&self) -> bool {
        self.unsaved.is_empty() && self.known
    }

    /// Something has happened.
    pub(crate) fn push(&mut self, entry: &impl Serialize) {
        self.push_text(to_text(entry));
    }

    /// The same of something that is text already.
    pub(crate) fn push_text(&mut self, entry: String) {
        self.unsaved.push((self.count(), entry));
    }

    /// All that is not kept yet.
    pub(crate) fn record(&self, over: bool) -> Record {
        Record {
            id: self.id.clone(),
            creator: self.creator,
            setup: self.setup.clone(),
            over,
            entries: self.unsaved.clone(),
        }
    }

    /// The first so many entries that were not kept are now.
    pub(crate) fn saved(&mut self, entries: usize) {
        self.known = true;
        self.unsaved.drain(..entries);
        self.count += entries as u64;
    }
}

/// Our own data as text.
pub(crate) fn to_text(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("our own data has text keys")
}
