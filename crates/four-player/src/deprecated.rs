//! Former names, for one release.

use core::ops::ControlFlow;

use crate::{
    Bitboard, Move, MoveKind, MoveSink, Piece, Player, Points, Position, Role, Setup, Square, Wing,
    WithdrawError, WithdrawalReason,
};

/// The former name of [`legacy_tables`](crate::legacy_tables).
#[deprecated(note = "renamed to `legacy_tables`")]
pub mod tables {
    pub use crate::legacy_tables::*;

    /// The former name of [`max_len`].
    pub mod most {
        pub use crate::legacy_tables::max_len::*;
    }
}

/// The former name of [`Role`].
#[deprecated(note = "renamed to `Role`")]
pub type Kind = Role;

/// The former name of [`Piece`].
#[deprecated(note = "renamed to `Piece`")]
pub type Man = Piece;

/// The former name of [`MoveKind`].
#[deprecated(note = "renamed to `MoveKind`")]
pub type Way = MoveKind;

/// The former name of [`WithdrawalReason`].
#[deprecated(note = "renamed to `WithdrawalReason`")]
pub type Leave = WithdrawalReason;

/// The former name of [`WithdrawError`].
#[deprecated(note = "renamed to `WithdrawError`")]
pub type CannotLeave = WithdrawError;

/// The former name of [`MAX_PIECES`](crate::MAX_PIECES).
#[deprecated(note = "renamed to `MAX_PIECES`")]
pub const MAX_MEN: usize = crate::MAX_PIECES;

/// The former name of [`StartPosition`](crate::StartPosition).
#[deprecated(note = "renamed to `StartPosition`")]
pub type Opening = crate::StartPosition;

/// The former name of [`WithdrawalReason`](crate::WithdrawalReason).
#[deprecated(note = "renamed to `WithdrawalReason`")]
pub type Withdrawal = crate::WithdrawalReason;

/// The former name of [`WithdrawError`](crate::WithdrawError).
#[deprecated(note = "renamed to `WithdrawError`")]
pub type CannotWithdraw = crate::WithdrawError;

/// The former name of [`IllegalMoveError`](crate::IllegalMoveError).
#[deprecated(note = "renamed to `IllegalMoveError`")]
pub type IllegalMove = crate::IllegalMoveError;

/// The former name of [`InvalidSetupError`](crate::InvalidSetupError).
#[deprecated(note = "renamed to `InvalidSetupError`")]
pub type InvalidSetup = crate::InvalidSetupError;

/// The former name of [`ParseRulesError`](crate::ParseRulesError).
#[deprecated(note = "renamed to `ParseRulesError`")]
pub type UnknownRule = crate::ParseRulesError;

impl Position {
    /// The former name of [`Self::generate`].
    #[deprecated(note = "renamed to `generate`")]
    pub fn legal<S: MoveSink>(&self, sink: &mut S) -> ControlFlow<()> {
        self.generate(sink)
    }

    /// The former name of [`Self::is_check`].
    #[deprecated(note = "renamed to `is_check`")]
    pub fn in_check(&self, player: Player) -> bool {
        self.is_check(player)
    }

    /// The former name of [`Self::has_castling_right`].
    #[deprecated(note = "renamed to `has_castling_right`")]
    pub fn may_castle(&self, player: Player, wing: Wing) -> bool {
        self.has_castling_right(player, wing)
    }

    /// The former name of [`Self::dead_pieces`].
    #[deprecated(note = "renamed to `dead_pieces`")]
    pub fn grey(&self) -> Bitboard {
        self.dead_pieces()
    }

    /// The former name of [`Self::piece_at`].
    #[deprecated(note = "renamed to `piece_at`")]
    pub fn man_at(&self, square: Square) -> Option<Piece> {
        self.piece_at(square)
    }

    /// The former name of [`Self::iter_pieces`].
    #[deprecated(note = "renamed to `iter_pieces`")]
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.iter_pieces()
    }

    /// The former name of [`Self::en_passant`].
    #[deprecated(note = "renamed to `en_passant`")]
    pub fn offer(&self, player: Player) -> Option<(Square, Square)> {
        self.en_passant(player)
    }
}

impl Setup {
    /// The former name of [`Self::piece_at`].
    #[deprecated(note = "renamed to `piece_at`")]
    pub fn man_at(&self, square: Square) -> Option<Piece> {
        self.piece_at(square)
    }

    /// The former name of [`Self::iter_pieces`].
    #[deprecated(note = "renamed to `iter_pieces`")]
    pub fn men(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.iter_pieces()
    }
}

impl Player {
    /// The former name of [`Self::to_view`].
    #[deprecated(note = "renamed to `to_view`")]
    pub const fn sees(self, square: Square) -> Square {
        self.to_view(square)
    }

    /// The former name of [`Self::from_view`].
    #[deprecated(note = "renamed to `from_view`")]
    pub const fn points_at(self, square: Square) -> Square {
        self.from_view(square)
    }
}

impl Move {
    /// The former name of [`Self::kind`].
    #[deprecated(note = "renamed to `kind`")]
    pub const fn way(self) -> MoveKind {
        self.kind()
    }
}

impl Points {
    /// The former name of [`Self::LEGACY`].
    #[deprecated(note = "renamed to `LEGACY`")]
    pub const SEED: Points = Points::LEGACY;
}
