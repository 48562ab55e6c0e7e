//! All colors, defined once for pictures and for the style sheet of a page.

use std::fmt;

use serde::Serialize;

use crate::Seat;

/// An opaque color, as `0xRRGGBB`. It is displayed as `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rgb(pub u32);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0 & 0xff_ffff)
    }
}

/// A translucent color on top of another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Overlay {
    /// The color.
    pub color: Rgb,
    /// The opacity in percent.
    pub percent: u8,
}

/// The three colors of a piece or a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tint {
    /// The body.
    pub fill: Rgb,
    /// The outline around it.
    pub line: Rgb,
    /// The lines inside it.
    pub detail: Rgb,
}

/// The color scheme of the page around a picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// Both themes.
    pub const ALL: [Theme; 2] = [Theme::Light, Theme::Dark];

    /// Returns the colors of the theme.
    pub fn palette(self) -> &'static Palette {
        [&LIGHT, &DARK][self as usize]
    }
}

/// The color of an arrow or a circle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ink {
    /// Green, the default.
    #[default]
    Green,
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Amber.
    Amber,
}

impl Ink {
    /// All inks.
    pub const ALL: [Ink; 4] = [Ink::Green, Ink::Red, Ink::Blue, Ink::Amber];

    /// Returns the name in the style sheet, such as `green`.
    pub const fn name(self) -> &'static str {
        ["green", "red", "blue", "amber"][self as usize]
    }
}

/// The colors of a board on a page. The colors of pieces do not depend on the page: see
/// [`SeatColors`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Palette {
    /// The page background that the other colors were chosen for. Pictures do not draw it.
    pub page: Rgb,
    /// The light squares of a checkered board.
    pub light: Rgb,
    /// The dark squares of a checkered board.
    pub dark: Rgb,
    /// The cells of a plain board.
    pub plain: Rgb,
    /// The lines of a plain board.
    pub grid: Rgb,
    /// The letters and numbers beside the board.
    pub label: Rgb,
    /// The squares of the last move.
    pub last_move: Overlay,
    /// A king in check.
    pub check: Overlay,
    /// A square that the selected piece may move to.
    pub target: Overlay,
    /// A piece that the selected one may capture.
    pub capture: Overlay,
    /// The selected square.
    pub selected: Overlay,
    /// The squares of a premove.
    pub premove: Overlay,
    /// The part of a square that shows how much rest its piece has left.
    pub rest: Overlay,
    /// Arrows and circles, in the order of [`Ink::ALL`].
    pub inks: [Overlay; 4],
}

impl Palette {
    /// Returns the color of an ink.
    pub const fn ink(&self, ink: Ink) -> Overlay {
        self.inks[ink as usize]
    }
}

const fn overlay(color: u32, percent: u8) -> Overlay {
    Overlay { color: Rgb(color), percent }
}

const fn tint(fill: u32, line: u32, detail: u32) -> Tint {
    Tint { fill: Rgb(fill), line: Rgb(line), detail: Rgb(detail) }
}

static LIGHT: Palette = Palette {
    page: Rgb(0xfb_f9_f5),
    light: Rgb(0xf1_e7_d6),
    dark: Rgb(0xbb_a1_83),
    plain: Rgb(0xee_e7_db),
    grid: Rgb(0xd2_c7_b5),
    label: Rgb(0x6b_60_52),
    last_move: overlay(0xe8_c5_1c, 48),
    check: overlay(0xdc_2f_1e, 72),
    target: overlay(0x2b_4a_3a, 50),
    capture: overlay(0x2b_4a_3a, 60),
    selected: overlay(0x3f_9c_8c, 62),
    premove: overlay(0x7d_6b_c4, 62),
    rest: overlay(0x2a_26_20, 38),
    inks: [
        overlay(0x1f_8a_4c, 85),
        overlay(0xc4_2b_2b, 85),
        overlay(0x1f_6f_b8, 85),
        overlay(0xd9_82_0b, 85),
    ],
};

