//! Moves, lists of them, and where generated moves go.

use std::fmt;
use std::ops::{ControlFlow, Deref};

use fourfold_board::{Direction, Square};

use crate::lines::{stride, walk};
use crate::{BOARD, Bitboard, Kind};

/// A move of a man from a square to a square, with all that playing it needs to know.
///
/// Moves come out of a position: from its legal moves, or by parsing a text in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) way: Way,
    /// What a pawn becomes, by number; 0 for nothing.
    pub(crate) promotion: u8,
}

/// What a move does besides going from a square to a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Way {
    /// Nothing; it may take what stands there.
    Plain,
    /// A pawn's double step, which leaves an offer behind.
    DoubleStep,
    /// A pawn takes a pawn that has passed it, and whatever stands on the square.
    EnPassant,
    /// The king goes two squares toward a rook, which jumps over it.
    Castling,
}

impl Move {
    #[inline(always)]
    pub(crate) const fn new(from: u8, to: u8, way: Way, promotion: Option<Kind>) -> Move {
        let promotion = match promotion {
            Some(kind) => kind as u8,
            None => 0,
        };
        Move { from, to, way, promotion }
    }

    /// Where the man comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new(self.from as usize)
    }

    /// Where it goes; for castling, where the king goes.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new(self.to as usize)
    }

    /// What else happens.
    #[inline(always)]
    pub const fn way(self) -> Way {
        self.way
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        match self.promotion {
            0 => None,
            number => Some(Kind::ALL[number as usize - 1]),
        }
    }
}

/// Writes the move as programs do: `d2d4`, `e7e8d`; castling is the king's move.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", BOARD.name(self.from()), BOARD.name(self.to()))?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} {:?}", self.way)
    }
}

/// No army of 16 men has more moves: fifteen queens with 45 squares each, a king with eight. (An
/// army that began as usual has 521 at most.)
pub const MAX_MOVES: usize = 15 * 45 + 8;

/// A list of moves that needs no allocation.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// An empty list.
    pub const fn new() -> MoveList {
        MoveList { moves: [Move::new(0, 0, Way::Plain, None); MAX_MOVES], len: 0 }
    }

    /// Forgets the moves.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a move.
    ///
    /// # Panics
    /// If there are [`MAX_MOVES`] already.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Where generated moves go: a list, a count, a mask, a visitor. They come in bundles, so that one
/// who only counts, or writes runs of bits, need not look at each move.
///
/// Write `#[inline(always)]` on the methods.
pub trait MoveSink {
    /// A man may go from a square in a direction, by each of `count` distances from `first` on.
    fn slide(&mut self, from: Square, way: Direction, first: u32, count: u32) -> ControlFlow<()>;

    /// A knight or king may go from a square to each of some squares.
    fn leaps(&mut self, from: Square, to: Bitboard) -> ControlFlow<()>;

    /// Pawns may go to each of some squares, from the square `steps` back from there.
    fn pawns(
        &mut self,
        ahead: Direction,
        steps: u32,
        to: Bitboard,
        promotion: Option<Kind>,
    ) -> ControlFlow<()>;

    /// A move of its own: castling, en passant, and what else is rare.
    fn single(&mut self, mv: Move) -> ControlFlow<()>;
}

/// Counts moves without looking at them.
pub(crate) struct Count(pub(crate) u64);

impl MoveSink for Count {
    #[inline(always)]
    fn slide(&mut self, _: Square, _: Direction, _: u32, count: u32) -> ControlFlow<()> {
        self.0 += u64::from(count);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn leaps(&mut self, _: Square, to: Bitboard) -> ControlFlow<()> {
        self.0 += to.len() as u64;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, _: Direction, _: u32, to: Bitboard, _: Option<Kind>) -> ControlFlow<()> {
        self.0 += to.len() as u64;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, _: Move) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// A sink that calls a function with every single move.
pub struct Each<F>(pub F);

impl<F: FnMut(Move) -> ControlFlow<()>> MoveSink for Each<F> {
    #[inline(always)]
    fn slide(&mut self, from: Square, way: Direction, first: u32, count: u32) -> ControlFlow<()> {
        let from = from.index() as u8;
        let mut to = walk(from, way, first);
        for _ in 0..count {
            (self.0)(Move::new(from, to, Way::Plain, None))?;
            to = to.wrapping_add(stride(way));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn leaps(&mut self, from: Square, to: Bitboard) -> ControlFlow<()> {
        for to in to.by_words() {
            (self.0)(Move::new(from.index() as u8, to.index() as u8, Way::Plain, None))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(
        &mut self,
        ahead: Direction,
        steps: u32,
        to: Bitboard,
        promotion: Option<Kind>,
    ) -> ControlFlow<()> {
        let way = if steps == 2 { Way::DoubleStep } else { Way::Plain };
        for to in to.by_words() {
            let from = walk(to.index() as u8, ahead.opposite(), steps);
            (self.0)(Move::new(from, to.index() as u8, way, promotion))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        (self.0)(mv)
    }
}
