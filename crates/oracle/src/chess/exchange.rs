//! Exchange evaluation: what a move wins after the best sequence of recaptures.

use std::collections::HashMap;

use super::board::{Kind, Square};
use super::moves::Move;
use super::position::Position;

/// Returns what the move wins on its target square, in pawns.
pub(super) fn gain(position: &Position, mv: &Move) -> i32 {
    gain_knowing(position, mv, &mut HashMap::new())
}

/// `known` caches the best replies, because different orders of the same captures often lead to the
/// same position.
fn gain_knowing(position: &Position, mv: &Move, known: &mut HashMap<Position, i32>) -> i32 {
    let captured = mv.captured.map_or(0, |(_, kind)| value(kind));
    let promoted = mv.promotion.map_or(0, |kind| value(kind) - value(Kind::Pawn));
    captured + promoted - best_reply(position.after(mv), mv.to, known)
}

/// Returns the most that the side to move can win by capturing on `target`, or 0 if no capture
/// pays.
fn best_reply(position: Position, target: Square, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(best) = known.get(&position) {
        return *best;
    }
    let mut best = 0;
    for mv in position.legal_captures_on(target) {
        best = best.max(gain_knowing(&position, &mv, known));
    }
    known.insert(position, best);
    best
}

fn value(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight | Kind::Bishop => 3,
        Kind::Rook => 5,
        Kind::Queen => 9,
        // Kings are never captured and never promoted to.
        Kind::King => 0,
    }
}
