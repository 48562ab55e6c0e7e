//! Exchange evaluation: what a move wins after the best sequence of recaptures.

use std::collections::HashMap;

use super::board::value;
use super::moves::Move;
use super::position::Position;
use crate::board::{Role, Square};

/// Returns what the move wins on its target square, in pawns.
pub(crate) fn gain(position: &Position, mv: &Move) -> i32 {
    gain_cached(position, mv, &mut HashMap::new())
}

/// Caches the best replies, because different orders of the same captures often lead to the
/// same position.
fn gain_cached(position: &Position, mv: &Move, known: &mut HashMap<Position, i32>) -> i32 {
    let captured = mv.captured.map_or(0, |(_, role)| value(role));
    let promoted = mv.promotion.map_or(0, |role| value(role) - value(Role::Pawn));
    captured + promoted - best_reply(position.after(mv), mv.to, known)
}

/// Returns the most that the color to move can win by capturing on `target`, or 0 if no capture
/// pays.
fn best_reply(position: Position, target: Square, known: &mut HashMap<Position, i32>) -> i32 {
    if let Some(best) = known.get(&position) {
        return *best;
    }
    let mut best = 0;
    for mv in position.legal_captures_on(target) {
        best = best.max(gain_cached(&position, &mv, known));
    }
    known.insert(position, best);
    best
}
