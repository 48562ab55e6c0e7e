//! The seats of a game.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Edge;

/// The seat of a player in a game, by index.
///
/// A seat may come from untrusted input, so a game may not have it; the table crate checks that
/// wherever it accepts one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// Creates a seat from its index, which starts at 0.
    pub const fn new(index: u8) -> Seat {
        Seat(index)
    }

    /// Returns the index, which starts at 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Writes the index, which starts at 0.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The name of a seat and its place at the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct SeatInfo {
    /// The seat's name.
    pub name: &'static str,
    /// The edge at which the player sits. It is at the bottom of the player's view.
    pub edge: Edge,
}

impl SeatInfo {
    /// Creates a seat with a name, at an edge.
    pub const fn new(name: &'static str, edge: Edge) -> SeatInfo {
        SeatInfo { name, edge }
    }
}
