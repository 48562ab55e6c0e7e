//! Who takes part in a game.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of a game's players, by their place in [`Table::seats`](crate::Table::seats).
///
/// A seat may come from outside: whether a game has it, the table asks wherever one comes in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// The seat with an index, from 0.
    pub const fn new(index: u8) -> Seat {
        Seat(index)
    }

    /// Its index, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Writes the index, from 0.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
