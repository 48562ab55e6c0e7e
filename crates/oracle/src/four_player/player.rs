//! The four players, and the geometry of the board from each player's side.

use super::board::{SIDE, Square};

/// The players, in the order in which they move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Player {
    Red,
    Blue,
    Yellow,
    Green,
}

impl Player {
    pub(super) const ALL: [Player; 4] = [Player::Red, Player::Blue, Player::Yellow, Player::Green];

    /// The index into arrays of four players.
    pub(super) fn index(self) -> usize {
        self as usize
    }

    pub(super) fn letter(self) -> char {
        match self {
            Player::Red => 'R',
            Player::Blue => 'B',
            Player::Yellow => 'Y',
            Player::Green => 'G',
        }
    }

    pub(super) fn from_letter(text: &str) -> Option<Player> {
        Player::ALL.into_iter().find(|player| player.letter().to_string() == text)
    }

    /// The player who moves next if nobody has been eliminated.
    pub(super) fn next(self) -> Player {
        match self {
            Player::Red => Player::Blue,
            Player::Blue => Player::Yellow,
            Player::Yellow => Player::Green,
            Player::Green => Player::Red,
        }
    }

    /// The other three players, in turn order.
    pub(super) fn others(self) -> [Player; 3] {
        let next = self.next();
        [next, next.next(), next.next().next()]
    }

    /// The player across the board, who is the partner in a teams game.
    pub(super) fn opposite(self) -> Player {
        self.next().next()
    }

    /// The direction in which this player's pawns advance, as files and ranks.
    pub(super) fn forward(self) -> (isize, isize) {
        match self {
            Player::Red => (0, 1),
            Player::Blue => (1, 0),
            Player::Yellow => (0, -1),
            Player::Green => (-1, 0),
        }
    }

    /// The two directions in which this player's pawns capture: diagonally forward.
    pub(super) fn pawn_captures(self) -> [(isize, isize); 2] {
        match self {
            Player::Red => [(-1, 1), (1, 1)],
            Player::Blue => [(1, 1), (1, -1)],
            Player::Yellow => [(1, -1), (-1, -1)],
            Player::Green => [(-1, -1), (-1, 1)],
        }
    }

    /// The distance of a square from this player's first line; 0 on the line itself.
    pub(super) fn depth(self, square: Square) -> usize {
        match self {
            Player::Red => square.rank,
            Player::Blue => square.file,
            Player::Yellow => SIDE - 1 - square.rank,
            Player::Green => SIDE - 1 - square.file,
        }
    }

    /// The position of a square along this player's lines: its file or its rank.
    pub(super) fn along(self, square: Square) -> usize {
        match self {
            Player::Red | Player::Yellow => square.file,
            Player::Blue | Player::Green => square.rank,
        }
    }

    /// Returns the square on this player's first line at that file or rank, if it exists.
    pub(super) fn first_line(self, along: usize) -> Option<Square> {
        match self {
            Player::Red => Square::new(along, 0),
            Player::Blue => Square::new(0, along),
            Player::Yellow => Square::new(along, SIDE - 1),
            Player::Green => Square::new(SIDE - 1, along),
        }
    }
}
