//! The handicap of a bot: what it overlooks. Strong bots overlook nothing; weak ones look only a
//! few moves ahead and, like people, miss some of them: long moves, backward moves, quiet moves and
//! knight moves, and also attacks on their pieces.

use fourfold_four_player::{BOARD, Move, Position, Role, Square};

use crate::geometry::distance;
use crate::random::{draw, evaluation_error};

/// The handicap of a bot. Probabilities are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handicap {
    /// How many of its own moves it looks ahead; at least one.
    pub(super) moves: u32,
    /// The probability of overlooking a capture or a promotion.
    pub(super) miss_capture: u64,
    /// The probability of overlooking any other move.
    pub(super) miss_quiet: u64,
    /// How much is added to the probability for a long move, a backward move or a knight move.
    pub(super) miss_hidden: u64,
    /// The probability of overlooking that a piece is attacked.
    pub(super) miss_threat: u64,
    /// The largest error in the evaluation of a position, in hundredths of a point.
    pub(super) error: i32,
    /// Determines which moves and threats are overlooked.
    pub(super) seed: u64,
}

impl Handicap {
    /// No handicap.
    pub(super) const NONE: Handicap = Handicap::missing(0, 0, 0);

    /// Returns a handicap that only overlooks moves, with these probabilities.
    pub(super) const fn missing(miss_capture: u64, miss_quiet: u64, miss_hidden: u64) -> Handicap {
        let (moves, miss_threat, error, seed) = (u32::MAX, 0, 0, 0);
        Handicap { moves, miss_capture, miss_quiet, miss_hidden, miss_threat, error, seed }
    }

    /// Returns whether one of the player's own moves is overlooked.
    pub(super) fn misses_move(&self, position: &Position, mv: Move) -> bool {
        if self.miss_capture + self.miss_quiet + self.miss_hidden == 0 {
            return false;
        }
        let is_capture = position.piece_at(mv.to()).is_some() || mv.promotion().is_some();
        let mut chance = if is_capture { self.miss_capture } else { self.miss_quiet };
        let is_far = distance(&BOARD, mv.from(), mv.to()) >= 6;
        let knight = position.piece_at(mv.from()).is_some_and(|piece| piece.role == Role::Knight);
        let line = |square| BOARD.rank(position.turn().to_view(square));
        if knight || is_far || line(mv.to()) < line(mv.from()) {
            chance += self.miss_hidden;
        }
        let code = (mv.from().index() << 8 | mv.to().index()) as u64;
        draw(self.seed, position.key() ^ code << 20) % 1000 < chance
    }

    /// Returns whether the player overlooks that the piece on a square could be captured.
    pub(super) fn misses_threat(&self, position: &Position, square: Square) -> bool {
        let what = position.key() ^ (square.index() as u64) << 40;
        self.miss_threat > 0 && draw(self.seed, what) % 1000 < self.miss_threat
    }

    /// Returns the error in the evaluation of a position.
    pub(super) fn error(&self, key: u64) -> i32 {
        evaluation_error(self.seed, self.error, key)
    }
}
