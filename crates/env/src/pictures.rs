//! What observations and actions look like to people: names, and places in pictures.

/// What a picture is called: that of a channel, or that of a plane of actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caption {
    /// What it stands among.
    pub group: String,
    /// What it shows, within its group.
    pub name: String,
}

impl Caption {
    pub(crate) fn new(group: impl Into<String>, name: impl Into<String>) -> Caption {
        Caption { group: group.into(), name: name.into() }
    }
}

/// Where an action stands in pictures, on the board as the one who acts sees it. Rows count from the
/// top, as in observations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which of the planes of actions.
    pub plane: usize,
    /// The row of its square there.
    pub row: usize,
    /// The column.
    pub column: usize,
    /// The cells that it is about, by row and column: where a man comes from and goes to, or all that a
    /// piece covers.
    pub cells: Vec<(usize, usize)>,
}

/// Men by their kinds in the order of planes, as channels are called.
pub(crate) const MEN: [&str; 6] = ["pawns", "knights", "bishops", "rooks", "queens", "king"];

/// The players or colours of a game of four in the order of channels, as the one who looks calls them.
pub(crate) const FOUR: [&str; 4] = ["own", "next", "opposite", "previous"];

/// The same of so many.
pub(crate) fn seat(seat: usize, count: usize) -> &'static str {
    match (seat, count) {
        (0, _) => FOUR[0],
        (_, 2) => "other",
        (2, 3) => FOUR[3],
        _ => FOUR[seat % 4],
    }
}

/// Files and ranks gained, as the pages write them: `(−2,+1)`.
pub(crate) fn leap(files: i32, ranks: i32) -> String {
    format!("({files:+},{ranks:+})").replace('-', "−")
}
