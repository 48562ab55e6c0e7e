//! The board: a cross of 14×14 squares.

use super::player::Player;
use crate::board::{self, Direction, Owner};

/// The number of files and of ranks, including the cut corners.
pub(super) const SIDE: usize = 14;

pub(super) type Board = board::Board<Option<Player>, SIDE>;

/// The owner may be eliminated. Some gray pieces have none.
pub(super) type Piece = board::Piece<Option<Player>>;

impl Owner for Option<Player> {
    fn pawn_direction(self) -> Option<Direction> {
        self.map(Player::forward)
    }
}
