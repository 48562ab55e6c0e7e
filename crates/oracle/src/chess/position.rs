//! A position: the board and everything else the rules need to know.

use std::collections::BTreeSet;

use super::board::{Board, Kind, Piece, Side, Square};
use super::moves::Move;

/// The limit of the halfmove clock and the fullmove number; both saturate there.
pub(super) const LAST_NUMBER: u32 = 9999;

/// The two castling sides: toward the h-file or toward the a-file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Wing {
    King,
    Queen,
}

/// One side's right to castle with one rook. White's rights sort before Black's, and the king's
/// wing before the queen's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Right {
    pub(super) side: Side,
    pub(super) wing: Wing,
    pub(super) rook: Square,
}

impl Right {
    /// The king's destination.
    pub(super) fn king_target(self) -> Square {
        let file = match self.wing {
            Wing::King => 6,
            Wing::Queen => 2,
        };
        let rank = self.side.first_rank();
        Square { file, rank }
    }

    /// The rook's destination.
    pub(super) fn rook_target(self) -> Square {
        let file = match self.wing {
            Wing::King => 5,
            Wing::Queen => 3,
        };
        let rank = self.side.first_rank();
        Square { file, rank }
    }
}

/// Everything that a FEN describes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Position {
    pub(super) board: Board,
    pub(super) turn: Side,
    pub(super) rights: BTreeSet<Right>,
    /// The square passed over, if the last move was a pawn's double step.
    pub(super) en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub(super) halfmoves: u32,
    /// The number of the current move, from 1; it increases after Black's move.
    pub(super) fullmove: u32,
}

impl Position {
    /// Returns the position after a pseudo-legal move, which may leave the mover's own king in
    /// check.
    pub(super) fn after(&self, mv: &Move) -> Position {
        let side = self.turn;
        let mut board = self.board;
        board.lift(mv.from);
        if let Some((square, _)) = mv.captured {
            board.lift(square);
        }
        if let Some(right) = mv.castling {
            board.lift(right.rook);
            let kind = Kind::Rook;
            board.put(right.rook_target(), Piece { side, kind });
        }
        let kind = mv.promotion.unwrap_or(mv.kind);
        board.put(mv.to, Piece { side, kind });

        let mut rights = self.rights.clone();
        if mv.kind == Kind::King {
            rights.retain(|right| right.side != side);
        }
        rights.retain(|right| right.rook != mv.from && right.rook != mv.to);

        let resets = mv.kind == Kind::Pawn || mv.captured.is_some();
        let halfmoves = if resets { 0 } else { self.halfmoves + 1 };
        let fullmove = match side {
            Side::White => self.fullmove,
            Side::Black => self.fullmove + 1,
        };
        Position {
            board,
            turn: side.other(),
            rights,
            en_passant: mv.passed_square(),
            halfmoves: halfmoves.min(LAST_NUMBER),
            fullmove: fullmove.min(LAST_NUMBER),
        }
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        self.board.in_check(self.turn)
    }
}
