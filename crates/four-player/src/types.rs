//! Basic types: the board, players and pieces.

use alloc::string::String;
use core::fmt;

use bytemuck::{Pod, Zeroable};
use fourfold_board::{Geometry, Square};

/// A set of squares. Each 64-bit word holds four ranks.
pub type Bitboard = fourfold_board::Bitboard<4>;

/// The cross: 14 by 14 squares without 3 by 3 at each corner. Rows are 16 cells apart, and two rows
/// are unused, so that a slide or leap off the board always ends on a cell that does not exist.
pub static BOARD: Geometry<256, 4> = Geometry::guarded_cross(14, 3, 16);

/// The number of squares of the cross.
pub const SQUARES: usize = 160;

/// Returns the square with a name. Meant for names in code; for user input, use
/// [`Geometry::parse`].
///
/// ```
/// use fourfold_four_player::{BOARD, at};
/// assert_eq!(BOARD.name(at("n11")), "n11");
/// ```
///
/// # Panics
/// Panics if the board has no such square.
#[track_caller]
pub fn at(name: &str) -> Square {
    BOARD.parse(name).expect("a square of the cross")
}

/// A player, named by color. The order is the turn order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Player {
    /// Starts at the bottom and moves up.
    Red,
    /// Starts at the left and moves right.
    Blue,
    /// Starts at the top and moves down.
    Yellow,
    /// Starts at the right and moves left.
    Green,
}

impl Player {
    /// All four players, in turn order.
    pub const ALL: [Player; 4] = [Player::Red, Player::Blue, Player::Yellow, Player::Green];

    /// Returns the player with an index from 0 to 3; higher indices wrap around.
    #[inline(always)]
    pub(crate) const fn from_index(index: u8) -> Player {
        Player::ALL[(index & 3) as usize]
    }

    /// Returns the lowercase name: `red`.
    pub const fn name(self) -> &'static str {
        ["red", "blue", "yellow", "green"][self as usize]
    }

    /// Returns the letter of the player to move in a FEN4: `R`. Pieces have it in lowercase.
    pub const fn letter(self) -> char {
        ['R', 'B', 'Y', 'G'][self as usize]
    }

    /// Returns the player with a letter, in upper or lower case.
    pub fn from_letter(letter: char) -> Option<Player> {
        Player::ALL.into_iter().find(|player| player.letter() == letter.to_ascii_uppercase())
    }

    /// Returns the next player in turn order, whether eliminated or not.
    #[inline(always)]
    pub const fn next(self) -> Player {
        Player::from_index(self as u8 + 1)
    }

    /// Returns the player on the opposite side: the partner in teams.
    #[inline(always)]
    pub const fn opposite(self) -> Player {
        Player::from_index(self as u8 + 2)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Players(u8);

impl Players {
    /// The empty set.
    pub const NONE: Players = Players(0);
    /// All four players.
    pub const ALL: Players = Players(0b1111);

    /// Returns the set that contains only one player.
    #[inline(always)]
    pub const fn one(player: Player) -> Players {
        Players(1 << player as u8)
    }

    /// Creates a set from its bits; bit 0 is Red. Bits above the lowest four are ignored.
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Players {
        Players(bits & 0b1111)
    }

    /// Returns the bits of the set; bit 0 is Red.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns whether a player is in the set.
    #[inline(always)]
    pub const fn contains(self, player: Player) -> bool {
        self.0 >> player as u8 & 1 != 0
    }

    /// Returns the set with a player added.
    #[inline(always)]
    pub const fn with(self, player: Player) -> Players {
        Players(self.0 | 1 << player as u8)
    }

    /// Returns the set with a player removed.
    #[inline(always)]
    pub const fn without(self, player: Player) -> Players {
        Players(self.0 & !(1 << player as u8))
    }

    /// Returns the players in both sets.
    #[inline(always)]
    pub const fn and(self, other: Players) -> Players {
        Players(self.0 & other.0)
    }

    /// Returns the players in either set.
    #[inline(always)]
    pub const fn or(self, other: Players) -> Players {
        Players(self.0 | other.0)
    }

    /// Returns the number of players in the set.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the players in turn order, starting with Red.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        Player::ALL.into_iter().filter(move |&player| self.contains(player))
    }

    /// Returns the letters of the players: `RY`.
    pub fn letters(self) -> String {
        self.iter().map(Player::letter).collect()
    }
}

impl FromIterator<Player> for Players {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Players {
        players.into_iter().fold(Players::NONE, Players::with)
    }
}

/// The role of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Role {
    /// Moves forward, captures diagonally.
    Pawn = 1,
    /// Leaps over other pieces.
    Knight,
    /// Slides diagonally.
    Bishop,
    /// Slides along ranks and files.
    Rook,
    /// Slides in all eight directions.
    Queen,
    /// Steps in all eight directions. Its loss eliminates the player.
    King,
    /// The one-point queen to which a pawn promotes in free-for-all. It moves like a queen.
    OnePointQueen,
}

impl Role {
    /// All roles, in the order of the environment's planes.
    pub const ALL: [Role; 7] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
        Role::OnePointQueen,
    ];

    /// The roles to which a pawn may promote in teams.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// Returns the uppercase letter in FEN4 and PGN4: `N`.
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K', 'D'][self as usize - 1]
    }

    /// Returns the role with an uppercase letter.
    pub fn from_letter(letter: char) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.letter() == letter)
    }

    /// Returns the lowercase name: `knight`.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king", "one-point queen"][self as usize - 1]
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// The player who owns the piece, even after being eliminated. Pieces without an owner are
    /// gray.
    pub owner: Option<Player>,
    /// The role of the piece.
    pub role: Role,
}

impl Piece {
    /// Creates a piece of a player.
    pub const fn new(owner: Player, role: Role) -> Piece {
        Piece { owner: Some(owner), role }
    }
}
