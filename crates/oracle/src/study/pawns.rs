//! Facts of the pawn structure, and the outposts that it makes.

use super::board::{Board, Colour, Kind, Square};

pub(super) fn all(board: &Board, colour: Colour) -> Vec<Square> {
    board.squares_of(colour, Kind::Pawn)
}

/// More than one own pawn on the file.
pub(super) fn doubled(board: &Board, colour: Colour) -> Vec<Square> {
    let all = all(board, colour);
    let on_file = |file: i32| all.iter().filter(|pawn| pawn.file == file).count();
    all.iter().copied().filter(|pawn| on_file(pawn.file) > 1).collect()
}

/// No own pawn on a neighbouring file.
pub(super) fn isolated(board: &Board, colour: Colour) -> Vec<Square> {
    let mut pawns = all(board, colour);
    pawns.retain(|pawn| neighbours(board, colour, *pawn).is_empty());
    pawns
}

/// Not isolated, and every own pawn on the neighbouring files stands strictly ahead.
pub(super) fn backward(board: &Board, colour: Colour) -> Vec<Square> {
    let mut pawns = all(board, colour);
    pawns.retain(|pawn| {
        let neighbours = neighbours(board, colour, *pawn);
        !neighbours.is_empty() && neighbours.iter().all(|other| is_ahead(colour, *other, *pawn))
    });
    pawns
}

/// Backward, and the next square is occupied or attacked by an enemy pawn.
pub(super) fn backward_held(board: &Board, colour: Colour) -> Vec<Square> {
    let enemies = all(board, colour.other());
    let mut pawns = backward(board, colour);
    pawns.retain(|pawn| {
        let stop = pawn.step((0, colour.forward()));
        enemies.iter().any(|enemy| *enemy == stop || board.attacks(*enemy, stop))
    });
    pawns
}

/// No enemy pawn ahead on its own or a neighbouring file.
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

/// A knight or bishop on the fourth to sixth rank from its side, defended by an own pawn, with no
/// enemy pawn ahead on a neighbouring file: one that is there could advance and attack it.
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

/// The pawns of one colour on the files beside a square, on any rank.
fn neighbours(board: &Board, colour: Colour, square: Square) -> Vec<Square> {
    let mut pawns = all(board, colour);
    pawns.retain(|pawn| (pawn.file - square.file).abs() == 1);
    pawns
}

/// Whether a square is nearer to where that colour's pawns go than another.
fn is_ahead(colour: Colour, square: Square, of: Square) -> bool {
    (square.rank - of.rank) * colour.forward() > 0
}
