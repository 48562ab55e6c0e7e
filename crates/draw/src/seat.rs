//! Who takes part in a game, and what is theirs.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Edge;

/// One of a game's players, by their place in its order.
///
/// A seat may come from outside: whether a game has it, a table asks wherever one comes in.
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

/// A seat at the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The seat's name.
    pub name: &'static str,
    /// The edge at which its player sits: turned to the bottom when they look.
    pub edge: Edge,
}

impl Place {
    /// A seat with a name, at an edge.
    pub const fn new(name: &'static str, edge: Edge) -> Place {
        Place { name, edge }
    }
}

/// A man on the board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Man {
    /// Where it stands.
    pub square: String,
    /// What it is, by its letter in upper case, whoever owns it.
    pub piece: char,
    /// Whose it is.
    pub seat: Seat,
}

impl Man {
    /// A man on a square.
    pub fn new(square: impl Into<String>, piece: char, seat: Seat) -> Man {
        Man { square: square.into(), piece, seat }
    }
}
