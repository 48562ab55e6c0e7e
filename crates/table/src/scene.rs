//! What to draw, as plain data.

use fourfold_board::Geometry;
use serde::Serialize;

use crate::{Outcome, Seat};

/// All that is needed to draw a game as it stands: whoever draws it needs no rules.
///
/// Squares go by their names. Colours are left to the one who draws.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Scene {
    /// The game's name.
    pub game: &'static str,
    /// The board, the same all game long.
    pub board: Shape,
    /// The seats in their order.
    pub seats: Vec<Place>,
    /// Everything that stands on the board.
    pub men: Vec<Man>,
    /// The squares that the latest move came from and went to; none before the first.
    pub last_move: Vec<String>,
    /// The squares of kings that stand in check.
    pub check: Vec<String>,
    /// Who may move now.
    pub acting: Vec<Seat>,
    /// How many moves are in effect.
    pub ply: usize,
    /// The draw that an acting seat may claim.
    pub claim: Option<String>,
    /// How the game has ended.
    pub outcome: Option<Outcome>,
}

/// The shape of a board and the names on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Shape {
    /// Cells in a row.
    pub width: usize,
    /// Cells in a column.
    pub height: usize,
    /// The names of the squares, row by row from the top left; nothing where the board has none.
    pub rows: Vec<Vec<Option<String>>>,
    /// What stands under the columns, from the left.
    pub files: Vec<String>,
    /// What stands beside the rows, from the top.
    pub ranks: Vec<String>,
}

impl Shape {
    /// The shape of a board.
    ///
    /// ```
    /// use fourfold_board::Geometry;
    /// use fourfold_table::Shape;
    ///
    /// static CROSS: Geometry<196, 4> = Geometry::cross(14, 3);
    /// let shape = Shape::of(&CROSS);
    /// assert_eq!(shape.rows[0][..4], [None, None, None, Some("d14".to_owned())]);
    /// assert_eq!((&shape.files[13][..], &shape.ranks[0][..]), ("n", "14"));
    /// ```
    pub fn of<const N: usize, const W: usize>(geometry: &Geometry<N, W>) -> Shape {
        let (width, height) = (geometry.width(), geometry.height());
        let name = |file: usize, rank: usize| {
            geometry.square(file as i32, rank as i32).map(|square| geometry.name(square))
        };
        let row = |rank| (0..width).map(|file| name(file, rank)).collect();
        Shape {
            width,
            height,
            rows: (0..height).rev().map(row).collect(),
            files: ('a'..).take(width).map(String::from).collect(),
            ranks: (1..=height).rev().map(|rank| rank.to_string()).collect(),
        }
    }
}

/// A seat at the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The seat's name.
    pub name: &'static str,
    /// The edge at which its player sits: turned to the bottom when they look.
    pub edge: Edge,
}

/// An edge of a board as [`Shape::rows`] lists it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    /// Below the last row.
    Bottom,
    /// Left of the first column.
    Left,
    /// Above the first row.
    Top,
    /// Right of the last column.
    Right,
}

/// A man on the board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[non_exhaustive]
pub struct Man {
    /// Where it stands.
    pub square: String,
    /// What it is, by its letter in upper case, whoever owns it.
    pub piece: char,
    /// Whose it is.
    pub seat: Seat,
}
