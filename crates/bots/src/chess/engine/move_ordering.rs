//! Move ordering, based on what has worked in other positions of the search.

use std::ops::ControlFlow;

use fourfold_chess::{Color, Each, Move, MoveKind, Position, Role};
use fourfold_common::cpu::Cpu;

/// Encodes a move in 16 bits. No move has the code 0.
#[inline(always)]
pub(super) fn code(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |role| role as u16);
    mv.from().index() as u16 | (mv.to().index() as u16) << 6 | promotion << 12
}

/// Returns whether a move neither captures nor promotes to a queen.
#[inline(always)]
pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    mv.kind() != MoveKind::Promotion(Role::Queen) && position.captured(mv).is_none()
}

/// Returns an index for a piece and the square that it moves to.
#[inline(always)]
pub(super) fn step(turn: Color, mv: Move) -> usize {
    (turn as usize * 6 + mv.role() as usize) * 64 + mv.to().index()
}

/// The number of such indices.
const STEPS: usize = 2 * 6 * 64;

/// How well moves have done: their merit rises when they cause a cutoff, and falls when another
/// move does.
#[derive(Debug)]
pub(super) struct MoveHistory {
    /// Quiet moves, by side, origin and target.
    quiet: Vec<i16>,
    /// Quiet moves that follow an earlier move, by the steps of both (continuation history).
    next: Vec<i16>,
    /// Captures, by step and captured role.
    capture: Vec<i16>,
    /// The quiet move that last refuted a step (countermove).
    reply: Vec<u16>,
}

/// The largest absolute value of a merit.
const MOST: i32 = 16_000;

impl MoveHistory {
    pub(super) fn new() -> MoveHistory {
        MoveHistory {
            quiet: vec![0; 2 * 64 * 64],
            next: vec![0; STEPS * STEPS],
            capture: vec![0; STEPS * 8],
            reply: vec![0; STEPS],
        }
    }

    /// Returns the merit of a quiet move, given the steps of the opponent's last move and of our
    /// own before it.
    #[inline(always)]
    pub(super) fn quiet(&self, turn: Color, mv: Move, before: [Option<usize>; 2]) -> i32 {
        let mut merit = i32::from(self.quiet[by_squares(turn, mv)]);
        for before in before.into_iter().flatten() {
            merit += i32::from(self.next[follow(before, turn, mv)]);
        }
        merit
    }

    /// Returns the merit of a capture or promotion.
    #[inline(always)]
    pub(super) fn capture(&self, turn: Color, mv: Move, captured: Option<Role>) -> i32 {
        i32::from(self.capture[step(turn, mv) * 8 + captured.map_or(7, |role| role as usize)])
    }

    /// Returns the code of the quiet move that last refuted a step.
    #[inline(always)]
    pub(super) fn reply(&self, before: Option<usize>) -> u16 {
        before.map_or(0, |step| self.reply[step])
    }

    /// Remembers a quiet move that refuted a step.
    #[inline(always)]
    pub(super) fn reward_reply(&mut self, before: Option<usize>, mv: Move) {
        if let Some(step) = before {
            self.reply[step] = code(mv);
        }
    }

    /// Raises or lowers the merit of a quiet move.
    #[inline(always)]
    pub(super) fn update_quiet(
        &mut self,
        turn: Color,
        mv: Move,
        before: [Option<usize>; 2],
        by: i32,
    ) {
        nudge(&mut self.quiet[by_squares(turn, mv)], by);
        for before in before.into_iter().flatten() {
            nudge(&mut self.next[follow(before, turn, mv)], by);
        }
    }

    /// Raises or lowers the merit of a capture or promotion.
    #[inline(always)]
    pub(super) fn update_capture(
        &mut self,
        turn: Color,
        mv: Move,
        captured: Option<Role>,
        by: i32,
    ) {
        nudge(&mut self.capture[step(turn, mv) * 8 + captured.map_or(7, |role| role as usize)], by);
    }

    /// Halves all merits. Called when another search begins.
    pub(super) fn decay(&mut self) {
        for merits in [&mut self.quiet, &mut self.next, &mut self.capture] {
            merits.iter_mut().for_each(|merit| *merit /= 2);
        }
    }
}

/// Changes a merit by some amount, which shrinks as the merit approaches its limit.
#[inline(always)]
fn nudge(merit: &mut i16, by: i32) {
    let now = i32::from(*merit);
    *merit = (now + by - now * by.abs() / MOST) as i16;
}

#[inline(always)]
fn by_squares(turn: Color, mv: Move) -> usize {
    (turn as usize * 64 + mv.from().index()) * 64 + mv.to().index()
}

#[inline(always)]
fn follow(before: usize, turn: Color, mv: Move) -> usize {
    before * STEPS + step(turn, mv)
}

/// Swaps the most promising of some moves to the front and returns it.
#[inline(always)]
pub(super) fn pick(moves: &mut [(i32, Move)]) -> (i32, Move) {
    let mut best = 0;
    for index in 1..moves.len() {
        if moves[index].0 > moves[best].0 {
            best = index;
        }
    }
    moves.swap(0, best);
    moves[0]
}

/// Appends all legal moves, without ordering scores.
#[inline(always)]
pub(super) fn push_legal_moves<C: Cpu>(cpu: C, position: &Position, moves: &mut Vec<(i32, Move)>) {
    position.generate_inline(
        cpu,
        &mut Each(|mv| {
            moves.push((0, mv));
            ControlFlow::Continue(())
        }),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_scores_stay_within_their_bounds() {
        let mut merits = MoveHistory::new();
        let position = Position::start();
        let mv = position.parse_uci("g1f3").expect("a legal move");
        let before = [Some(3), None];
        for by in [1600, -1600] {
            for _ in 0..200 {
                merits.update_quiet(position.turn(), mv, before, by);
            }
            let merit = merits.quiet(position.turn(), mv, before);
            assert!(merit.abs() > MOST && merit.abs() <= 2 * MOST && merit.signum() == by.signum());
        }
        merits.decay();
        assert!(merits.quiet(position.turn(), mv, before) >= -MOST);
    }

    #[test]
    fn move_codes_are_unique() {
        let fen = "r3k2r/pP1p1ppp/8/2pP4/8/8/P5PP/R3K2R w KQkq c6 0 1";
        let position = Position::from_fen(fen).expect("a position");
        let mut codes: Vec<u16> = position.legal_moves().iter().map(|&mv| code(mv)).collect();
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!((codes.len(), codes.contains(&0)), (count, false));
    }
}
