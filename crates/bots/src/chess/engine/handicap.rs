//! The handicap of a bot: what it overlooks. Strong bots overlook nothing; weak ones look only a
//! few moves ahead and, like people, miss some of them: long moves, backward moves, quiet moves and
//! knight moves.

use fourfold_chess::{BOARD, Color, Move, Position, Role};
use fourfold_common::SplitMix64;

use super::order::code;

/// The handicap of a bot. Probabilities are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Handicap {
    /// How many plies it looks ahead before it only follows captures.
    pub depth: u32,
    /// How many plies of captures it follows after that.
    pub captures: u32,
    /// The probability of overlooking a capture or a promotion.
    pub taking: u64,
    /// The probability of overlooking any other move.
    pub quiet: u64,
    /// How much is added to the probability for a long move, a backward move or a knight move.
    pub hidden: u64,
    /// The largest error in the evaluation of a position, in centipawns.
    pub error: i32,
    /// Determines which moves are overlooked.
    pub seed: u64,
}

impl Handicap {
    /// No handicap.
    pub const CLEAR: Handicap = Handicap {
        depth: u32::MAX,
        captures: u32::MAX,
        taking: 0,
        quiet: 0,
        hidden: 0,
        error: 0,
        seed: 0,
    };

    /// Returns whether no move is ever overlooked.
    pub(super) const fn is_clear(&self) -> bool {
        self.taking == 0 && self.quiet == 0 && self.hidden == 0
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
        let taking = position.captured(mv).is_some() || mv.promotion().is_some();
        let mut chance = if taking { self.taking } else { self.quiet };
        if is_far(mv) || is_back(position.turn(), mv) || mv.role() == Role::Knight {
            chance += self.hidden;
        }
        // The bot looks for its own move more carefully than for the reply.
        if ply == 0 {
            chance /= 2;
        }
        self.draw(position.key() ^ u64::from(code(mv)) << 20) % 1000 < chance
    }

    /// Returns the error in the evaluation of a position.
    #[inline(always)]
    pub(super) fn error(&self, key: u64) -> i32 {
        if self.error == 0 {
            return 0;
        }
        let range = 2 * self.error.unsigned_abs() as u64 + 1;
        (self.draw(key) % range) as i32 - self.error
    }

    fn draw(&self, what: u64) -> u64 {
        SplitMix64::new(SplitMix64::new(self.seed).next() ^ what).next()
    }
}

/// Returns whether a move covers at least half the board.
fn is_far(mv: Move) -> bool {
    let files = BOARD.file(mv.from()).abs_diff(BOARD.file(mv.to()));
    files.max(BOARD.rank(mv.from()).abs_diff(BOARD.rank(mv.to()))) >= 4
}

/// Returns whether a piece moves back toward its own side.
fn is_back(turn: Color, mv: Move) -> bool {
    let (from, to) = (BOARD.rank(mv.from()), BOARD.rank(mv.to()));
    match turn {
        Color::White => to < from,
        Color::Black => to > from,
    }
}
