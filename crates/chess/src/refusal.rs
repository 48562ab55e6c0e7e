//! Reasons why a move is not legal, with messages for players.

use alloc::vec::Vec;
use core::fmt;

use fourfold_board::Square;
use fourfold_common::ensure;
use thiserror::Error;

use crate::attacks::{between, bishop_rays, king_attacks, knight_attacks, pawn_attacks, rook_rays};
use crate::side::rank_file_square;
use crate::{BOARD, Bitboard, Color, Piece, Position, Role, Variant, Wing};

/// Why a piece may not move from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no piece on the origin.
    #[error("there is no piece on {}", BOARD.name(*.from))]
    NoPiece {
        /// The origin.
        from: Square,
    },
    /// The piece belongs to the opponent.
    #[error("the {piece} is {}'s", .color.capitalized())]
    OpponentsPiece {
        /// The piece.
        piece: PlacedPiece,
        /// Its color.
        color: Color,
    },
    /// The origin and the target are the same.
    #[error("the piece is already on {}", BOARD.name(*.square))]
    SameSquare {
        /// The square.
        square: Square,
    },
    /// A piece of the same side is on the target.
    #[error("{} is occupied by a {} of the same color", BOARD.name(.piece.square), .piece.role.name())]
    OwnPiece {
        /// The piece on the target.
        piece: PlacedPiece,
    },
    /// The piece does not move like that.
    #[error("a {} does not move from {} to {}", .piece.role.name(), BOARD.name(.piece.square), BOARD.name(*.to))]
    Geometry {
        /// The piece.
        piece: PlacedPiece,
        /// The target.
        to: Square,
    },
    /// Another piece is in the way.
    #[error("the {piece} is in the way")]
    InTheWay {
        /// The nearest piece in the way.
        piece: PlacedPiece,
    },
    /// A pawn does not capture straight ahead.
    #[error("pawns capture only diagonally: the {piece} is in the way")]
    PawnCapturesAhead {
        /// The piece on the target.
        piece: PlacedPiece,
    },
    /// A pawn moves diagonally only to capture.
    #[error("pawns move diagonally only to capture: there is nothing on {}", BOARD.name(*.to))]
    NothingToCapture {
        /// The empty target.
        to: Square,
    },
    /// A pawn may be captured en passant only by the very next move.
    #[error(
        "en passant is possible only right after a double step: the last move was not a double \
         step of the {piece}"
    )]
    NotEnPassant {
        /// The pawn that would be captured.
        piece: PlacedPiece,
    },
    /// The piece shields its king.
    #[error(
        "the {piece} is pinned: moving it to {} would leave the king in check from the {by}",
        BOARD.name(*.to)
    )]
    Pinned {
        /// The piece.
        piece: PlacedPiece,
        /// The target.
        to: Square,
        /// The enemy piece that would give check.
        by: PlacedPiece,
    },
    /// Capturing en passant would open the line between the king and an enemy piece.
    #[error("capturing en passant would leave the king in check from the {by}")]
    EnPassantExposesKing {
        /// The enemy piece that would give check.
        by: PlacedPiece,
    },
    /// The king would be in check on the target.
    #[error("the king would be attacked by the {by}")]
    KingAttacked {
        /// The enemy piece that would give check.
        by: PlacedPiece,
    },
    /// The king is in check, and the move does not answer the check.
    #[error("the king is in check from the {by}, and this move does not stop it")]
    StillInCheck {
        /// The enemy piece that gives check.
        by: PlacedPiece,
    },
    /// The king or the rook has moved, or the rook was captured.
    #[error(
        "{}side castling is not allowed: the king or the rook has moved",
        if *.wing == Wing::King { "king" } else { "queen" }
    )]
    NoCastlingRight {
        /// The wing on which the king was to castle.
        wing: Wing,
    },
    /// A piece is where the king or the rook would pass or arrive.
    #[error("the king cannot castle: the {piece} is in the way")]
    CastlingBlocked {
        /// The piece nearest to the king.
        piece: PlacedPiece,
    },
    /// The king may not castle while it is in check.
    #[error("the king cannot castle out of check: the {by} attacks it")]
    CastlingInCheck {
        /// The enemy piece that gives check.
        by: PlacedPiece,
    },
    /// The king would pass an attacked square.
    #[error("the king cannot castle through {}: the {by} attacks it", BOARD.name(*.through))]
    CastlingThroughCheck {
        /// The attacked square.
        through: Square,
        /// The enemy piece that attacks it.
        by: PlacedPiece,
    },
    /// A pawn reaches the last rank, but no role to promote to is given.
    #[error("a pawn that reaches {} must promote: choose a piece", BOARD.name(*.to))]
    PromotionMissing {
        /// The target.
        to: Square,
    },
    /// The move is not a promotion, or pawns do not promote to this role.
    #[error(
        "{} to a {}",
        if Role::PROMOTIONS.contains(.role) {
            "only a pawn that reaches the last rank promotes"
        } else {
            "a pawn cannot promote"
        },
        .role.name()
    )]
    InvalidPromotion {
        /// The role to promote to.
        role: Role,
    },
}

