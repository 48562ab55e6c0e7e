//! Former names, for one release.

use crate::{Board, Piece, PlacedPiece, Position, Square};

/// The former name of [`PlacedPiece`].
#[deprecated(note = "renamed to `PlacedPiece`")]
pub type Standing = PlacedPiece;

/// The former name of [`IllegalMoveError`](crate::IllegalMoveError).
#[deprecated(note = "renamed to `IllegalMoveError`")]
pub type IllegalMove = crate::IllegalMoveError;

/// The former name of [`InvalidSetupError`](crate::InvalidSetupError).
#[deprecated(note = "renamed to `InvalidSetupError`")]
pub type InvalidSetup = crate::InvalidSetupError;

impl Position {
    /// The former name of [`Self::after_null_move`].
    #[deprecated(note = "renamed to `after_null_move`")]
    pub fn passed(&self) -> Option<Position> {
        self.after_null_move()
    }
}

impl Board {
    /// The former name of [`Self::iter_pieces`].
    #[deprecated(note = "renamed to `iter_pieces`")]
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.iter_pieces()
    }
}
