//! Basic types: colors, roles, pieces, wings, and squares by name.

use core::ops::Not;

use fourfold_board::{Geometry, Square};

/// A set of squares of the chessboard.
pub type Bitboard = fourfold_board::Bitboard<1>;

/// The chessboard, on which a1 has index 0, b1 has 1, and h8 has 63.
pub static BOARD: Geometry<64, 1> = Geometry::rectangle(8, 8);

/// Returns the square with this name. Meant for names in code; for user input, use `BOARD.parse`.
///
/// ```
/// use fourfold_chess::at;
/// assert_eq!(at("b1").index(), 1);
/// ```
///
/// # Panics
/// Panics if there is no such square.
#[track_caller]
pub const fn at(name: &str) -> Square {
    let name = name.as_bytes();
    assert!(name.len() == 2, "a square name is a letter and a digit");
    let (file, rank) = (name[0].wrapping_sub(b'a'), name[1].wrapping_sub(b'1'));
    assert!(file < 8 && rank < 8, "a square name is one of a1 to h8");
    Square::new(rank as usize * 8 + file as usize)
}

/// A side: White or Black.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "self-explanatory names")]
pub enum Color {
    White,
    Black,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// Returns the rank where the king of this color starts, counted from 0.
    #[inline]
    pub const fn back_rank(self) -> usize {
        [0, 7][self as usize]
    }

    /// Returns `white` or `black`.
    pub const fn name(self) -> &'static str {
        ["white", "black"][self as usize]
    }

    /// Returns the name as messages write it: `White` or `Black`.
    pub(crate) const fn capitalized(self) -> &'static str {
        ["White", "Black"][self as usize]
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The side of the board on which a king castles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Wing {
    /// Kingside: the king castles to the g-file.
    King,
    /// Queenside: the king castles to the c-file.
    Queen,
}

impl Wing {
    /// Kingside, then queenside.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// Returns the square of the king after castling.
    #[inline]
    pub const fn king_target(self, color: Color) -> Square {
        let file = [6, 2][self as usize];
        Square::new(color.back_rank() * 8 + file)
    }

    /// Returns the square of the rook after castling.
    #[inline]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = [5, 3][self as usize];
        Square::new(color.back_rank() * 8 + file)
    }
}

/// The type of a piece, without its color.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "self-explanatory names")]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// All six roles, pawn first.
    pub const ALL: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    /// The roles that a pawn may promote to, the most common first.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// Returns the value in pawns; 0 for the king, which is never captured.
    pub const fn value(self) -> i32 {
        match self {
            Role::Pawn => 1,
            Role::Knight | Role::Bishop => 3,
            Role::Rook => 5,
            Role::Queen => 9,
            Role::King => 0,
        }
    }

    /// Returns `pawn`, `knight`, `bishop`, `rook`, `queen` or `king`.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }

    /// Returns the English letter in uppercase: `P`, `N`, `B`, `R`, `Q` or `K`.
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self as usize]
    }

    /// Returns the role with an English letter in uppercase.
    pub const fn from_letter(letter: char) -> Option<Role> {
        match letter {
            'P' => Some(Role::Pawn),
            'N' => Some(Role::Knight),
            'B' => Some(Role::Bishop),
            'R' => Some(Role::Rook),
            'Q' => Some(Role::Queen),
            'K' => Some(Role::King),
            _ => None,
        }
    }
}

/// A role and a color.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The side that the piece belongs to.
    pub color: Color,
    /// The type of piece.
    pub role: Role,
}

impl Piece {
    /// Returns the FEN letter: uppercase for White, lowercase for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// Returns the piece with a FEN letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece { color, role: Role::from_letter(letter.to_ascii_uppercase())? })
    }
}

/// The variant, which determines castling and how moves and castling rights are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Variant {
    /// Kings start on the e-file and rooks in the corners. Castling is written `e1g1`.
    #[default]
    Standard,
    /// Kings and rooks may start anywhere on the first rank. Castling is written as the king
    /// capturing its own rook, `e1h1`.
    Chess960,
}