/// A piece on its square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlacedPiece {
    /// The role of the piece.
    pub role: Role,
    /// The square it is on.
    pub square: Square,
}

impl Position {
    /// Returns why a piece of the side to move may not move from one square to another with this
    /// promotion, or `None` if it may. The squares are those of UCI notation: castling is the
    /// king's move to its target, or to its rook in Chess960.
    ///
    /// ```
    /// use fourfold_chess::{Position, at};
    ///
    /// let start = Position::start();
    /// let refusal = start.refusal(at("f1"), at("b5"), None).expect("a pawn is in the way");
    /// assert_eq!(refusal.to_string(), "the pawn on e2 is in the way");
    /// assert_eq!(start.refusal(at("e2"), at("e4"), None), None);
    /// ```
    ///
    /// # Panics
    /// Panics if a square is not on the chessboard.
    pub fn refusal(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Refusal> {
        self.check(from, to, promotion).err()
    }

    fn check(&self, from: Square, to: Square, promotion: Option<Role>) -> Result<(), Refusal> {
        let Piece { role, color } = self.board.piece_at(from).ok_or(Refusal::NoPiece { from })?;
        let piece = PlacedPiece { role, square: from };
        ensure!(color == self.turn(), Refusal::OpponentsPiece { piece, color });
        ensure!(from != to, Refusal::SameSquare { square: from });
        if let Some(wing) = self.castling_wing(piece, to) {
            self.check_castling(wing)?;
            return check_promotion(false, to, promotion);
        }
        let own = self.board.color(self.turn()).contains(to);
        ensure!(!own, Refusal::OwnPiece { piece: self.piece_on(to) });
        let reach = match piece.role {
            Role::Pawn => self.check_pawn(piece, to)?,
            Role::Knight => knight_attacks(from),
            Role::Bishop => bishop_rays(from),
            Role::Rook => rook_rays(from),
            Role::Queen => bishop_rays(from) | rook_rays(from),
            Role::King => king_attacks(from),
        };
        ensure!(reach.contains(to), Refusal::Geometry { piece, to });
        if let Some(piece) = self.nearest(from, between(from, to) & self.board.occupied()) {
            return Err(Refusal::InTheWay { piece });
        }
        self.check_safety(piece, to)?;
        let last = piece.role == Role::Pawn && BOARD.rank(to) == (!self.turn()).back_rank();
        check_promotion(last, to, promotion)
    }

    /// Returns the wing if the move asks for castling, whether or not that is legal.
    fn castling_wing(&self, piece: PlacedPiece, to: Square) -> Option<Wing> {
        let (us, from) = (self.turn(), piece.square);
        let back = |square: Square| BOARD.rank(square) == us.back_rank();
        if piece.role != Role::King || !back(from) || !back(to) {
            return None;
        }
        let asked = match self.variant() {
            Variant::Standard => {
                BOARD.file(from) == 4 && Wing::ALL.iter().any(|wing| wing.king_target(us) == to)
            }
            Variant::Chess960 => self.board.pieces(us, Role::Rook).contains(to),
        };
        asked.then_some(if to > from { Wing::King } else { Wing::Queen })
    }

    /// Returns the rook with which the side to move may still castle on a wing.
    fn castling_rook(&self, wing: Wing) -> Option<Square> {
        let king = self.king(self.turn());
        let rooks = self.castling & self.board.color(self.turn());
        rooks.iter().find(|&rook| (rook > king) == (wing == Wing::King))
    }

    fn check_castling(&self, wing: Wing) -> Result<(), Refusal> {
        let (us, king) = (self.turn(), self.king(self.turn()));
        let rook = self.castling_rook(wing).ok_or(Refusal::NoCastlingRight { wing })?;
        let (target, rook_target) = (wing.king_target(us), wing.rook_target(us));
        let path = between(king, target) | Bitboard::of(target);
        let rook_path = between(rook, rook_target) | Bitboard::of(rook_target);
        let without_king = self.board.occupied() - Bitboard::of(king);
        let others = without_king - Bitboard::of(rook);
        if let Some(piece) = self.nearest(king, (path | rook_path) & others) {
            return Err(Refusal::CastlingBlocked { piece });
        }
        if let Some(by) = self.nearest(king, self.checkers()) {
            return Err(Refusal::CastlingInCheck { by });
        }
        let mut steps: Vec<Square> = path.iter().collect();
        steps.sort_by_key(|&square| square.index().abs_diff(king.index()));
        for through in steps {
            let attackers = self.attackers(through, !us, without_king);
            match self.nearest(through, attackers) {
                Some(by) if through == target => return Err(Refusal::KingAttacked { by }),
                Some(by) => return Err(Refusal::CastlingThroughCheck { through, by }),
                None => {}
            }
        }
        // In Chess960 the rook may have shielded the king's target.
        self.check_king(target, others | Bitboard::of(rook_target))
    }

    /// Checks that a pawn can move or capture there, and returns the target as a set. Does not
    /// check the square that a double step passes.
    fn check_pawn(&self, piece: PlacedPiece, to: Square) -> Result<Bitboard, Refusal> {
        let (from, us) = (piece.square, self.turn());
        let target = Bitboard::of(to);
        if pawn_attacks(us, from).contains(to) {
            let beside = rank_file_square(from, to);
            if (self.board.color(!us) | self.en_passant).contains(to) {
                return Ok(target);
            }
            let passable = BOARD.rank(from).abs_diff(us.back_rank()) == 4;
            return Err(if passable && self.board.pieces(!us, Role::Pawn).contains(beside) {
                Refusal::NotEnPassant { piece: self.piece_on(beside) }
            } else {
                Refusal::NothingToCapture { to }
            });
        }
        let ahead = match us {
            Color::White => to.index().checked_sub(from.index()),
            Color::Black => from.index().checked_sub(to.index()),
        };
        let at_home = BOARD.rank(from).abs_diff(us.back_rank()) == 1;
        ensure!(ahead == Some(8) || ahead == Some(16) && at_home, Refusal::Geometry { piece, to });
        let on_the_way = between(from, to) & self.board.occupied();
        let captures = on_the_way.is_empty() && self.board.occupied().contains(to);
        ensure!(!captures, Refusal::PawnCapturesAhead { piece: self.piece_on(to) });
        Ok(target)
    }

    /// Checks that the king is safe after a move that is otherwise legal.
    fn check_safety(&self, piece: PlacedPiece, to: Square) -> Result<(), Refusal> {
        let (from, us) = (piece.square, self.turn());
        let without = self.board.occupied() - Bitboard::of(from);
        if piece.role == Role::King {
            return self.check_king(to, without);
        }
        let king = self.king(us);
        let en_passant = piece.role == Role::Pawn && self.en_passant.contains(to);
        let captured = Bitboard::of(if en_passant { rank_file_square(from, to) } else { to });
        let occupied_after = (without - captured) | Bitboard::of(to);
        let attackers = self.attackers(king, !us, occupied_after) - captured;
        if let Some(by) = self.nearest(king, attackers & self.checkers()) {
            return Err(Refusal::StillInCheck { by });
        }
        let Some(by) = self.nearest(king, attackers) else { return Ok(()) };
        let shields = self.attackers(king, !us, without).contains(by.square);
        Err(if en_passant && !shields {
            Refusal::EnPassantExposesKing { by }
        } else {
            Refusal::Pinned { piece, to, by }
        })
    }

    /// Checks that the king would be safe on a square, with `occupied` as the blockers.
    fn check_king(&self, square: Square, occupied: Bitboard) -> Result<(), Refusal> {
        match self.nearest(square, self.attackers(square, !self.turn(), occupied)) {
            Some(by) => Err(Refusal::KingAttacked { by }),
            None => Ok(()),
        }
    }

    /// Returns the piece on an occupied square.
    fn piece_on(&self, square: Square) -> PlacedPiece {
        PlacedPiece { role: self.board.role_at(square), square }
    }

    /// Returns the piece in `pieces` that is nearest to a square.
    fn nearest(&self, to: Square, pieces: Bitboard) -> Option<PlacedPiece> {
        let distance = |&square: &Square| {
            let files = BOARD.file(square).abs_diff(BOARD.file(to));
            files.max(BOARD.rank(square).abs_diff(BOARD.rank(to)))
        };
        pieces.iter().min_by_key(distance).map(|square| self.piece_on(square))
    }
}

fn check_promotion(last: bool, to: Square, promotion: Option<Role>) -> Result<(), Refusal> {
    match promotion {
        None if last => Err(Refusal::PromotionMissing { to }),
        Some(role) if !last || !Role::PROMOTIONS.contains(&role) => {
            Err(Refusal::InvalidPromotion { role })
        }
        None | Some(_) => Ok(()),
    }
}

impl fmt::Display for PlacedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.role.name(), BOARD.name(self.square))
    }
}
