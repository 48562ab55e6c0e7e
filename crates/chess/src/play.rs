//! Playing moves, checked and unchecked.

use alloc::string::String;

use fourfold_common::ensure;
use thiserror::Error;

use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Color, Move, MoveKind, Position, Role, zobrist};

/// The clocks stop here. No game is that long, and FEN readers expect at most four digits.
pub(crate) const MAX_CLOCK: u16 = 9999;

impl Position {
    /// Plays a move.
    ///
    /// # Errors
    /// Returns an error if the move is not legal; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMoveError> {
        ensure!(
            self.is_legal(mv),
            IllegalMoveError { uci: mv.uci(self.variant()), fen: self.fen() }
        );
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move, which must be legal.
    ///
    /// An illegal move panics if debug assertions are enabled. Otherwise it results in a wrong
    /// position, but never in undefined behavior.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {}", self.fen());
        match self.turn() {
            Color::White => self.advance::<White>(mv),
            Color::Black => self.advance::<Black>(mv),
        }
    }

    /// Returns the position after a move, which must be legal.
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut after = *self;
        after.play_unchecked(mv);
        after
    }

    /// Returns the position after a null move, which also clears the en passant square. Returns
    /// `None` if the side to move is in check.
    ///
    /// ```
    /// use fourfold_chess::{Color, Position};
    /// let passed = Position::start().after_null_move().expect("nobody is in check");
    /// assert_eq!((passed.turn(), passed.legal_moves().len()), (Color::Black, 20));
    /// ```
    #[inline]
    pub fn after_null_move(&self) -> Option<Position> {
        (!self.is_check()).then(|| Position {
            en_passant: Bitboard::EMPTY,
            key: self.key ^ zobrist::BLACK_TO_MOVE,
            turn: !self.turn() as u8,
            ..*self
        })
    }

    /// Plays a move of side `S`, which must be to move.
    #[inline(always)]
    pub(crate) fn advance<S: Side>(&mut self, mv: Move) {
        let (us, them) = (S::COLOR, S::Them::COLOR);
        let (from, to) = (Bitboard::of(mv.from()), Bitboard::of(mv.to()));
        let board = &mut self.board;
        let mut key = self.key ^ zobrist::BLACK_TO_MOVE;
        self.en_passant = Bitboard::EMPTY;
        self.halfmoves = match mv.role() {
            Role::Pawn => 0,
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                (self.halfmoves + 1).min(MAX_CLOCK)
            }
        };
        if us == Color::Black {
            self.fullmoves = (self.fullmoves + 1).min(MAX_CLOCK);
        }
        self.turn = them as u8;

        match mv.kind() {
            MoveKind::Normal | MoveKind::Promotion(_) if board.color(them).intersects(to) => {
                let role = board.role_at(mv.to());
                board.toggle(them, role, to);
                key ^= zobrist::piece(them, role, mv.to());
                self.halfmoves = 0;
            }
            MoveKind::Normal | MoveKind::Promotion(_) | MoveKind::Castling => {}
            MoveKind::DoubleStep => {
                self.en_passant = S::Them::forward(to);
            }
            MoveKind::EnPassant => {
                board.toggle(them, Role::Pawn, S::Them::forward(to));
                key ^= zobrist::piece(them, Role::Pawn, mv.captured_square());
            }
        }

        match mv.kind() {
            MoveKind::Normal | MoveKind::DoubleStep | MoveKind::EnPassant => {
                board.toggle(us, mv.role(), from | to);
                key ^= zobrist::piece(us, mv.role(), mv.from());
                key ^= zobrist::piece(us, mv.role(), mv.to());
            }
            MoveKind::Promotion(role) => {
                board.toggle(us, Role::Pawn, from);
                board.toggle(us, role, to);
                key ^= zobrist::piece(us, Role::Pawn, mv.from());
                key ^= zobrist::piece(us, role, mv.to());
            }
            MoveKind::Castling => {
                let (king, rook) = (king_target(us, mv), rook_target(us, mv));
                // One after the other, because the squares may overlap in Chess960.
                board.toggle(us, Role::King, from ^ king);
                board.toggle(us, Role::Rook, to);
                board.toggle(us, Role::Rook, rook);
                let square = |set: Bitboard| set.first().expect("a set of one");
                key ^= zobrist::piece(us, Role::King, mv.from());
                key ^= zobrist::piece(us, Role::King, square(king));
                key ^= zobrist::piece(us, Role::Rook, mv.to());
                key ^= zobrist::piece(us, Role::Rook, square(rook));
            }
        }

        let touched = match mv.role() {
            Role::King => S::FIRST_RANK | to,
            Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => from | to,
        };
        if self.castling.intersects(touched) {
            key ^= zobrist::castling(self.castling & touched);
            self.castling -= touched;
        }
        self.key = key;
    }
}

impl Board {
    /// Toggles pieces of one color and role on the given squares.
    #[inline(always)]
    fn toggle(&mut self, color: Color, role: Role, squares: Bitboard) {
        self.roles[role as usize] ^= squares;
        self.colors[color as usize] ^= squares;
    }
}

#[inline(always)]
fn king_target(us: Color, mv: Move) -> Bitboard {
    mv.castling().map_or(Bitboard::EMPTY, |wing| Bitboard::of(wing.king_target(us)))
}

#[inline(always)]
fn rook_target(us: Color, mv: Move) -> Bitboard {
    mv.castling().map_or(Bitboard::EMPTY, |wing| Bitboard::of(wing.rook_target(us)))
}

/// The error returned when a move is not legal in the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{uci} is not legal in {fen}")]
#[non_exhaustive]
pub struct IllegalMoveError {
    /// The move in UCI notation.
    pub uci: String,
    /// The position as a FEN.
    pub fen: String,
}
