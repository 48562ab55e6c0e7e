//! Positions with a mate in one, from random games.

use fourfold_chess::{Position, random_walk};

/// A position, as a FEN, and the moves that mate.
pub(crate) struct Mate {
    pub(crate) start: String,
    pub(crate) codes: Vec<String>,
}

/// Returns the first positions with a mate in one that random games reach, at most one of each game.
pub(crate) fn mates(count: usize) -> Vec<Mate> {
    let mate = |seed| random_walk(Position::start(), seed).take(200).find_map(mate_in_one);
    (1..).filter_map(mate).take(count).collect()
}

fn mate_in_one(position: Position) -> Option<Mate> {
    let moves = position.legal_moves();
    let is_mate = |next: &Position| next.is_check() && !next.has_legal_move();
    let mates = moves.iter().filter(|&&mv| is_mate(&position.after(mv)));
    let codes: Vec<String> = mates.map(|&mv| mv.uci(position.variant())).collect();
    let is_over = position.ending().is_some() || position.halfmoves() >= 90;
    (!codes.is_empty() && !is_over).then(|| Mate { start: position.fen(), codes })
}
