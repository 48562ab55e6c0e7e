//! Legal moves: every pseudo-legal move is tried on a copy of the position.

use super::Variant;
use super::board::Color;
use super::position::{Position, Right};
use crate::board::{Role, Square};

/// A move of the color to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(super) role: Role,
    pub(super) from: Square,
    /// The destination; in castling, that of the king.
    pub(crate) to: Square,
    /// The square and role of the captured piece; in en passant the square differs from `to`.
    pub(crate) captured: Option<(Square, Role)>,
    pub(super) promotion: Option<Role>,
    pub(super) castling: Option<Right>,
}

impl Move {
    pub(crate) fn uci(&self, variant: Variant) -> String {
        let to = match self.castling {
            Some(right) if variant == Variant::Chess960 => right.rook,
            _ => self.to,
        };
        let promotion = match self.promotion {
            Some(role) => role.letter().to_ascii_lowercase().to_string(),
            None => String::new(),
        };
        format!("{}{to}{promotion}", self.from)
    }

    pub(super) fn is_en_passant(&self) -> bool {
        self.captured.is_some_and(|(square, _)| square != self.to)
    }

    /// Returns the square that a pawn's double step passes over.
    pub(super) fn passed_square(&self) -> Option<Square> {
        let double = self.role == Role::Pawn && self.from.rank.abs_diff(self.to.rank) == 2;
        let rank = self.from.rank.midpoint(self.to.rank);
        double.then_some(Square { rank, ..self.from })
    }
}

impl Position {
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        self.pseudo_legal_moves().into_iter().filter(|mv| self.leaves_king_safe(mv)).collect()
    }

    /// Returns the legal captures whose destination is `target`.
    pub(super) fn legal_captures_on(&self, target: Square) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|mv| mv.captured.is_some() && mv.to == target);
        moves.retain(|mv| self.leaves_king_safe(mv));
        moves
    }

    fn leaves_king_safe(&self, mv: &Move) -> bool {
        !self.after(mv).is_check(self.turn)
    }

    /// Returns all pseudo-legal moves, including those that leave the king in check.
    fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        for (from, role) in self.board.pieces_of(self.turn) {
            match role {
                Role::Pawn => moves.extend(self.pawn_moves(from)),
                _ => moves.extend(self.piece_moves(from, role)),
            }
        }
        moves.extend(self.castlings());
        moves
    }

    /// A piece moves to any square it attacks that is not occupied by its own color.
    fn piece_moves(&self, from: Square, role: Role) -> Vec<Move> {
        let mut targets = self.board.attacks(from);
        targets.retain(|to| self.owner_of(*to) != Some(self.turn));
        targets.into_iter().map(|to| self.plain_move(from, to, role)).collect()
    }

    /// Pawns advance onto empty squares and capture diagonally.
    fn pawn_moves(&self, from: Square) -> Vec<Move> {
        let mut targets = self.pawn_steps(from);
        let mut moves = Vec::new();
        for to in self.board.attacks(from) {
            if self.owner_of(to) == Some(self.turn.other()) {
                targets.push(to);
            } else if self.en_passant == Some(to) {
                moves.push(self.en_passant_capture(from, to));
            }
        }
        for to in targets {
            let plain = self.plain_move(from, to, Role::Pawn);
            if self.turn.relative_rank(to.rank) == 7 {
                moves.extend(Role::PROMOTIONS.map(|role| Move { promotion: Some(role), ..plain }));
            } else {
                moves.push(plain);
            }
        }
        moves
    }

    fn pawn_steps(&self, from: Square) -> Vec<Square> {
        let single = from.step(self.turn.forward());
        let mut squares = vec![single];
        if self.turn.relative_rank(from.rank) == 1 && self.board.is_empty(single) {
            squares.push(single.step(self.turn.forward()));
        }
        squares.retain(|square| self.board.is_empty(*square));
        squares
    }

    /// The captured pawn is beside the capturing one.
    fn en_passant_capture(&self, from: Square, to: Square) -> Move {
        let victim = Square { file: to.file, rank: from.rank };
        Move { captured: Some((victim, Role::Pawn)), ..self.plain_move(from, to, Role::Pawn) }
    }

    fn castlings(&self) -> Vec<Move> {
        let Some(king) = self.board.king(self.turn) else {
            return Vec::new();
        };
        self.rights
            .iter()
            .filter(|right| right.color == self.turn && self.may_castle(king, **right))
            .map(|right| Move {
                castling: Some(*right),
                captured: None,
                ..self.plain_move(king, right.king_target(), Role::King)
            })
            .collect()
    }

    /// All squares that the king and the rook cross or reach must be empty except for these two
    /// pieces, and the king may not start on, cross or reach an attacked square.
    fn may_castle(&self, king: Square, right: Right) -> bool {
        let king_path = path(king, right.king_target());
        let rook_path = path(right.rook, right.rook_target());
        let free = |square: &Square| {
            self.board.is_empty(*square) || *square == king || *square == right.rook
        };
        let safe = |square: &Square| !self.board.is_attacked(*square, self.turn.other());
        king_path.iter().all(free) && rook_path.iter().all(free) && king_path.iter().all(safe)
    }

    fn plain_move(&self, from: Square, to: Square, role: Role) -> Move {
        Move {
            role,
            from,
            to,
            captured: self.board.at(to).map(|piece| (to, piece.role)),
            promotion: None,
            castling: None,
        }
    }

    fn owner_of(&self, square: Square) -> Option<Color> {
        self.board.at(square).map(|piece| piece.owner)
    }
}

/// Returns the squares from one square to another on the same rank, both included.
fn path(from: Square, to: Square) -> Vec<Square> {
    let files = from.file.min(to.file)..=from.file.max(to.file);
    let rank = from.rank;
    files.map(|file| Square { file, rank }).collect()
}
