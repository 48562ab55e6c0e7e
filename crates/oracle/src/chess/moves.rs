//! Legal moves: every pseudo-legal move is tried on a copy of the position.

use super::Variant;
use super::board::{Kind, Side, Square};
use super::position::{Position, Right};

/// A move of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Move {
    pub(super) kind: Kind,
    pub(super) from: Square,
    /// The destination; in castling, that of the king.
    pub(super) to: Square,
    /// The square and role of the captured piece; in en passant the square differs from `to`.
    pub(super) captured: Option<(Square, Kind)>,
    pub(super) promotion: Option<Kind>,
    pub(super) castling: Option<Right>,
}

impl Move {
    pub(super) fn uci(&self, variant: Variant) -> String {
        let to = match self.castling {
            Some(right) if variant == Variant::Chess960 => right.rook,
            _ => self.to,
        };
        let promotion = match self.promotion {
            Some(kind) => kind.letter().to_ascii_lowercase().to_string(),
            None => String::new(),
        };
        format!("{}{to}{promotion}", self.from)
    }

    pub(super) fn is_en_passant(&self) -> bool {
        self.captured.is_some_and(|(square, _)| square != self.to)
    }

    /// Returns the square that a pawn's double step passes over.
    pub(super) fn passed_square(&self) -> Option<Square> {
        let double = self.kind == Kind::Pawn && self.from.rank.abs_diff(self.to.rank) == 2;
        double
            .then_some(Square { file: self.from.file, rank: self.from.rank.midpoint(self.to.rank) })
    }
}

impl Position {
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.moves_of_all_men();
        moves.retain(|mv| self.leaves_king_safe(mv));
        moves
    }

    /// Returns the legal captures whose destination is `target`.
    pub(super) fn legal_captures_on(&self, target: Square) -> Vec<Move> {
        let mut moves = self.moves_of_all_men();
        moves.retain(|mv| mv.captured.is_some() && mv.to == target);
        moves.retain(|mv| self.leaves_king_safe(mv));
        moves
    }

    fn leaves_king_safe(&self, mv: &Move) -> bool {
        !self.after(mv).board.in_check(self.turn)
    }

    /// Returns all pseudo-legal moves, including those that leave the king in check.
    fn moves_of_all_men(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        for (from, piece) in self.board.men() {
            if piece.side == self.turn {
                match piece.kind {
                    Kind::Pawn => moves.extend(self.pawn_moves(from)),
                    kind => moves.extend(self.piece_moves(from, kind)),
                }
            }
        }
        moves.extend(self.castlings());
        moves
    }

    /// A piece moves to any square it attacks that is not occupied by its own side.
    fn piece_moves(&self, from: Square, kind: Kind) -> Vec<Move> {
        self.board
            .attacks(from)
            .into_iter()
            .filter(|to| !self.is_own(*to))
            .map(|to| self.plain_move(from, to, kind))
            .collect()
    }

    /// Pawns advance onto empty squares and capture diagonally.
    fn pawn_moves(&self, from: Square) -> Vec<Move> {
        let mut targets = self.pawn_steps(from);
        let mut moves = Vec::new();
        for to in self.board.attacks(from) {
            if self.is_enemy(to) {
                targets.push(to);
            } else if self.en_passant == Some(to) {
                moves.push(self.en_passant_capture(from, to));
            }
        }
        for to in targets {
            let plain = self.plain_move(from, to, Kind::Pawn);
            if to.rank == self.turn.other().first_rank() {
                moves.extend(Kind::PROMOTIONS.map(|kind| Move { promotion: Some(kind), ..plain }));
            } else {
                moves.push(plain);
            }
        }
        moves
    }

    fn pawn_steps(&self, from: Square) -> Vec<Square> {
        let ahead = |square: Square| {
            square.step(0, self.turn.forward()).filter(|next| self.board.is_empty(*next))
        };
        let Some(single) = ahead(from) else {
            return Vec::new();
        };
        let mut squares = vec![single];
        if from.rank == self.turn.pawn_rank() {
            squares.extend(ahead(single));
        }
        squares
    }

    /// The captured pawn is beside the capturing one.
    fn en_passant_capture(&self, from: Square, to: Square) -> Move {
        let victim = Square { file: to.file, rank: from.rank };
        Move { captured: Some((victim, Kind::Pawn)), ..self.plain_move(from, to, Kind::Pawn) }
    }

    fn castlings(&self) -> Vec<Move> {
        let Some(king) = self.board.king(self.turn) else {
            return Vec::new();
        };
        self.rights
            .iter()
            .filter(|right| right.side == self.turn && self.may_castle(king, **right))
            .map(|right| Move {
                kind: Kind::King,
                from: king,
                to: right.king_target(),
                captured: None,
                promotion: None,
                castling: Some(*right),
            })
            .collect()
    }

    /// All squares that the king and the rook cross or reach must be empty except for these two
    /// pieces, and the king may not start on, cross or reach an attacked square.
    fn may_castle(&self, king: Square, right: Right) -> bool {
        let king_way = way(king, right.king_target());
        let rook_way = way(right.rook, right.rook_target());
        let free = |square: &Square| {
            self.board.is_empty(*square) || *square == king || *square == right.rook
        };
        let safe = |square: &Square| !self.board.is_attacked(*square, self.turn.other());
        king_way.iter().all(free) && rook_way.iter().all(free) && king_way.iter().all(safe)
    }

    fn plain_move(&self, from: Square, to: Square, kind: Kind) -> Move {
        Move {
            kind,
            from,
            to,
            captured: self.board.at(to).map(|piece| (to, piece.kind)),
            promotion: None,
            castling: None,
        }
    }

    fn is_own(&self, square: Square) -> bool {
        self.side_at(square) == Some(self.turn)
    }

    fn is_enemy(&self, square: Square) -> bool {
        self.side_at(square) == Some(self.turn.other())
    }

    fn side_at(&self, square: Square) -> Option<Side> {
        self.board.at(square).map(|piece| piece.side)
    }
}

/// Returns the squares from one square to another on the same rank, both included.
fn way(from: Square, to: Square) -> Vec<Square> {
    let files = from.file.min(to.file)..=from.file.max(to.file);
    let rank = from.rank;
    files.map(|file| Square { file, rank }).collect()
}
