//! What a player overlooks. A strong one overlooks nothing; a weak one sees few moves ahead, and not all of
//! those: long moves, moves back, quiet moves and what a knight can do escape people.

use fourfold_board::Keys;
use fourfold_chess::{BOARD, Color, Move, Position, Role};

use super::order::{code, taken};

/// How well a player sees. Chances are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Sight {
    /// How many plies it looks ahead, before it follows captures.
    pub depth: u32,
    /// How many captures it follows after that.
    pub captures: u32,
    /// The chance that it overlooks a move that takes something.
    pub taking: u64,
    /// The chance that it overlooks another move.
    pub quiet: u64,
    /// What a far move adds to the chance, or a move back, or one of a knight.
    pub hidden: u64,
    /// By how many hundredths of a pawn it misjudges a position, at most.
    pub error: i32,
    /// Whose eyes they are: what is overlooked is the same for the same seed.
    pub seed: u64,
}

impl Sight {
    /// Eyes that miss nothing.
    pub const CLEAR: Sight = Sight {
        depth: u32::MAX,
        captures: u32::MAX,
        taking: 0,
        quiet: 0,
        hidden: 0,
        error: 0,
        seed: 0,
    };

    /// Whether nothing escapes these eyes.
    pub(super) const fn is_clear(&self) -> bool {
        self.taking == 0 && self.quiet == 0 && self.hidden == 0
    }

    /// Whether a move escapes them, `ply` plies ahead, when the last one went to some square.
    pub(super) fn misses(
        &self,
        position: &Position,
        mv: Move,
        ply: usize,
        last: Option<usize>,
    ) -> bool {
        // Who has just been taken from takes back.
        if last == Some(mv.to().index()) {
            return false;
        }
        let taking = taken(position, mv).is_some() || mv.promotion().is_some();
        let mut chance = if taking { self.taking } else { self.quiet };
        if is_far(mv) || is_back(position.turn(), mv) || mv.role() == Role::Knight {
            chance += self.hidden;
        }
        // The own move is looked for with more care than the reply to it.
        if ply == 0 {
            chance /= 2;
        }
        self.draw(position.key() ^ u64::from(code(mv)) << 20) % 1000 < chance
    }

    /// By how much a position is misjudged.
    #[inline(always)]
    pub(super) fn error(&self, key: u64) -> i32 {
        if self.error == 0 {
            return 0;
        }
        let range = 2 * self.error.unsigned_abs() as u64 + 1;
        (self.draw(key) % range) as i32 - self.error
    }

    fn draw(&self, what: u64) -> u64 {
        Keys::new(Keys::new(self.seed).next() ^ what).next()
    }
}

/// Whether a bishop, rook or queen goes across half the board.
fn is_far(mv: Move) -> bool {
    let files = BOARD.file(mv.from()).abs_diff(BOARD.file(mv.to()));
    files.max(BOARD.rank(mv.from()).abs_diff(BOARD.rank(mv.to()))) >= 4
}

/// Whether a man goes back toward its own side.
fn is_back(turn: Color, mv: Move) -> bool {
    let (from, to) = (BOARD.rank(mv.from()), BOARD.rank(mv.to()));
    match turn {
        Color::White => to < from,
        Color::Black => to > from,
    }
}
