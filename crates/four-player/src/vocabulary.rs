//! The words of the game: the board, players and kinds of men.

use std::fmt;

use fourfold_board::{Geometry, Square};

/// A set of squares. Four ranks fill a word.
pub type Bitboard = fourfold_board::Bitboard<4>;

/// The cross: 14 by 14 squares without 3 by 3 at each corner. Rows are 16 cells apart, and two rows
/// are spare, so a slide or leap off the board always ends on a cell that does not exist.
pub static BOARD: Geometry<256, 4> = Geometry::guarded_cross(14, 3, 16);

/// How many squares the cross has.
pub const SQUARES: usize = 160;

/// The square with a name.
///
/// ```
/// use fourfold_four_player::{BOARD, at};
/// assert_eq!(BOARD.name(at("n11")), "n11");
/// ```
///
/// # Panics
/// If the board has no such square: for names in code, not for what users type.
#[track_caller]
pub fn at(name: &str) -> Square {
    BOARD.parse(name).expect("a square of the cross")
}

/// A player, by the colour of the army; in the order of their turns.
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
    /// All four, in the order of their turns.
    pub const ALL: [Player; 4] = [Player::Red, Player::Blue, Player::Yellow, Player::Green];

    /// The player with a number from 0 to 3; higher numbers go round.
    #[inline(always)]
    pub(crate) const fn from_index(index: u8) -> Player {
        Player::ALL[(index & 3) as usize]
    }

    /// The name in a sentence: `red`.
    pub const fn name(self) -> &'static str {
        match self {
            Player::Red => "red",
            Player::Blue => "blue",
            Player::Yellow => "yellow",
            Player::Green => "green",
        }
    }

    /// The letter of the player's turn in FEN4: `R`; men have it in lower case.
    pub const fn letter(self) -> char {
        match self {
            Player::Red => 'R',
            Player::Blue => 'B',
            Player::Yellow => 'Y',
            Player::Green => 'G',
        }
    }

    /// The player with a letter, upper or lower case.
    pub fn from_letter(letter: char) -> Option<Player> {
        Player::ALL.into_iter().find(|player| player.letter() == letter.to_ascii_uppercase())
    }

    /// Who has the next turn when everybody lives.
    #[inline(always)]
    pub const fn next(self) -> Player {
        Player::from_index(self as u8 + 1)
    }

    /// Who sits opposite: the partner in teams.
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

/// A set of players, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Players(u8);

impl Players {
    /// Nobody.
    pub const NONE: Players = Players(0);
    /// All four.
    pub const ALL: Players = Players(0b1111);

    /// One player.
    #[inline(always)]
    pub const fn one(player: Player) -> Players {
        Players(1 << player as u8)
    }

    /// The set with these bits, Red's the lowest; higher bits are ignored.
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> Players {
        Players(bits & 0b1111)
    }

    /// The bits, Red's the lowest.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether a player is one of them.
    #[inline(always)]
    pub const fn contains(self, player: Player) -> bool {
        self.0 >> player as u8 & 1 != 0
    }

    /// These and one more.
    #[inline(always)]
    pub const fn with(self, player: Player) -> Players {
        Players(self.0 | 1 << player as u8)
    }

    /// These but one.
    #[inline(always)]
    pub const fn without(self, player: Player) -> Players {
        Players(self.0 & !(1 << player as u8))
    }

    /// Those in both sets.
    #[inline(always)]
    pub const fn and(self, other: Players) -> Players {
        Players(self.0 & other.0)
    }

    /// Those in either set.
    #[inline(always)]
    pub const fn or(self, other: Players) -> Players {
        Players(self.0 | other.0)
    }

    /// How many they are.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is nobody.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// They in the order of their turns, from Red.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        Player::ALL.into_iter().filter(move |&player| self.contains(player))
    }

    /// Their letters: `RY`.
    pub fn letters(self) -> String {
        self.iter().map(Player::letter).collect()
    }
}

impl FromIterator<Player> for Players {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Players {
        players.into_iter().fold(Players::NONE, Players::with)
    }
}

/// A kind of man.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Moves ahead, takes obliquely.
    Pawn = 1,
    /// Leaps.
    Knight,
    /// Slides obliquely.
    Bishop,
    /// Slides straight.
    Rook,
    /// Slides every way.
    Queen,
    /// Steps every way, and must not be lost.
    King,
    /// The one-point queen that a pawn becomes in free-for-all: moves as a queen, worth one point.
    Promoted,
}

impl Kind {
    /// All kinds, in the order of the environment's planes.
    pub const ALL: [Kind; 7] = [
        Kind::Pawn,
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Queen,
        Kind::King,
        Kind::Promoted,
    ];

    /// What a pawn may become in teams.
    pub const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

    /// The letter in FEN4 and PGN4: `N`.
    pub const fn letter(self) -> char {
        match self {
            Kind::Pawn => 'P',
            Kind::Knight => 'N',
            Kind::Bishop => 'B',
            Kind::Rook => 'R',
            Kind::Queen => 'Q',
            Kind::King => 'K',
            Kind::Promoted => 'D',
        }
    }

    /// The kind with a letter in upper case.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The name in a sentence: `knight`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Knight => "knight",
            Kind::Bishop => "bishop",
            Kind::Rook => "rook",
            Kind::Queen => "queen",
            Kind::King => "king",
            Kind::Promoted => "one-point queen",
        }
    }
}

/// A man on the board: its kind, and whose it is or was. Nobody's men are grey from the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Man {
    /// Whose it is.
    pub owner: Option<Player>,
    /// What it is.
    pub kind: Kind,
}

impl Man {
    /// A player's man.
    pub const fn new(owner: Player, kind: Kind) -> Man {
        Man { owner: Some(owner), kind }
    }
}
