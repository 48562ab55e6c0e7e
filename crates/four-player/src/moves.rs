//! Moves, move lists and sinks for generated moves.

use core::fmt;
use core::ops::ControlFlow;

use arrayvec::ArrayVec;
use fourfold_board::{Direction, Square};

use crate::lines::{stride, walk};
use crate::{BOARD, Bitboard, Role};

/// A move of a piece, with everything needed to play it.
///
/// Moves come from a position: from its legal moves, or by parsing a text in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) kind: MoveKind,
    /// The discriminant of the role that a pawn promotes to; 0 if it does not promote.
    pub(crate) promotion: u8,
}

/// What a move does besides moving a piece from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Nothing else. The move may be a capture or a promotion.
    Normal,
    /// A pawn's double step, which creates an en passant square.
    DoubleStep,
    /// A pawn captures a pawn that has passed it, and any piece on the en passant square. It may
    /// promote.
    EnPassant,
    /// The king moves two squares toward a rook, and the rook jumps over it.
    Castling,
}

impl Move {
    #[inline(always)]
    pub(crate) const fn new(from: u8, to: u8, kind: MoveKind, promotion: Option<Role>) -> Move {
        let promotion = match promotion {
            Some(role) => role as u8,
            None => 0,
        };
        Move { from, to, kind, promotion }
    }

    /// Returns the square that the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new(self.from as usize)
    }

    /// Returns the target square; for castling, the king's.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new(self.to as usize)
    }

    /// Returns the kind of the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        self.kind
    }

    /// Returns the role that a pawn promotes to.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.promotion {
            0 => None,
            number => Some(Role::ALL[number as usize - 1]),
        }
    }
}

/// Formats the move in coordinate notation: `d2d4`, `e7e8d`. Castling is written as the king's
/// move.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", BOARD.name(self.from()), BOARD.name(self.to()))?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} {:?}", self.kind)
    }
}

/// An upper bound on the legal moves of an army of 16 pieces: 15 queens with 45 squares each, and a
/// king with 8. (An army from a normal start has at most 521.)
pub const MAX_MOVES: usize = 15 * 45 + 8;

/// A list of moves that does not allocate.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Receives generated moves: a list, a counter, a mask or a visitor. Moves arrive in bundles, so a
/// sink that only counts them or sets runs of bits need not look at each one.
///
/// Mark the methods `#[inline(always)]`.
pub trait MoveSink {
    /// A piece can slide from `from` in a direction, by each distance in `first..first + count`.
    fn slide(
        &mut self,
        from: Square,
        direction: Direction,
        first: u32,
        count: u32,
    ) -> ControlFlow<()>;

    /// A knight or king can move from `from` to each square in `to`.
    fn leaps(&mut self, from: Square, to: Bitboard) -> ControlFlow<()>;

    /// Pawns can move to each square in `to`, from the square that lies `steps` steps back against
    /// `direction`.
    fn pawns(
        &mut self,
        direction: Direction,
        steps: u32,
        to: Bitboard,
        promotion: Option<Role>,
    ) -> ControlFlow<()>;

    /// A single move: castling, en passant or another rare case.
    fn single(&mut self, mv: Move) -> ControlFlow<()>;
}

/// A sink that counts moves.
pub(crate) struct Count(pub(crate) usize);

impl MoveSink for Count {
    #[inline(always)]
    fn slide(&mut self, _: Square, _: Direction, _: u32, count: u32) -> ControlFlow<()> {
        self.0 += count as usize;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn leaps(&mut self, _: Square, to: Bitboard) -> ControlFlow<()> {
        self.0 += to.len();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, _: Direction, _: u32, to: Bitboard, _: Option<Role>) -> ControlFlow<()> {
        self.0 += to.len();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, _: Move) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

/// A sink that calls a function with each move.
pub struct Each<F>(pub F);

impl<F: FnMut(Move) -> ControlFlow<()>> MoveSink for Each<F> {
    #[inline(always)]
    fn slide(
        &mut self,
        from: Square,
        direction: Direction,
        first: u32,
        count: u32,
    ) -> ControlFlow<()> {
        let from = from.index() as u8;
        let mut to = walk(from, direction, first);
        for _ in 0..count {
            (self.0)(Move::new(from, to, MoveKind::Normal, None))?;
            to = to.wrapping_add(stride(direction));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn leaps(&mut self, from: Square, to: Bitboard) -> ControlFlow<()> {
        for to in to.iter_by_word() {
            (self.0)(Move::new(from.index() as u8, to.index() as u8, MoveKind::Normal, None))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(
        &mut self,
        direction: Direction,
        steps: u32,
        to: Bitboard,
        promotion: Option<Role>,
    ) -> ControlFlow<()> {
        let kind = if steps == 2 { MoveKind::DoubleStep } else { MoveKind::Normal };
        for to in to.iter_by_word() {
            let from = walk(to.index() as u8, direction.opposite(), steps);
            (self.0)(Move::new(from, to.index() as u8, kind, promotion))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        (self.0)(mv)
    }
}
