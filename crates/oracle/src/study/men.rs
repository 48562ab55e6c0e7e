//! Facts about single pieces: attackers, defenders, mobility and material.

use super::board::{Board, Colour, Kind, Square};
use super::{Contact, names};

pub(super) fn attack_map(board: &Board) -> Vec<(String, Contact)> {
    let mut map = Vec::new();
    for square in Square::all() {
        if let Some(man) = board.at(square) {
            let attackers = names(board.attackers(square, man.colour.other()));
            let defenders = names(board.attackers(square, man.colour));
            map.push((square.to_string(), Contact { attackers, defenders }));
        }
    }
    map
}

pub(super) fn pieces(board: &Board, colour: Colour) -> Vec<Square> {
    board.men(colour).into_iter().map(|(square, _)| square).collect()
}

pub(super) fn attacked(board: &Board, colour: Colour) -> Vec<Square> {
    let mut squares = pieces(board, colour);
    squares.retain(|square| board.is_attacked(*square, colour.other()));
    squares
}

/// Returns attacked pieces with no defender, or with more attackers than defenders.
pub(super) fn hanging(board: &Board, colour: Colour) -> Vec<Square> {
    let mut squares = attacked(board, colour);
    squares.retain(|square| {
        let attackers = board.attackers(*square, colour.other()).len();
        let defenders = board.attackers(*square, colour).len();
        defenders == 0 || attackers > defenders
    });
    squares
}

/// Returns knights and bishops that are not on their own first rank.
pub(super) fn developed(board: &Board, colour: Colour) -> Vec<Square> {
    let first_rank = match colour {
        Colour::White => 0,
        Colour::Black => 7,
    };
    let minor = [board.squares_of(colour, Kind::Knight), board.squares_of(colour, Kind::Bishop)];
    let mut squares = minor.concat();
    squares.retain(|square| square.rank != first_rank);
    squares
}

/// Returns the number of squares each piece attacks, not counting those occupied by its own color.
pub(super) fn mobility(board: &Board, colour: Colour) -> Vec<(String, usize)> {
    let is_own = |square: &Square| board.at(*square).is_some_and(|man| man.colour == colour);
    let count = |from| board.attacked_from(from).iter().filter(|to| !is_own(to)).count();
    pieces(board, colour).into_iter().map(|from| (from.to_string(), count(from))).collect()
}

/// Returns the total value in pawns; the king counts as 0.
pub(super) fn material(board: &Board, colour: Colour) -> i32 {
    board.men(colour).iter().filter_map(|(_, kind)| kind.value()).sum()
}

/// Returns the number of pairs of an enemy piece and a square of the king ring that it attacks. The
/// ring is the king's square and those around it.
pub(super) fn king_ring(board: &Board, colour: Colour) -> usize {
    let kings = board.squares_of(colour, Kind::King);
    let mut pairs = 0;
    for square in Square::all() {
        let is_near = |king: &Square| {
            (king.file - square.file).abs() <= 1 && (king.rank - square.rank).abs() <= 1
        };
        if kings.iter().any(is_near) {
            pairs += board.attackers(square, colour.other()).len();
        }
    }
    pairs
}
