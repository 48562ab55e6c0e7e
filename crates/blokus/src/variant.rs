//! The variants of Blokus, which differ in board size, colors, start squares and players.

use alloc::string::ToString;
use core::fmt;

use bytemuck::{Pod, Zeroable};

use crate::cell_set::MAX_SIZE;
use crate::{Color, Player};

/// The largest number of colors in a game.
pub const MAX_COLORS: usize = 4;

/// A variant of Blokus.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Variant {
    size: u8,
    /// A [`Kind`].
    kind: u8,
    /// 1 if every color may choose among the start squares, otherwise 0.
    free_starts: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    /// Four colors that start in the corners, one for each of four players.
    Four,
    /// Four colors on the 20 by 20 board, two for each of two players.
    ClassicTwo,
    /// Four colors on the 20 by 20 board, one for each of three players and one shared.
    ClassicThree,
    /// Two colors that start on two inner squares of the 14 by 14 board.
    Duo,
    /// Two colors that start in opposite corners.
    Two,
}

impl Variant {
    /// Four players on a 20 by 20 board.
    pub const CLASSIC: Variant = Variant { size: 20, kind: Kind::Four as u8, free_starts: 0 };
    /// Two players with two colors each on a 20 by 20 board.
    pub const CLASSIC_2: Variant = Variant { kind: Kind::ClassicTwo as u8, ..Variant::CLASSIC };
    /// Three players who share the fourth color, on a 20 by 20 board.
    pub const CLASSIC_3: Variant = Variant { kind: Kind::ClassicThree as u8, ..Variant::CLASSIC };
    /// Two players on a 14 by 14 board.
    pub const DUO: Variant = Variant { size: 14, kind: Kind::Duo as u8, free_starts: 0 };

    /// Four players who start in the corners of a board of 1 to [`MAX_SIZE`] rows.
    pub const fn four(size: usize) -> Option<Variant> {
        Variant::sized(size, Kind::Four)
    }

    /// Two players who start in opposite corners of a board of 1 to [`MAX_SIZE`] rows.
    pub const fn two(size: usize) -> Option<Variant> {
        Variant::sized(size, Kind::Two)
    }

    const fn sized(size: usize, kind: Kind) -> Option<Variant> {
        if size < 1 || size > MAX_SIZE {
            return None;
        }
        Some(Variant { size: size as u8, kind: kind as u8, free_starts: 0 })
    }

    #[inline(always)]
    const fn kind(self) -> Kind {
        match self.kind {
            0 => Kind::Four,
            1 => Kind::ClassicTwo,
            2 => Kind::ClassicThree,
            3 => Kind::Duo,
            _ => Kind::Two,
        }
    }

    /// Returns whether the bytes of this value are those of a variant.
    pub(crate) fn is_valid(self) -> bool {
        // The size is checked first, because names are made for valid sizes only.
        (1..=MAX_SIZE).contains(&self.size()) && Variant::from_name(&self.to_string()) == Some(self)
    }

    /// Returns the same variant, but with every color free to choose among the start squares.
    pub const fn with_free_starts(self) -> Variant {
        Variant { free_starts: 1, ..self }
    }

    /// Returns whether every color may choose among the start squares.
    pub const fn has_free_starts(self) -> bool {
        self.free_starts != 0
    }

    /// Returns the number of rows, which is also the number of columns.
    #[inline(always)]
    pub const fn size(self) -> usize {
        self.size as usize
    }

    /// Returns the colors in turn order.
    #[inline(always)]
    pub fn colors(self) -> impl ExactSizeIterator<Item = Color> + Clone {
        let count = match self.kind() {
            Kind::Four | Kind::ClassicTwo | Kind::ClassicThree => 4,
            Kind::Duo | Kind::Two => 2,
        };
        (0..count).map(Color)
    }

    /// Returns the players in turn order.
    #[inline]
    pub fn players(self) -> impl ExactSizeIterator<Item = Player> + Clone {
        let count = match self.kind() {
            Kind::Four => 4,
            Kind::ClassicThree => 3,
            Kind::ClassicTwo | Kind::Duo | Kind::Two => 2,
        };
        (0..count).map(Player)
    }

    /// Returns the start square of a color as (row, column) from the top left.
    pub const fn start(self, color: Color) -> (usize, usize) {
        let last = self.size as usize - 1;
        match (self.kind(), color.index()) {
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

    /// Returns the player who owns a color, or `None` for the shared color of three players.
    pub const fn owner(self, color: Color) -> Option<Player> {
        match (self.kind(), color.0) {
            (Kind::ClassicThree, 3) => None,
            (Kind::ClassicTwo, index) => Some(Player(index % 2)),
            (_, index) => Some(Player(index)),
        }
    }

    /// Returns the player who places the next piece of a color that has placed `placed` pieces. The
    /// three players take turns with a shared color.
    pub const fn placing_player(self, color: Color, placed: usize) -> Player {
        match self.owner(color) {
            Some(player) => player,
            None => Player((placed % 3) as u8),
        }
    }

    /// Returns the letter of a color, such as `b`.
    pub const fn letter(self, color: Color) -> char {
        self.color_name(color).as_bytes()[0] as char
    }

    /// Returns the name of a color, such as `blue`. A color that does not play has the name that it
    /// has where it does.
    pub const fn color_name(self, color: Color) -> &'static str {
        match self.kind() {
            Kind::Duo | Kind::Two => ["purple", "orange", "red", "green"][color.index()],
            Kind::Four | Kind::ClassicTwo | Kind::ClassicThree => {
                ["blue", "yellow", "red", "green"][color.index()]
            }
        }
    }

    /// Returns the color with the given letter.
    pub fn color(self, letter: char) -> Option<Color> {
        self.colors().find(|&color| self.letter(color) == letter)
    }

    /// Returns the variant with the given name: `classic`, `classic-2`, `classic-3`, `duo`,
    /// `four-N` or `two-N`, followed by `+free` if colors may choose among the start squares.
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
            let variant = Variant::from_name(name).filter(|variant| !variant.has_free_starts())?;
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
        match (self.kind(), self.size) {
            (Kind::Four, 20) => f.write_str("classic")?,
            (Kind::Four, size) => write!(f, "four-{size}")?,
            (Kind::ClassicTwo, _) => f.write_str("classic-2")?,
            (Kind::ClassicThree, _) => f.write_str("classic-3")?,
            (Kind::Duo, _) => f.write_str("duo")?,
            (Kind::Two, size) => write!(f, "two-{size}")?,
        }
        f.write_str(if self.has_free_starts() { "+free" } else { "" })
    }
}
