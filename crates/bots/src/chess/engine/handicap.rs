//! The handicap of a bot: what it overlooks. Strong bots overlook nothing; weak ones look only a
//! few moves ahead and, like people, miss some of them: long moves, backward moves, quiet moves and
//! knight moves.

use fourfold_chess::{BOARD, Color, Move, Position, Role};

use super::move_ordering::code;
use crate::geometry::distance;
use crate::random::{draw, evaluation_error};

/// The handicap of a bot. Probabilities are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Handicap {
    /// How many plies it looks ahead before it only follows captures.
    pub depth: u32,
    /// How many plies of captures it follows after that.
    pub captures: u32,
    /// The probability of overlooking a capture or a promotion.
    pub miss_capture: u64,
    /// The probability of overlooking any other move.
    pub miss_quiet: u64,
    /// How much is added to the probability for a long move, a backward move or a knight move.
    pub miss_hidden: u64,
    /// The largest error in the evaluation of a position, in centipawns.
    pub error: i32,
    /// Determines which moves are overlooked.
    pub seed: u64,
}

impl Handicap {
    /// No handicap.
    pub const NONE: Handicap = Handicap::missing(0, 0, 0);

    /// Returns a handicap that only overlooks moves, with these probabilities.
    pub(crate) const fn missing(miss_capture: u64, miss_quiet: u64, miss_hidden: u64) -> Handicap {
        let (depth, captures) = (u32::MAX, u32::MAX);
        Handicap { depth, captures, miss_capture, miss_quiet, miss_hidden, error: 0, seed: 0 }
    }

    /// Returns whether moves are never overlooked.
    pub(super) const fn sees_all_moves(&self) -> bool {
        self.miss_capture == 0 && self.miss_quiet == 0 && self.miss_hidden == 0
    }

    /// Returns whether a move is overlooked, `ply` plies ahead; `last` is the square that the
    /// previous move went to.
    pub(super) fn misses(
        &self,
        position: &Position,
        mv: Move,
        ply: usize,
        last: Option<usize>,
    ) -> bool {
        // Recaptures are never overlooked.
        if last == Some(mv.to().index()) {
            return false;
        }
        let is_capture = position.captured(mv).is_some() || mv.promotion().is_some();
        let mut chance = if is_capture { self.miss_capture } else { self.miss_quiet };
        let is_far = distance(&BOARD, mv.from(), mv.to()) >= 4;
        if is_far || is_back(position.turn(), mv) || mv.role() == Role::Knight {
            chance += self.miss_hidden;
        }
        // The bot looks for its own move more carefully than for the reply.
        if ply == 0 {
            chance /= 2;
        }
        draw(self.seed, position.key() ^ u64::from(code(mv)) << 20) % 1000 < chance
    }

    /// Returns the error in the evaluation of a position.
    #[inline(always)]
    pub(super) fn error(&self, key: u64) -> i32 {
        evaluation_error(self.seed, self.error, key)
    }
}

/// Returns whether a piece moves back toward its own side.
fn is_back(turn: Color, mv: Move) -> bool {
    let (from, to) = (BOARD.rank(mv.from()), BOARD.rank(mv.to()));
    match turn {
        Color::White => to < from,
        Color::Black => to > from,
    }
}
