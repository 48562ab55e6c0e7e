//! What a player overlooks. A strong one overlooks nothing; a weak one sees few moves ahead, and not all
//! of those: long moves, moves back, quiet moves and what a knight can do escape people, and so does what
//! is attacked from afar.

use fourfold_board::Keys;
use fourfold_four_player::{BOARD, Kind, Move, Position, Square};

/// How well a player sees. Chances are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sight {
    /// How many of its own moves it looks ahead: one at least.
    pub(super) moves: u32,
    /// The chance that it overlooks a move that takes something.
    pub(super) taking: u64,
    /// The chance that it overlooks another move.
    pub(super) quiet: u64,
    /// What a far move adds to the chance, or a move back, or one of a knight.
    pub(super) hidden: u64,
    /// The chance that it does not see that a man is attacked.
    pub(super) threat: u64,
    /// By how many hundredths of a point it misjudges a position, at most.
    pub(super) error: i32,
    /// Whose eyes they are: what is overlooked is the same for the same seed.
    pub(super) seed: u64,
}

impl Sight {
    /// Eyes that miss nothing.
    pub(super) const CLEAR: Sight =
        Sight { moves: u32::MAX, taking: 0, quiet: 0, hidden: 0, threat: 0, error: 0, seed: 0 };

    /// Whether a move of the player's own escapes it.
    pub(super) fn misses_move(&self, position: &Position, mv: Move) -> bool {
        if self.taking + self.quiet + self.hidden == 0 {
            return false;
        }
        let taking = position.man_at(mv.to()).is_some() || mv.promotion().is_some();
        let mut chance = if taking { self.taking } else { self.quiet };
        let knight = position.man_at(mv.from()).is_some_and(|man| man.kind == Kind::Knight);
        let line = |square| BOARD.rank(position.turn().sees(square));
        if knight || is_far(mv) || line(mv.to()) < line(mv.from()) {
            chance += self.hidden;
        }
        let code = (mv.from().index() << 8 | mv.to().index()) as u64;
        self.draw(position.key() ^ code << 20) % 1000 < chance
    }

    /// Whether the player does not see that a man could be taken.
    pub(super) fn misses_threat(&self, position: &Position, square: Square) -> bool {
        self.threat > 0
            && self.draw(position.key() ^ (square.index() as u64) << 40) % 1000 < self.threat
    }

    /// By how much a position is misjudged.
    pub(super) fn error(&self, key: u64) -> i32 {
        if self.error == 0 {
            return 0;
        }
        let range = 2 * u64::from(self.error.unsigned_abs()) + 1;
        (self.draw(key) % range) as i32 - self.error
    }

    fn draw(&self, what: u64) -> u64 {
        Keys::new(Keys::new(self.seed).next() ^ what).next()
    }
}

/// Whether a man goes across half the board.
fn is_far(mv: Move) -> bool {
    let files = BOARD.file(mv.from()).abs_diff(BOARD.file(mv.to()));
    files.max(BOARD.rank(mv.from()).abs_diff(BOARD.rank(mv.to()))) >= 6
}
