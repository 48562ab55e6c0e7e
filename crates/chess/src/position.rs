//! A position that chess can be played from.

use std::fmt;

use fourfold_board::Square;

use crate::{Bitboard, Board, Color, Move, MoveKind, Role, Setup, Variant, zobrist};

/// A position that the rules can be played from: plain data of 96 bytes, cheap to copy.
///
/// Only [`Setup::validate`] makes one, so each side has one king, the side that has just moved is
/// not in check, and rights and en passant square fit the board.
///
/// ```
/// use fourfold_chess::Position;
///
/// let mut position = Position::start();
/// assert_eq!(position.legal_moves().len(), 20);
/// position.play(position.parse_san("e4")?)?;
/// assert_eq!(position.fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Two positions are equal if everything is, the clocks included; for the equality of the rules on
/// repetition compare [`Position::key`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) board: Board,
    /// The rooks that may still castle.
    pub(crate) castling: Bitboard,
    /// The square that a pawn has just stepped over, or none.
    pub(crate) en_passant: Bitboard,
    /// All of the key but the part for en passant.
    pub(crate) key: u64,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    pub(crate) turn: Color,
    pub(crate) variant: Variant,
}

impl Position {
    /// The start of a game.
    pub fn start() -> Position {
        Setup::start().validate().expect("the start position is valid")
    }

    /// For a setup that was found valid, with the key of its men.
    #[inline(always)]
    pub(crate) fn trust(setup: &Setup, men: u64) -> Position {
        let turn = match setup.turn {
            Color::White => 0,
            Color::Black => zobrist::BLACK_TO_MOVE,
        };
        Position {
            board: setup.board,
            castling: setup.castling,
            en_passant: setup.en_passant.map_or(Bitboard::EMPTY, Bitboard::of),
            key: men ^ zobrist::castling(setup.castling) ^ turn,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            turn: setup.turn,
            variant: setup.variant,
        }
    }

    /// The position as plain data, to look at or to change.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant.first(),
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            variant: self.variant,
        }
    }

    /// Where the men stand.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Which castling is played.
    #[inline]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The rooks with which their side may still castle.
    #[inline]
    pub const fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The square that a pawn has just stepped over, whether or not it can be taken there.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant.first()
    }

    /// Plies since a pawn moved or a man was taken.
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the move, from 1, the same for White's and Black's.
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The square of a side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board.pieces(color, Role::King).first().expect("each side has a king")
    }

    /// The Zobrist key: equal for positions that count as the same in the rules on repetition. The
    /// en passant square takes part only if a capture there is legal.
    pub fn key(&self) -> u64 {
        match self.en_passant.first() {
            Some(square) if self.may_take_en_passant() => self.key ^ zobrist::en_passant(square),
            Some(_) | None => self.key,
        }
    }

    /// The men of a colour that attack a square, for any set of occupied squares.
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.board.attackers(square, by, occupied)
    }

    /// The men that give check.
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.board.occupied())
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// What a move takes, the pawn taken en passant included.
    pub fn captured(&self, mv: Move) -> Option<Role> {
        match mv.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castling | MoveKind::DoubleStep => None,
            MoveKind::Normal | MoveKind::Promotion(_) => {
                self.board.piece_at(mv.to()).map(|piece| piece.role)
            }
        }
    }
}

/// Writes the FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}
