//! A position: the board and everything else the rules need to know.

use std::collections::BTreeSet;

use super::board::{Board, Color};
use super::moves::Move;
use crate::board::{Role, Square};

/// The limit of the halfmove clock and the fullmove number; both saturate there.
pub(super) const MAX_COUNTER: u32 = 9999;

/// The two castling sides: toward the h-file or toward the a-file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Wing {
    King,
    Queen,
}

/// One color's right to castle with one rook. White's rights sort before Black's, and the king's
/// wing before the queen's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Right {
    pub(super) color: Color,
    pub(super) wing: Wing,
    pub(super) rook: Square,
}

impl Right {
    /// The king's destination.
    pub(super) fn king_target(self) -> Square {
        let file = [6, 2][self.wing as usize];
        Square { file, ..self.rook }
    }

    /// The rook's destination.
    pub(super) fn rook_target(self) -> Square {
        let file = [5, 3][self.wing as usize];
        Square { file, ..self.rook }
    }
}

/// Everything that a FEN describes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Position {
    pub(crate) board: Board,
    pub(crate) turn: Color,
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
    pub(crate) fn after(&self, mv: &Move) -> Position {
        let color = self.turn;
        let mut board = self.board;
        board.remove(mv.from);
        if let Some((square, _)) = mv.captured {
            board.remove(square);
        }
        if let Some(right) = mv.castling {
            board.remove(right.rook);
            board.put(right.rook_target(), color, Role::Rook);
        }
        board.put(mv.to, color, mv.promotion.unwrap_or(mv.role));

        let mut rights = self.rights.clone();
        if mv.role == Role::King {
            rights.retain(|right| right.color != color);
        }
        rights.retain(|right| right.rook != mv.from && right.rook != mv.to);

        let resets = mv.role == Role::Pawn || mv.captured.is_some();
        let halfmoves = if resets { 0 } else { self.halfmoves + 1 };
        let fullmove = match color {
            Color::White => self.fullmove,
            Color::Black => self.fullmove + 1,
        };
        Position {
            board,
            turn: color.other(),
            rights,
            en_passant: mv.passed_square(),
            halfmoves: halfmoves.min(MAX_COUNTER),
            fullmove: fullmove.min(MAX_COUNTER),
        }
    }

    /// Returns the position with the other side to move.
    pub(crate) fn after_null_move(&self) -> Position {
        Position { turn: self.turn.other(), en_passant: None, ..self.clone() }
    }

    pub(crate) fn is_check(&self, color: Color) -> bool {
        self.board.king(color).is_some_and(|king| self.board.is_attacked(king, color.other()))
    }
}
