//! Legal positions.

use core::fmt;

use bytemuck::{Pod, Zeroable};
use fourfold_board::Square;
use fourfold_common::cpu::PORTABLE;

use crate::{Bitboard, Board, Color, Move, Role, Setup, Variant, zobrist};

/// A legal position: 96 bytes of plain data, cheap to copy.
///
/// Every position has passed [`Setup::validate`] or resulted from playing moves, so each side has
/// exactly one king, the side that has just moved is not in check, and the castling rights and the
/// en passant square fit the board.
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
/// Two positions are equal if everything is, including the clocks. To compare positions by the
/// rules on repetition, use [`Position::key`].
///
/// The bytes of a position are stable, so it can be stored and copied as such. Bytes from elsewhere
/// must be checked with [`Position::is_valid`]; without that, methods may panic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Position {
    pub(crate) board: Board,
    /// The rooks that may still castle.
    pub(crate) castling: Bitboard,
    /// The square that a pawn has just stepped over, or the empty set.
    pub(crate) en_passant: Bitboard,
    /// The Zobrist key without the en passant part.
    pub(crate) key: u64,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    /// A [`Color`].
    pub(crate) turn: u8,
    /// A [`Variant`].
    pub(crate) variant: u8,
    pub(crate) padding: [u8; 2],
}

impl Position {
    /// Returns the start position of standard chess.
    pub fn start() -> Position {
        Setup::start().validate().expect("the start position is valid")
    }

    /// Creates a position from a setup that is known to be valid and the Zobrist key of its pieces.
    #[inline(always)]
    pub(crate) fn from_validated(setup: &Setup, piece_key: u64) -> Position {
        let turn = match setup.turn {
            Color::White => 0,
            Color::Black => zobrist::BLACK_TO_MOVE,
        };
        Position {
            board: setup.board,
            castling: setup.castling,
            en_passant: setup.en_passant.map_or(Bitboard::EMPTY, Bitboard::of),
            key: piece_key ^ zobrist::castling(setup.castling) ^ turn,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
            turn: setup.turn as u8,
            variant: setup.variant as u8,
            padding: [0; 2],
        }
    }

    /// Returns whether the bytes of this value form a legal position. This is true for every
    /// position that was not made from bytes.
    ///
    /// ```
    /// use fourfold_chess::Position;
    /// let mut bytes = bytemuck::bytes_of(&Position::start()).to_owned();
    /// assert!(bytemuck::pod_read_unaligned::<Position>(&bytes).is_valid());
    /// bytes[0] ^= 1;
    /// assert!(!bytemuck::pod_read_unaligned::<Position>(&bytes).is_valid());
    /// ```
    pub fn is_valid(&self) -> bool {
        // `validate` recomputes everything that is derived, such as the key.
        self.board.is_consistent() && self.setup().validate() == Ok(*self)
    }

    /// Returns the position as plain data that can be edited.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board,
            turn: self.turn(),
            castling: self.castling,
            en_passant: self.en_passant.first(),
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            variant: self.variant(),
        }
    }

    /// Returns the piece placement.
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        match self.turn {
            0 => Color::White,
            _ => Color::Black,
        }
    }

    /// Returns the variant that is played.
    #[inline]
    pub const fn variant(&self) -> Variant {
        match self.variant {
            0 => Variant::Standard,
            _ => Variant::Chess960,
        }
    }

    /// Returns the rooks that may still castle, of both colors.
    #[inline]
    pub const fn castling(&self) -> Bitboard {
        self.castling
    }

    /// Returns the square that a pawn has just stepped over, whether or not it can be captured
    /// there.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant.first()
    }

    /// Returns the halfmove clock: plies since the last pawn move or capture.
    #[inline]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// Returns the move number, which starts at 1 and increases after Black's moves.
    #[inline]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// Returns the square of the king of `color`.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        self.board.pieces(color, Role::King).first().expect("each side has a king")
    }

    /// Returns the Zobrist key, which is equal for positions that are the same under the rules on
    /// repetition. The en passant square counts only if a capture there is legal.
    pub fn key(&self) -> u64 {
        match self.en_passant.first() {
            Some(square) if self.has_legal_en_passant() => self.key ^ zobrist::en_passant(square),
            Some(_) | None => self.key,
        }
    }

    /// Returns the pieces of color `by` that attack a square, with `occupied` as the blockers.
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.board.attackers(PORTABLE, square, by, occupied)
    }

    /// Returns the pieces that give check.
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn()), !self.turn(), self.board.occupied())
    }

    /// Returns whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Returns the role that a move captures, including a pawn captured en passant.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Role> {
        let square = mv.captured_square();
        self.board.color(!self.turn()).contains(square).then(|| self.board.role_at(square))
    }
}

/// Writes the position as a FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}
