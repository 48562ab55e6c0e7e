//! What a capture is worth once everything that can recapture has been tried.

use std::collections::HashMap;

use super::board::{Kind, Square};
use super::moves::Move;
use super::position::Position;

/// What the move wins on its target square, in pawns.
pub(super) fn gain(position: &Position, mv: &Move) -> i32 {
    gain_knowing(position, mv, &mut HashMap::new())
}

/// `known` holds the best replies already worked out: the same men are often spent in another
/// order.
fn gain_knowing(position: &Position, mv: &Move, known: &mut HashMap<Position, i32>) -> i32 {
    let captured = mv.captured.map_or(0, |(_, kind)| value(kind));
    let promoted = mv.promotion.map_or(0, |kind| value(kind) - value(Kind::Pawn));
    captured + promoted - best_reply(position.after(mv), mv.to, known)
}

/// The most that the side to move can win by capturing on the square; 0 if it had better not.
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
        // Never captured and never promoted to.
        Kind::King => 0,
    }
}
