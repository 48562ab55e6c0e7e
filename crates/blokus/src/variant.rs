//! Board, colours, start squares and players: all that differs between games of Blokus.

use std::fmt;

use crate::rows::MAX_SIZE;

/// No game has more colours.
pub const MAX_COLORS: usize = 4;

/// A game of Blokus by its board, colours and players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    size: u8,
    kind: Kind,
    free_starts: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// Four colours from the corners; one for each of four players.
    Four,
    /// Four colours on the large board, two for each of two players.
    ClassicTwo,
    /// Four colours on the large board, one for each of three players, the last one shared.
    ClassicThree,
    /// Two colours from two squares inside of the 14 by 14 board.
    Duo,
    /// Two colours from opposite corners.
    Two,
}

impl Variant {
    /// Four players on 20 by 20.
    pub const CLASSIC: Variant = Variant { size: 20, kind: Kind::Four, free_starts: false };
    /// Two players with two colours each.
    pub const CLASSIC_2: Variant = Variant { kind: Kind::ClassicTwo, ..Variant::CLASSIC };
    /// Three players, who share the fourth colour.
    pub const CLASSIC_3: Variant = Variant { kind: Kind::ClassicThree, ..Variant::CLASSIC };
    /// Two players on 14 by 14.
    pub const DUO: Variant = Variant { size: 14, kind: Kind::Duo, free_starts: false };

    /// Four colours from the corners of a board of any size.
    pub const fn four(size: usize) -> Option<Variant> {
        if 1 <= size && size <= MAX_SIZE {
            Some(Variant { size: size as u8, kind: Kind::Four, free_starts: false })
        } else {
            None
        }
    }

    /// Two colours from opposite corners of a board of any size.
    pub const fn two(size: usize) -> Option<Variant> {
        if 1 <= size && size <= MAX_SIZE {
            Some(Variant { size: size as u8, kind: Kind::Two, free_starts: false })
        } else {
            None
        }
    }

    /// The same game, in which a colour may begin at any of the start squares.
    pub const fn with_free_starts(self) -> Variant {
        Variant { free_starts: true, ..self }
    }

    /// Whether a colour may begin at any of the start squares.
    pub const fn has_free_starts(self) -> bool {
        self.free_starts
    }

    /// Rows and columns of the board.
    #[inline(always)]
    pub const fn size(self) -> usize {
        self.size as usize
    }

    /// How many colours there are.
    #[inline(always)]
    pub const fn colors(self) -> usize {
        match self.kind {
            Kind::Four | Kind::ClassicTwo | Kind::ClassicThree => 4,
            Kind::Duo | Kind::Two => 2,
        }
    }

    /// How many players there are.
    pub const fn players(self) -> usize {
        match self.kind {
            Kind::Four => 4,
            Kind::ClassicThree => 3,
            Kind::ClassicTwo | Kind::Duo | Kind::Two => 2,
        }
    }

    /// The start square of a colour, as row and column from the top left.
    pub const fn start(self, color: usize) -> (usize, usize) {
        let last = self.size as usize - 1;
        match (self.kind, color) {
            (Kind::Duo, 0) => (4, 4),
            (Kind::Duo, _) => (9, 9),
            (Kind::Two, 0) => (0, 0),
            (Kind::Two, _) => (last, last),
            (_, 0) => (0, 0),
            (_, 1) => (0, last),
            (_, 2) => (last, last),
            (_, _) => (last, 0),
        }
    }

    /// Whose colour it is; the shared one of three players is nobody's.
    pub const fn owner(self, color: usize) -> Option<usize> {
        match (self.kind, color) {
            (Kind::ClassicThree, 3) => None,
            (Kind::ClassicTwo, _) => Some(color % 2),
            (_, _) => Some(color),
        }
    }

    /// Who places a colour's piece when it has placed so many.
    pub const fn mover(self, color: usize, placed: usize) -> usize {
        match self.owner(color) {
            Some(player) => player,
            None => placed % 3,
        }
    }

    /// A colour's letter: `b`.
    pub const fn letter(self, color: usize) -> char {
        self.color_name(color).as_bytes()[0] as char
    }

    /// A colour's name: `blue`.
    pub const fn color_name(self, color: usize) -> &'static str {
        match self.kind {
            Kind::Duo | Kind::Two => ["purple", "orange"][color],
            Kind::Four | Kind::ClassicTwo | Kind::ClassicThree => {
                ["blue", "yellow", "red", "green"][color]
            }
        }
    }

    /// The colour with a letter.
    pub fn color(self, letter: char) -> Option<usize> {
        (0..self.colors()).find(|&color| self.letter(color) == letter)
    }

    /// The variant with a name: `classic`, `classic-2`, `classic-3`, `duo`, `four-N`, `two-N`, each
    /// with `+free` behind it for free starts.
    ///
    /// ```
    /// use fourfold_blokus::Variant;
    /// assert_eq!(Variant::from_name("duo"), Some(Variant::DUO));
    /// assert_eq!(Variant::from_name("four-20"), Some(Variant::CLASSIC));
    /// assert_eq!(Variant::from_name("two-5+free").map(|five| five.to_string()).as_deref(), Some("two-5+free"));
    /// assert_eq!(Variant::from_name("four-23"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Variant> {
        if let Some(name) = name.strip_suffix("+free") {
            let variant = Variant::from_name(name).filter(|variant| !variant.free_starts)?;
            return Some(variant.with_free_starts());
        }
        let sized = |digits: &str| {
            let size: usize = digits.parse().ok()?;
            (size.to_string() == digits).then_some(size)
        };
        match name {
            "classic" => Some(Variant::CLASSIC),
            "classic-2" => Some(Variant::CLASSIC_2),
            "classic-3" => Some(Variant::CLASSIC_3),
            "duo" => Some(Variant::DUO),
            _ => match name.split_once('-')? {
                ("four", size) => Variant::four(sized(size)?),
                ("two", size) => Variant::two(sized(size)?),
                _ => None,
            },
        }
    }
}

/// Writes the name that [`Variant::from_name`] reads.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.size) {
            (Kind::Four, 20) => f.write_str("classic")?,
            (Kind::Four, size) => write!(f, "four-{size}")?,
            (Kind::ClassicTwo, _) => f.write_str("classic-2")?,
            (Kind::ClassicThree, _) => f.write_str("classic-3")?,
            (Kind::Duo, _) => f.write_str("duo")?,
            (Kind::Two, size) => write!(f, "two-{size}")?,
        }
        f.write_str(if self.free_starts { "+free" } else { "" })
    }
}
