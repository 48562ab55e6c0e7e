//! The chessboard and the two colors.

use std::fmt;

use crate::board::{self, Direction, Owner, Role};

pub(crate) type Board = board::Board<Color, 8>;
pub(crate) type Piece = board::Piece<Color>;

/// The two players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Color {
    White,
    Black,
}

impl Color {
    pub(crate) const ALL: [Color; 2] = [Color::White, Color::Black];

    pub(crate) fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The direction in which this color's pawns advance.
    pub(crate) fn forward(self) -> Direction {
        [(0, 1), (0, -1)][self as usize]
    }

    /// Converts a rank counted from White's edge into one counted from this color's edge, or back;
    /// the first is 0.
    pub(crate) fn relative_rank(self, rank: i32) -> i32 {
        match self {
            Color::White => rank,
            Color::Black => 7 - rank,
        }
    }
}

impl Owner for Color {
    fn pawn_direction(self) -> Option<Direction> {
        Some(self.forward())
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}

/// The piece's letter in a FEN: upper case for White, lower case for Black.
pub(super) fn letter(piece: Piece) -> char {
    match piece.owner {
        Color::White => piece.role.letter(),
        Color::Black => piece.role.letter().to_ascii_lowercase(),
    }
}

pub(super) fn from_letter(letter: char) -> Option<Piece> {
    let owner = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    Role::from_letter(letter.to_ascii_uppercase()).map(|role| Piece { owner, role })
}

/// The value of a role in pawns.
pub(crate) fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        // Kings are never captured and never promoted to, and chess has no one-point queens.
        Role::King | Role::OnePointQueen => 0,
    }
}
