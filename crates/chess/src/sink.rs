//! Receivers of generated moves.

use core::ops::ControlFlow;

use fourfold_board::Square;

use crate::{Bitboard, Move, MoveKind, Role};

/// A receiver of generated moves, such as a list, a counter, a mask or a visitor. Moves arrive in
/// groups, so that a counter does not have to look at each one.
///
/// Implementations should mark the methods as `#[inline(always)]`.
pub trait MoveSink {
    /// Receives the moves of one piece, not a pawn, to each square of a set.
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) -> ControlFlow<()>;

    /// Receives pawn moves to each square of a set, from the square whose index is lower by `step`.
    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> ControlFlow<()>;

    /// Receives promotions to each of the four roles on each square of a set; `step` is as in
    /// [`MoveSink::pawns`].
    #[inline(always)]
    fn promotions(&mut self, step: i32, to: Bitboard) -> ControlFlow<()> {
        for role in Role::PROMOTIONS {
            self.pawns(step, to, MoveKind::Promotion(role))?;
        }
        ControlFlow::Continue(())
    }

    /// Receives a single move: castling or en passant.
    fn single(&mut self, mv: Move) -> ControlFlow<()>;
}

/// A sink that counts moves.
pub(crate) struct Count(pub(crate) usize);

impl MoveSink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, to: Bitboard) -> ControlFlow<()> {
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

/// A sink that calls a function with each move.
pub struct Each<F>(pub F);

impl<F: FnMut(Move) -> ControlFlow<()>> MoveSink for Each<F> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) -> ControlFlow<()> {
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
