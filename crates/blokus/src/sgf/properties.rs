//! The properties that place pieces, by their names now and in files of former versions of Pentobi.

use crate::{Color, Variant};

/// What a property says about the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Property {
    /// A color places a piece or passes.
    Move(Color),
    /// Pieces of a color are on the board: `A1`.
    Add(Color),
    /// Pieces are removed from the board: `AE`.
    Remove,
    /// A color is to move: `PL`.
    Turn,
}

/// The names of colors in any variant.
const COLORS: [&str; 12] =
    ["B", "W", "BLACK", "WHITE", "1", "2", "3", "4", "BLUE", "YELLOW", "RED", "GREEN"];

/// Returns the meaning of a property, `None` if it does not concern the board, or an error if it
/// belongs to a color that the variant does not have. Names are not case-sensitive, because early
/// versions of SGF had lowercase letters in them.
pub(super) fn property(variant: Variant, name: &str) -> Result<Option<Property>, ()> {
    let name = &name.to_ascii_uppercase()[..];
    match name {
        "AE" => return Ok(Some(Property::Remove)),
        "PL" => return Ok(Some(Property::Turn)),
        _ => {}
    }
    let (subject, add) = match name.strip_prefix('A') {
        Some(subject) => (subject, true),
        None => (name, false),
    };
    match color(variant, subject) {
        Some(color) if add => Ok(Some(Property::Add(color))),
        Some(color) => Ok(Some(Property::Move(color))),
        None if COLORS.contains(&subject) => Err(()),
        None => Ok(None),
    }
}

/// Returns the color with a name: `B` or `W` with two colors, otherwise `1` to `4`, or `BLUE` and so
/// on as Pentobi wrote before version 0.2. Numbers are accepted with two colors, too.
pub(super) fn color(variant: Variant, name: &str) -> Option<Color> {
    let count = variant.colors().len();
    let index = if count == 2 {
        ["B", "W", "BLACK", "WHITE"].iter().position(|known| *known == name).map(|index| index % 2)
    } else {
        ["BLUE", "YELLOW", "RED", "GREEN"].iter().position(|known| *known == name)
    };
    let number = || ["1", "2", "3", "4"][..count].iter().position(|known| *known == name);
    Color::from_index(index.or_else(number)?)
}

/// Returns the name of a color in move properties.
pub(super) fn color_property(variant: Variant, color: Color) -> &'static str {
    match variant.colors().len() {
        2 if color.index() < 2 => ["B", "W"][color.index()],
        _ => ["1", "2", "3", "4"][color.index()],
    }
}

/// Describes the names of the colors of a variant, for error messages.
pub(super) fn expected_colors(variant: Variant) -> &'static str {
    if variant.colors().len() == 2 { "B and W" } else { "1, 2, 3 and 4" }
}
