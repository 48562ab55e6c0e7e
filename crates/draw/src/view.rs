//! Where the squares of a board are when one of its edges is turned to the bottom.

use std::collections::HashMap;

use crate::pieces::BOX;
use crate::{Edge, Shape};

/// A cell of the view, with rows from the top and columns from the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Cell {
    pub(crate) row: usize,
    pub(crate) column: usize,
}

impl Cell {
    /// Returns the upper left corner.
    pub(crate) fn corner(self) -> (usize, usize) {
        (self.column * BOX, self.row * BOX)
    }

    /// Returns a cell nearby, which is not on any board if it would be left of or above the view.
    pub(crate) fn neighbor(self, right: isize, down: isize) -> Cell {
        let Cell { row, column } = self;
        Cell { row: row.wrapping_add_signed(down), column: column.wrapping_add_signed(right) }
    }

    /// Returns the center.
    pub(crate) fn middle(self) -> (f64, f64) {
        let (x, y) = self.corner();
        ((x + BOX / 2) as f64, (y + BOX / 2) as f64)
    }
}

/// A square of the board in the view.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) cell: Cell,
    /// Its column on the board, from the left.
    column: usize,
    /// Its row on the board, from the top.
    row: usize,
    /// Whether it is dark on a checkered board.
    pub(crate) dark: bool,
}

/// A coordinate and the cell beside it.
pub(crate) type Label<'a> = (&'a str, Cell);

/// A board with one of its edges turned to the bottom.
pub(crate) struct View<'a> {
    shape: &'a Shape,
    bottom: Edge,
    /// The columns and rows of the board, before it is turned.
    size: (usize, usize),
    by_name: HashMap<&'a str, Cell>,
    /// The squares, in the order of the board's rows.
    pub(crate) squares: Vec<Placed>,
}

impl<'a> View<'a> {
    pub(crate) fn new(shape: &'a Shape, bottom: Edge) -> View<'a> {
        let width = shape.rows.iter().map(Vec::len).max().unwrap_or(0);
        let size = (width, shape.rows.len());
        let mut view = View { shape, bottom, size, by_name: HashMap::new(), squares: Vec::new() };
        for (row, names) in shape.rows.iter().enumerate() {
            for (column, name) in names.iter().enumerate() {
                let Some(name) = name else { continue };
                let cell = view.turn(column, row);
                let dark = (column + size.1 - 1 - row).is_multiple_of(2);
                view.squares.push(Placed { cell, column, row, dark });
                view.by_name.insert(name, cell);
            }
        }
        view
    }

    /// Returns where a cell of the board is in the view.
    fn turn(&self, column: usize, row: usize) -> Cell {
        let (width, height) = self.size;
        let (from_right, from_bottom) = (width - 1 - column, height - 1 - row);
        match self.bottom {
            Edge::Bottom => Cell { column, row },
            Edge::Left => Cell { column: row, row: from_right },
            Edge::Top => Cell { column: from_right, row: from_bottom },
            Edge::Right => Cell { column: from_bottom, row: column },
        }
    }

    /// Returns whether the columns of the board are rows of the view.
    fn is_sideways(&self) -> bool {
        matches!(self.bottom, Edge::Left | Edge::Right)
    }

    /// Returns the columns and rows of the view.
    pub(crate) fn size(&self) -> (usize, usize) {
        let (width, height) = self.size;
        if self.is_sideways() { (height, width) } else { (width, height) }
    }

    /// Returns the cell of a square, if the board has it.
    pub(crate) fn cell(&self, name: &str) -> Option<Cell> {
        self.by_name.get(name).copied()
    }

    /// Returns the labels of the columns, each below the lowest square.
    pub(crate) fn below(&self) -> Vec<Label<'a>> {
        self.labels(self.size().0, self.is_sideways(), |cell| (cell.column, cell.row as isize))
    }

    /// Returns the labels of the rows, each left of the leftmost square.
    pub(crate) fn beside(&self) -> Vec<Label<'a>> {
        self.labels(self.size().1, !self.is_sideways(), |cell| (cell.row, -(cell.column as isize)))
    }

    /// Returns the labels of lines of squares, which are ranks or files of the board. `place`
    /// returns the line of a cell and how close the cell is to the label.
    fn labels(
        &self,
        lines: usize,
        ranks: bool,
        place: impl Fn(Cell) -> (usize, isize),
    ) -> Vec<Label<'a>> {
        let labels = (0..lines).filter_map(|line| {
            let squares = self.squares.iter().filter(|square| place(square.cell).0 == line);
            let &Placed { cell, row, column, .. } =
                squares.max_by_key(|square| place(square.cell).1)?;
            let names = &self.shape;
            let text = if ranks { names.ranks.get(row) } else { names.files.get(column) };
            Some((text?.as_str(), cell))
        });
        labels.collect()
    }
}
