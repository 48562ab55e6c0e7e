//! The four players, and the geometry of the board from each player's side.

use super::board::SIDE;
use crate::board::{Direction, Square};

/// The last file and the last rank.
const LAST: i32 = SIDE as i32 - 1;

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

    pub(super) fn letter(self) -> char {
        char::from(b"RBYG"[self as usize])
    }

    pub(super) fn from_letter(text: &str) -> Option<Player> {
        Player::ALL.into_iter().find(|player| player.letter().to_string() == text)
    }

    /// The player who moves next if nobody has been eliminated.
    pub(super) fn next(self) -> Player {
        Player::ALL[(self as usize + 1) % 4]
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

    /// The direction in which this player's pawns advance.
    pub(super) fn forward(self) -> Direction {
        match self {
            Player::Red => (0, 1),
            Player::Blue => (1, 0),
            Player::Yellow => (0, -1),
            Player::Green => (-1, 0),
        }
    }

    /// The distance of a square from this player's first line; 0 on the line itself.
    pub(super) fn depth(self, square: Square) -> i32 {
        match self {
            Player::Red => square.rank,
            Player::Blue => square.file,
            Player::Yellow => LAST - square.rank,
            Player::Green => LAST - square.file,
        }
    }

    /// The position of a square along this player's lines: its file or its rank.
    pub(super) fn along(self, square: Square) -> i32 {
        match self {
            Player::Red | Player::Yellow => square.file,
            Player::Blue | Player::Green => square.rank,
        }
    }

    /// Returns the square on this player's first line at that file or rank.
    pub(super) fn first_line(self, along: i32) -> Square {
        match self {
            Player::Red => Square { file: along, rank: 0 },
            Player::Blue => Square { file: 0, rank: along },
            Player::Yellow => Square { file: along, rank: LAST },
            Player::Green => Square { file: LAST, rank: along },
        }
    }
}
