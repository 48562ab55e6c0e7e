//! Moves and move lists.

use alloc::string::String;
use core::fmt;

use arrayvec::ArrayVec;
use fourfold_board::Square;

use crate::side::rank_file_square;
use crate::{BOARD, Color, Role, Variant, Wing};

/// A move of a piece from one square to another, with everything needed to play it.
///
/// Moves come from a position: from its legal moves, or by parsing notation.
// `to` is the first byte, so that generation does not have to shift it into place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Move {
    to: u8,
    from: u8,
    role: Role,
    kind: MoveKind,
}

/// What a move does besides moving a piece from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// Nothing else. It may be a capture.
    Normal,
    /// A pawn's double step, which sets the en passant square.
    DoubleStep,
    /// A pawn captures the pawn that has just passed it.
    EnPassant,
    /// The king castles with the rook on the target square.
    Castling,
    /// A pawn promotes to this role.
    Promotion(Role),
}

impl Move {
    /// Creates a move, for implementations of [`MoveSink`](crate::MoveSink). Does not check that it
    /// is legal.
    #[inline(always)]
    pub const fn new(role: Role, from: Square, to: Square, kind: MoveKind) -> Move {
        debug_assert!(from.index() < 64 && to.index() < 64, "the chessboard has 64 squares");
        Move { from: from.index() as u8, to: to.index() as u8, role, kind }
    }

    /// Returns the origin.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new(self.from as usize)
    }

    /// Returns the target; for castling, the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new(self.to as usize)
    }

    /// Returns the role of the piece that moves; for a promotion, [`Role::Pawn`].
    #[inline(always)]
    pub const fn role(self) -> Role {
        self.role
    }

    /// Returns the kind of move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        self.kind
    }

    /// Returns the role that a pawn promotes to, if this is a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        if let MoveKind::Promotion(role) = self.kind { Some(role) } else { None }
    }

    /// Returns the wing, if this is castling.
    #[inline(always)]
    pub const fn castling(self) -> Option<Wing> {
        let wing = if self.to > self.from { Wing::King } else { Wing::Queen };
        if matches!(self.kind, MoveKind::Castling) { Some(wing) } else { None }
    }

    /// Returns the square of the moved piece after the move; for castling, that of the king.
    pub const fn target(self) -> Square {
        let color = if self.from < 8 { Color::White } else { Color::Black };
        match self.castling() {
            Some(wing) => wing.king_target(color),
            None => self.to(),
        }
    }

    /// Returns the square of the piece that the move captures, if it captures one: the target or, en
    /// passant, the square on the rank of the origin and the file of the target.
    #[inline(always)]
    pub const fn captured_square(self) -> Square {
        let passes = matches!(self.kind, MoveKind::EnPassant);
        if passes { rank_file_square(self.from(), self.to()) } else { self.to() }
    }

    /// Returns the move in UCI notation: `e2e4`, `e7e8q`. Castling is `e1g1` in standard chess and
    /// `e1h1`, the king capturing its own rook, in Chess960.
    pub fn uci(self, variant: Variant) -> String {
        let mut text = BOARD.name(self.from()) + &BOARD.name(self.uci_target(variant));
        if let Some(role) = self.promotion() {
            text.push(role.letter().to_ascii_lowercase());
        }
        text
    }

    /// Returns the target in UCI notation, which in Chess960 castling is the square of the rook.
    pub(crate) const fn uci_target(self, variant: Variant) -> Square {
        match variant {
            Variant::Standard => self.target(),
            Variant::Chess960 => self.to(),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} {:?}", self.role, self.uci(Variant::Chess960), self.kind)
    }
}

/// The maximum number of legal moves in any reachable position (proven by exhaustive search in
/// 2024; two such positions are known).
pub const MAX_MOVES: usize = 218;

/// A list of moves that does not allocate. Its capacity is more than [`MAX_MOVES`], because a
/// [`Setup`](crate::Setup) may be a position that no game reaches.
pub type MoveList = ArrayVec<Move, 256>;
