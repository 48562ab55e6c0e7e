//! Facts about the pawn structure, and the outposts it creates.

use super::board::{Board, Colour, Kind, Square};

pub(super) fn all(board: &Board, colour: Colour) -> Vec<Square> {
    board.squares_of(colour, Kind::Pawn)
}

/// Returns pawns with another pawn of their color on the same file.
pub(super) fn doubled(board: &Board, colour: Colour) -> Vec<Square> {
    let all = all(board, colour);
    let on_file = |file: i32| all.iter().filter(|pawn| pawn.file == file).count();
    all.iter().copied().filter(|pawn| on_file(pawn.file) > 1).collect()
}

/// Returns pawns without a pawn of their color on an adjacent file.
pub(super) fn isolated(board: &Board, colour: Colour) -> Vec<Square> {
    let mut pawns = all(board, colour);
    pawns.retain(|pawn| neighbours(board, colour, *pawn).is_empty());
    pawns
}

/// Returns pawns that are not isolated and whose neighbors on the adjacent files are all strictly
/// ahead.
pub(super) fn backward(board: &Board, colour: Colour) -> Vec<Square> {
    let mut pawns = all(board, colour);
    pawns.retain(|pawn| {
        let neighbours = neighbours(board, colour, *pawn);
        !neighbours.is_empty() && neighbours.iter().all(|other| is_ahead(colour, *other, *pawn))
    });
    pawns
}

/// Returns backward pawns whose next square is occupied or attacked by an enemy pawn.
pub(super) fn backward_held(board: &Board, colour: Colour) -> Vec<Square> {
    let enemies = all(board, colour.other());
    let mut pawns = backward(board, colour);
    pawns.retain(|pawn| {
        let stop = pawn.step((0, colour.forward()));
        enemies.iter().any(|enemy| *enemy == stop || board.attacks(*enemy, stop))
    });
    pawns
}

/// Returns pawns without an enemy pawn ahead on the same or an adjacent file.
pub(super) fn passed(board: &Board, colour: Colour) -> Vec<Square> {
    let enemies = all(board, colour.other());
    let mut pawns = all(board, colour);
    pawns.retain(|pawn| {
        let stops =
            |enemy: &Square| (enemy.file - pawn.file).abs() <= 1 && is_ahead(colour, *enemy, *pawn);
        !enemies.iter().any(stops)
    });
    pawns
}

/// Returns knights and bishops on the fourth to sixth rank from their side that are defended by a
/// pawn, with no enemy pawn ahead on an adjacent file that could advance and attack them.
pub(super) fn outposts(board: &Board, colour: Colour) -> Vec<Square> {
    let ranks = match colour {
        Colour::White => 3..=5,
        Colour::Black => 2..=4,
    };
    let minor = [board.squares_of(colour, Kind::Knight), board.squares_of(colour, Kind::Bishop)];
    let mut squares = minor.concat();
    squares.retain(|square| {
        let defended = all(board, colour).iter().any(|pawn| board.attacks(*pawn, *square));
        let enemies = neighbours(board, colour.other(), *square);
        let safe = !enemies.iter().any(|enemy| is_ahead(colour, *enemy, *square));
        ranks.contains(&square.rank) && defended && safe
    });
    squares
}

/// Returns the pawns of one color on the files adjacent to a square, on any rank.
fn neighbours(board: &Board, colour: Colour, square: Square) -> Vec<Square> {
    let mut pawns = all(board, colour);
    pawns.retain(|pawn| (pawn.file - square.file).abs() == 1);
    pawns
}

/// Whether `square` is ahead of `of` in the direction of that color's pawns.
fn is_ahead(colour: Colour, square: Square, of: Square) -> bool {
    (square.rank - of.rank) * colour.forward() > 0
}
