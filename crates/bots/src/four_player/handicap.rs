//! The handicap of a bot: what it overlooks. Strong bots overlook nothing; weak ones look only a
//! few moves ahead and, like people, miss some of them: long moves, backward moves, quiet moves and
//! knight moves, and also attacks on their pieces.

use fourfold_common::SplitMix64;
use fourfold_four_player::{BOARD, Move, Position, Role, Square};

/// The handicap of a bot. Probabilities are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Handicap {
    /// How many of its own moves it looks ahead; at least one.
    pub(super) moves: u32,
    /// The probability of overlooking a capture or a promotion.
    pub(super) taking: u64,
    /// The probability of overlooking any other move.
    pub(super) quiet: u64,
    /// How much is added to the probability for a long move, a backward move or a knight move.
    pub(super) hidden: u64,
    /// The probability of overlooking that a piece is attacked.
    pub(super) threat: u64,
    /// The largest error in the evaluation of a position, in hundredths of a point.
    pub(super) error: i32,
    /// Determines which moves and threats are overlooked.
    pub(super) seed: u64,
}

impl Handicap {
    /// No handicap.
    pub(super) const CLEAR: Handicap =
        Handicap { moves: u32::MAX, taking: 0, quiet: 0, hidden: 0, threat: 0, error: 0, seed: 0 };

    /// Returns whether one of the player's own moves is overlooked.
    pub(super) fn misses_move(&self, position: &Position, mv: Move) -> bool {
        if self.taking + self.quiet + self.hidden == 0 {
            return false;
        }
        let taking = position.piece_at(mv.to()).is_some() || mv.promotion().is_some();
        let mut chance = if taking { self.taking } else { self.quiet };
        let knight = position.piece_at(mv.from()).is_some_and(|man| man.role == Role::Knight);
        let line = |square| BOARD.rank(position.turn().to_view(square));
        if knight || is_far(mv) || line(mv.to()) < line(mv.from()) {
            chance += self.hidden;
        }
        let code = (mv.from().index() << 8 | mv.to().index()) as u64;
        self.draw(position.key() ^ code << 20) % 1000 < chance
    }

    /// Returns whether the player overlooks that the piece on a square could be captured.
    pub(super) fn misses_threat(&self, position: &Position, square: Square) -> bool {
        self.threat > 0
            && self.draw(position.key() ^ (square.index() as u64) << 40) % 1000 < self.threat
    }

    /// Returns the error in the evaluation of a position.
    pub(super) fn error(&self, key: u64) -> i32 {
        if self.error == 0 {
            return 0;
        }
        let range = 2 * u64::from(self.error.unsigned_abs()) + 1;
        (self.draw(key) % range) as i32 - self.error
    }

    fn draw(&self, what: u64) -> u64 {
        SplitMix64::new(SplitMix64::new(self.seed).next() ^ what).next()
    }
}

/// Returns whether a move covers about half the board.
fn is_far(mv: Move) -> bool {
    let files = BOARD.file(mv.from()).abs_diff(BOARD.file(mv.to()));
    files.max(BOARD.rank(mv.from()).abs_diff(BOARD.rank(mv.to()))) >= 6
}
