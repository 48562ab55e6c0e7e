//! The eight directions on a board.

/// A direction on the board: north is toward higher ranks, east is toward higher files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "self-explanatory names")]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

impl Direction {
    /// All eight directions, clockwise from north.
    pub const ALL: [Direction; 8] =
        [North, NorthEast, East, SouthEast, South, SouthWest, West, NorthWest];
    /// The four directions of a rook.
    pub const ORTHOGONALS: [Direction; 4] = [North, East, South, West];
    /// The four directions of a bishop.
    pub const DIAGONALS: [Direction; 4] = [NorthEast, SouthEast, SouthWest, NorthWest];

    /// Returns the change in file and rank of one step.
    #[inline]
    pub const fn step(self) -> (i32, i32) {
        match self {
            North => (0, 1),
            NorthEast => (1, 1),
            East => (1, 0),
            SouthEast => (1, -1),
            South => (0, -1),
            SouthWest => (-1, -1),
            West => (-1, 0),
            NorthWest => (-1, 1),
        }
    }

    /// Returns the opposite direction.
    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 4) % 8]
    }

    /// Returns whether a step in this direction leads to a square with a higher index.
    #[inline]
    pub const fn ascends(self) -> bool {
        match self {
            North | NorthEast | East | NorthWest => true,
            SouthEast | South | SouthWest | West => false,
        }
    }
}