static DARK: Palette = Palette {
    page: Rgb(0x1b_1d_21),
    light: Rgb(0xab_b3_ba),
    dark: Rgb(0x73_7e_8a),
    plain: Rgb(0x66_70_7b),
    grid: Rgb(0x7b_86_92),
    label: Rgb(0xa3_ab_b4),
    last_move: overlay(0xe0_c0_2a, 46),
    check: overlay(0xd8_32_22, 74),
    target: overlay(0x14_24_1e, 52),
    capture: overlay(0x14_24_1e, 62),
    selected: overlay(0x2f_a0_8d, 66),
    premove: overlay(0x7a_64_d0, 66),
    rest: overlay(0xff_ff_ff, 42),
    inks: [
        overlay(0x1c_8f_4e, 88),
        overlay(0xc9_2d_2d, 88),
        overlay(0x1f_72_c2, 88),
        overlay(0xe0_8a_10, 88),
    ],
};

/// Two seats: ivory and near-black.
static TWO: [Tint; 2] =
    [tint(0xf8_f1_e3, 0x2a_26_22, 0x2a_26_22), tint(0x3a_3c_42, 0x0d_0e_10, 0xdb_d5_c9)];

/// Three or four seats: red, blue, yellow and green, chosen so that color-blind people can tell any
/// two of them apart; `tests/it/colors.rs` simulates color blindness.
static FOUR: [Tint; 4] = [
    tint(0xd8_4c_2e, 0x38_0d_05, 0x38_0d_05),
    tint(0x2d_66_cc, 0x06_10_24, 0x06_10_24),
    tint(0xf8_d2_4a, 0x3d_2d_04, 0x3d_2d_04),
    tint(0x4a_bf_98, 0x06_29_1f, 0x06_29_1f),
];

/// Pieces of eliminated players.
static ELIMINATED: Tint = tint(0x9a_9a_9a, 0x22_22_22, 0x22_22_22);

/// Blokus with four colors: the same tints, in the order in which the colors take turns.
static BLOKUS: [Tint; 4] = [FOUR[1], FOUR[2], FOUR[0], FOUR[3]];

/// Blokus Duo: purple and orange.
static DUO: [Tint; 2] =
    [tint(0x8d_5f_c9, 0x1c_0b_33, 0x1c_0b_33), tint(0xf2_9b_38, 0x3b_1f_02, 0x3b_1f_02)];

/// A set of tints that go together, one for each seat or color of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SeatColors {
    /// Ivory and near-black.
    #[default]
    Two,
    /// Red, blue, yellow and green.
    Four,
    /// Blue, yellow, red and green.
    Blokus,
    /// Purple and orange.
    Duo,
}

impl SeatColors {
    /// All sets.
    pub const ALL: [SeatColors; 4] =
        [SeatColors::Two, SeatColors::Four, SeatColors::Blokus, SeatColors::Duo];

    /// Returns the default set of a game with this many seats.
    pub const fn of(seats: usize) -> SeatColors {
        if seats <= TWO.len() { SeatColors::Two } else { SeatColors::Four }
    }

    /// Returns the name in the style sheet, such as `two`.
    pub const fn name(self) -> &'static str {
        ["two", "four", "blokus", "duo"][self as usize]
    }

    /// Returns the tints, in the order of the seats or colors.
    pub fn all(self) -> &'static [Tint] {
        match self {
            SeatColors::Two => &TWO,
            SeatColors::Four => &FOUR,
            SeatColors::Blokus => &BLOKUS,
            SeatColors::Duo => &DUO,
        }
    }

    /// Returns the tint of a seat or color; gray if the set has none for it.
    ///
    /// ```
    /// use fourfold_draw::{Seat, SeatColors};
    ///
    /// assert_eq!(SeatColors::of(2).tint(Seat::new(0)).fill.to_string(), "#f8f1e3"); // ivory
    /// assert_ne!(SeatColors::Two.tint(Seat::new(0)), SeatColors::Four.tint(Seat::new(0))); // red
    /// ```
    pub fn tint(self, seat: Seat) -> Tint {
        self.all().get(seat.index()).copied().unwrap_or(ELIMINATED)
    }
}

/// Returns the gray tint of eliminated players' pieces.
pub fn gray() -> Tint {
    ELIMINATED
}
