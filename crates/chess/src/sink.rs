//! Where generated moves go.

use std::ops::ControlFlow;

use fourfold_board::Square;

use crate::{Bitboard, Move, MoveKind, Role};

/// Where generated moves go: a list, a count, a mask, a visitor. They come in bundles, so that one
/// who only counts need not look at each move.
///
/// Write `#[inline(always)]` on the methods.
pub trait MoveSink {
    /// One man may go from a square to each of some squares.
    fn man(&mut self, role: Role, from: Square, to: Bitboard) -> ControlFlow<()>;

    /// Pawns may go to each of some squares, from the square whose index is lower by `step`.
    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> ControlFlow<()>;

    /// Pawns may promote, to any of the four roles, on each of some squares.
    #[inline(always)]
    fn promotions(&mut self, step: i32, to: Bitboard) -> ControlFlow<()> {
        for role in Role::PROMOTIONS {
            self.pawns(step, to, MoveKind::Promotion(role))?;
        }
        ControlFlow::Continue(())
    }

    /// A move of its own: castling or en passant.
    fn single(&mut self, mv: Move) -> ControlFlow<()>;
}

/// Counts moves without looking at them.
pub(crate) struct Count(pub(crate) usize);

impl MoveSink for Count {
    #[inline(always)]
    fn man(&mut self, _: Role, _: Square, to: Bitboard) -> ControlFlow<()> {
        self.0 += to.len();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, _: i32, to: Bitboard, _: MoveKind) -> ControlFlow<()> {
        self.0 += to.len();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn promotions(&mut self, _: i32, to: Bitboard) -> ControlFlow<()> {
        self.0 += 4 * to.len();
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
    fn man(&mut self, role: Role, from: Square, to: Bitboard) -> ControlFlow<()> {
        for to in to {
            (self.0)(Move::new(role, from, to, MoveKind::Normal))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> ControlFlow<()> {
        for to in to {
            let from = Square::new((to.index() as i32 - step) as usize & 63);
            (self.0)(Move::new(Role::Pawn, from, to, kind))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        (self.0)(mv)
    }
}
