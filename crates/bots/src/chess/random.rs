//! Any legal move, each as likely as the others.

use fourfold_board::Keys;
use fourfold_chess::Move;

use super::{Game, pick};
use crate::Budget;

pub(super) fn choose(game: &mut Game, keys: &mut Keys, _: Budget<'_>) -> Move {
    pick(keys, &game.position.legal_moves())
}
