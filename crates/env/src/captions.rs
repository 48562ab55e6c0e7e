//! Human-readable names of observation channels and action planes, and where actions are drawn.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The name of an observation channel or an action plane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caption {
    /// The heading under which it is listed.
    pub group: String,
    /// The name within its group.
    pub name: String,
}

impl Caption {
    pub(crate) fn new(group: impl Into<String>, name: impl Into<String>) -> Caption {
        Caption { group: group.into(), name: name.into() }
    }
}

/// Where an action is drawn, on the board as the acting player sees it. Rows count from the top, as
/// in observations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionPlace {
    /// The index of the action plane.
    pub plane: usize,
    /// The row on this plane.
    pub row: usize,
    /// The column on this plane.
    pub column: usize,
    /// The cells that the action concerns, by row and column: origin and target of a move, or all
    /// cells that a placement covers.
    pub cells: Vec<(usize, usize)>,
}

/// Names of pieces by role, in plane order.
pub(crate) const PIECE_NAMES: [&str; 6] =
    ["pawns", "knights", "bishops", "rooks", "queens", "king"];

/// Names of the players or colors of a four-player game relative to the viewer, in channel order.
pub(crate) const RELATIVE_NAMES: [&str; 4] = ["own", "next", "opposite", "previous"];

/// Returns the name of the player or color that is `index` turns after the viewer, of `count`.
pub(crate) fn relative_name(index: usize, count: usize) -> &'static str {
    match (index, count) {
        (0, _) => RELATIVE_NAMES[0],
        (_, 2) => "other",
        (2, 3) => RELATIVE_NAMES[3],
        _ => RELATIVE_NAMES[index % 4],
    }
}

/// Formats a knight's leap by files and ranks as the documentation does: `(−2,+1)`.
pub(crate) fn leap(files: i32, ranks: i32) -> String {
    format!("({files:+},{ranks:+})").replace('-', "−")
}
