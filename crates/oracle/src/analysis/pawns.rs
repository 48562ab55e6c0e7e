//! Facts about the pawn structure, and the outposts it creates.

use super::pieces;
use crate::board::{Role, Square};
use crate::chess::board::{Board, Color};

pub(super) fn all(board: &Board, color: Color) -> Vec<Square> {
    board.squares_of(color, Role::Pawn)
}

/// Returns pawns with another pawn of their color on the same file.
pub(super) fn doubled(board: &Board, color: Color) -> Vec<Square> {
    let all = all(board, color);
    let on_file = |file: i32| all.iter().filter(|pawn| pawn.file == file).count();
    all.iter().copied().filter(|pawn| on_file(pawn.file) > 1).collect()
}

/// Returns pawns without a pawn of their color on an adjacent file.
pub(super) fn isolated(board: &Board, color: Color) -> Vec<Square> {
    all(board, color).into_iter().filter(|pawn| neighbors(board, color, *pawn).is_empty()).collect()
}

/// Returns pawns that are not isolated and whose neighbors on the adjacent files are all strictly
/// ahead.
pub(super) fn backward(board: &Board, color: Color) -> Vec<Square> {
    let mut pawns = all(board, color);
    pawns.retain(|pawn| {
        let neighbors = neighbors(board, color, *pawn);
        !neighbors.is_empty() && neighbors.iter().all(|other| is_ahead(color, *other, *pawn))
    });
    pawns
}

/// Returns backward pawns whose next square is occupied or attacked by an enemy pawn.
pub(super) fn backward_blocked(board: &Board, color: Color) -> Vec<Square> {
    let enemies = all(board, color.other());
    let mut pawns = backward(board, color);
    pawns.retain(|pawn| {
        let stop = pawn.step(color.forward());
        enemies.iter().any(|enemy| *enemy == stop || board.attacks(*enemy).contains(&stop))
    });
    pawns
}

/// Returns pawns without an enemy pawn ahead on the same or an adjacent file.
pub(super) fn passed(board: &Board, color: Color) -> Vec<Square> {
    let enemies = all(board, color.other());
    let mut pawns = all(board, color);
    pawns.retain(|pawn| {
        let stops =
            |enemy: &Square| (enemy.file - pawn.file).abs() <= 1 && is_ahead(color, *enemy, *pawn);
        !enemies.iter().any(stops)
    });
    pawns
}

/// Returns knights and bishops on the fourth to sixth rank from their side that are defended by a
/// pawn, with no enemy pawn ahead on an adjacent file that could advance and attack them.
pub(super) fn outposts(board: &Board, color: Color) -> Vec<Square> {
    let mut squares = pieces::minor(board, color);
    squares.retain(|square| {
        let defends = |pawn: &Square| board.attacks(*pawn).contains(square);
        let defended = all(board, color).iter().any(defends);
        let enemies = neighbors(board, color.other(), *square);
        let safe = !enemies.iter().any(|enemy| is_ahead(color, *enemy, *square));
        (3..=5).contains(&color.relative_rank(square.rank)) && defended && safe
    });
    squares
}

/// Returns the pawns of one color on the files adjacent to a square, on any rank.
fn neighbors(board: &Board, color: Color, square: Square) -> Vec<Square> {
    all(board, color).into_iter().filter(|pawn| (pawn.file - square.file).abs() == 1).collect()
}

/// Whether `square` is ahead of `of` in the direction of that color's pawns.
fn is_ahead(color: Color, square: Square, of: Square) -> bool {
    color.relative_rank(square.rank) > color.relative_rank(of.rank)
}
