//! Facts about single pieces: attackers, defenders, mobility and material.

use super::{Contact, names};
use crate::board::{Role, Square};
use crate::chess::board::{Board, Color, value};

pub(super) fn attack_map(board: &Board) -> Vec<(String, Contact)> {
    let mut map = Vec::new();
    for (square, piece) in board.pieces() {
        let attackers = names(board.attackers(square, piece.owner.other()).collect());
        let defenders = names(board.attackers(square, piece.owner).collect());
        map.push((square.to_string(), Contact { attackers, defenders }));
    }
    map
}

pub(super) fn all(board: &Board, color: Color) -> Vec<Square> {
    board.pieces_of(color).map(|(square, _)| square).collect()
}

pub(super) fn attacked(board: &Board, color: Color) -> Vec<Square> {
    let is_attacked = |square: &Square| board.is_attacked(*square, color.other());
    all(board, color).into_iter().filter(is_attacked).collect()
}

/// Returns attacked pieces with no defender, or with more attackers than defenders.
pub(super) fn hanging(board: &Board, color: Color) -> Vec<Square> {
    let mut squares = attacked(board, color);
    squares.retain(|square| {
        let attackers = board.attackers(*square, color.other()).count();
        let defenders = board.attackers(*square, color).count();
        defenders == 0 || attackers > defenders
    });
    squares
}

/// Returns knights and bishops.
pub(super) fn minor(board: &Board, color: Color) -> Vec<Square> {
    [board.squares_of(color, Role::Knight), board.squares_of(color, Role::Bishop)].concat()
}

/// Returns knights and bishops that are not on their own first rank.
pub(super) fn developed(board: &Board, color: Color) -> Vec<Square> {
    let has_left_home = |square: &Square| color.relative_rank(square.rank) != 0;
    minor(board, color).into_iter().filter(has_left_home).collect()
}

/// Returns the number of squares each piece attacks, not counting those occupied by its own color.
pub(super) fn mobility(board: &Board, color: Color) -> Vec<(String, usize)> {
    let is_own = |square: &Square| board.at(*square).is_some_and(|piece| piece.owner == color);
    let count = |from| board.attacks(from).iter().filter(|to| !is_own(to)).count();
    all(board, color).into_iter().map(|from| (from.to_string(), count(from))).collect()
}

/// Returns the total value in pawns; the king counts as 0.
pub(super) fn material(board: &Board, color: Color) -> i32 {
    board.pieces_of(color).map(|(_, role)| value(role)).sum()
}

/// Returns the number of pairs of an enemy piece and a square of the king ring that it attacks. The
/// ring is the king's square and those around it.
pub(super) fn king_ring(board: &Board, color: Color) -> usize {
    let Some(king) = board.king(color) else {
        return 0;
    };
    let is_near = |square: &Square| {
        (king.file - square.file).abs() <= 1 && (king.rank - square.rank).abs() <= 1
    };
    let ring = Board::squares().filter(is_near);
    ring.map(|square| board.attackers(square, color.other()).count()).sum()
}
