//! The transposition table.

use fourfold_four_player::Move;

use crate::bound::Bound;

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) value: i32,
    /// The depth of the search, in plies.
    pub(super) left: u8,
    pub(super) bound: Bound,
    pub(super) mv: Option<Move>,
}

/// A table of fixed size. New entries replace old ones.
pub(super) struct TranspositionTable(Vec<Option<Entry>>);

impl TranspositionTable {
    /// Creates a table for a search of this many positions.
    pub(super) fn new(nodes: u64) -> TranspositionTable {
        TranspositionTable(vec![None; nodes.clamp(16, 1 << 18).next_power_of_two() as usize])
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.0[self.index(key)].filter(|entry| entry.key == key)
    }

    pub(super) fn put(&mut self, entry: Entry) {
        let index = self.index(entry.key);
        self.0[index] = Some(entry);
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.0.len() - 1)
    }
}
