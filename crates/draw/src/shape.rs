//! Boards as plain data: which squares there are, what they are called, and where they are.

use fourfold_board::Geometry;
use serde::Serialize;

/// The shape of a board and the names on it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Shape {
    /// The number of cells in a row.
    pub width: usize,
    /// The number of cells in a column.
    pub height: usize,
    /// The appearance of its cells.
    pub surface: Surface,
    /// The names of the squares, row by row from the top left; `None` where the board has no
    /// square.
    pub rows: Vec<Vec<Option<String>>>,
    /// The labels below the columns, from the left.
    pub files: Vec<String>,
    /// The labels beside the rows, from the top.
    pub ranks: Vec<String>,
}

impl Shape {
    /// Returns the shape of a checkered board.
    ///
    /// ```
    /// use fourfold_board::Geometry;
    /// use fourfold_draw::Shape;
    ///
    /// static CROSS: Geometry<196, 4> = Geometry::cross(14, 3);
    /// let shape = Shape::of(&CROSS);
    /// assert_eq!(shape.rows[0][..4], [None, None, None, Some("d14".to_owned())]);
    /// assert_eq!((&shape.files[13][..], &shape.ranks[0][..]), ("n", "14"));
    /// ```
    pub fn of<const N: usize, const W: usize>(geometry: &Geometry<N, W>) -> Shape {
        let name = |file: usize, rank: usize| {
            geometry.square(file as i32, rank as i32).map(|square| geometry.name(square))
        };
        Shape::named(geometry.width(), geometry.height(), Surface::Checkered, name)
    }

    /// Returns a board with the names of the squares, by file and rank from 0.
    fn named(
        width: usize,
        height: usize,
        surface: Surface,
        name: impl Fn(usize, usize) -> Option<String>,
    ) -> Shape {
        let row = |rank| (0..width).map(|file| name(file, rank)).collect();
        Shape {
            width,
            height,
            surface,
            rows: (0..height).rev().map(row).collect(),
            files: ('a'..).take(width).map(String::from).collect(),
            ranks: (1..=height).rev().map(|rank| rank.to_string()).collect(),
        }
    }

    /// Returns the shape of a board whose cells all have the same color.
    ///
    /// ```
    /// use fourfold_board::Geometry;
    /// use fourfold_draw::{Shape, Surface};
    ///
    /// static BLOKUS: Geometry<400, 7> = Geometry::rectangle(20, 20);
    /// assert_eq!(Shape::plain(&BLOKUS).surface, Surface::Plain);
    /// ```
    pub fn plain<const N: usize, const W: usize>(geometry: &Geometry<N, W>) -> Shape {
        Shape { surface: Surface::Plain, ..Shape::of(geometry) }
    }

    /// Returns the shape of a square board of this size whose cells all have the same color and
    /// whose columns are labeled with letters. There are at most 26 columns.
    ///
    /// ```
    /// use fourfold_draw::Shape;
    ///
    /// let shape = Shape::square(14);
    /// assert_eq!((shape.rows[0][0].as_deref(), shape.rows[13][13].as_deref()), (Some("a14"), Some("n1")));
    /// ```
    pub fn square(size: usize) -> Shape {
        let name = |file: usize, rank: usize| {
            Some(format!("{}{}", char::from(b'a' + file as u8), rank + 1))
        };
        Shape::named(size.min(26), size, Surface::Plain, name)
    }
}

/// The appearance of the cells of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// Alternating light and dark squares; the bottom left cell is dark.
    #[default]
    Checkered,
    /// Cells of the same color, with lines between them.
    Plain,
}

/// An edge of a board, as listed in [`Shape::rows`].
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
