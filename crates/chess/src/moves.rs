//! Moves, and lists of them.

use std::fmt;
use std::ops::Deref;

use fourfold_board::Square;

use crate::{BOARD, Color, Role, Variant, Wing};

/// A move of a man from a square to a square, with all that playing it needs to know.
///
/// Moves come out of a position: from its legal moves, or by parsing a text in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
    role: Role,
    kind: MoveKind,
}

/// What a move does besides going from a square to a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// Nothing; it may capture what stands there.
    Normal,
    /// A pawn's double step, which leaves an en passant square behind.
    DoubleStep,
    /// A pawn takes the pawn that has just passed it.
    EnPassant,
    /// The king castles with the rook on the target square.
    Castling,
    /// A pawn becomes another man.
    Promotion(Role),
}

impl Move {
    /// A move as a [`MoveSink`](crate::MoveSink) unpacks it; nothing says that it is legal.
    #[inline(always)]
    pub const fn new(role: Role, from: Square, to: Square, kind: MoveKind) -> Move {
        debug_assert!(from.index() < 64 && to.index() < 64, "the chessboard has 64 squares");
        Move { from: from.index() as u8, to: to.index() as u8, role, kind }
    }

    /// Where the man comes from.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new(self.from as usize)
    }

    /// Where it goes; for castling, where the rook comes from.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new(self.to as usize)
    }

    /// What moves: a pawn, if one promotes.
    #[inline(always)]
    pub const fn role(self) -> Role {
        self.role
    }

    /// What else happens.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        self.kind
    }

    /// What a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind {
            MoveKind::Promotion(role) => Some(role),
            MoveKind::Normal | MoveKind::DoubleStep | MoveKind::EnPassant | MoveKind::Castling => {
                None
            }
        }
    }

    /// The wing, if the king castles.
    #[inline(always)]
    pub const fn castling(self) -> Option<Wing> {
        match self.kind {
            MoveKind::Castling if self.to > self.from => Some(Wing::King),
            MoveKind::Castling => Some(Wing::Queen),
            MoveKind::Normal
            | MoveKind::DoubleStep
            | MoveKind::EnPassant
            | MoveKind::Promotion(_) => None,
        }
    }

    /// The square on which the moved man stands afterwards.
    pub const fn target(self) -> Square {
        let color = if self.from < 8 { Color::White } else { Color::Black };
        match self.castling() {
            Some(wing) => wing.king_target(color),
            None => self.to(),
        }
    }

    /// The move as a UCI engine writes it: `e2e4`, `e7e8q`; castling is `e1g1` in standard chess
    /// and `e1h1`, the king taking its rook, in Chess960.
    pub fn uci(self, variant: Variant) -> String {
        let to = match variant {
            Variant::Standard => self.target(),
            Variant::Chess960 => self.to(),
        };
        let mut text = BOARD.name(self.from()) + &BOARD.name(to);
        if let Some(role) = self.promotion() {
            text.push(role.letter().to_ascii_lowercase());
        }
        text
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} {:?}", self.role, self.uci(Variant::Chess960), self.kind)
    }
}

/// No position that can arise has more legal moves (proven by exhaustive search in 2024; two such
/// positions are known).
pub const MAX_MOVES: usize = 218;

/// A list of moves that needs no allocation.
///
/// It holds 255: more than [`MAX_MOVES`], and a `u8` counts them, so no index is ever out of range.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; 256],
    len: u8,
}

impl MoveList {
    /// An empty list.
    pub const fn new() -> MoveList {
        let nothing = Move { from: 0, to: 0, role: Role::Pawn, kind: MoveKind::Normal };
        MoveList { moves: [nothing; 256], len: 0 }
    }

    /// Forgets the moves.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a move.
    ///
    /// # Panics
    /// If there are 255 already.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len as usize] = mv;
        self.len = self.len.checked_add(1).expect("a list of moves holds 255");
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len as usize]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, 256>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len as usize)
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
