//! Cells, colors, and the board.

/// A cell by row from the top and column from the left, both from 0. A cell may be off the board.
pub(super) type Cell = (i32, i32);

/// The four cells that share an edge with this one.
pub(super) fn edge_neighbors((row, col): Cell) -> [Cell; 4] {
    [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
}

/// The four cells that share only a corner with this one.
pub(super) fn corner_neighbors((row, col): Cell) -> [Cell; 4] {
    [(row - 1, col - 1), (row - 1, col + 1), (row + 1, col - 1), (row + 1, col + 1)]
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Color {
    Blue,
    Yellow,
    Red,
    Green,
    Purple,
    Orange,
}

impl Color {
    pub(super) fn letter(self) -> char {
        char::from(b"byrgpo"[self as usize])
    }
}

/// A square board and the colors on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Board {
    /// Rows from the top; there are as many columns as rows.
    rows: Vec<Vec<Option<Color>>>,
}

impl Board {
    pub(super) fn empty(side: i32) -> Board {
        let side = side as usize;
        Board { rows: vec![vec![None; side]; side] }
    }

    /// The number of rows and of columns.
    pub(super) fn side(&self) -> i32 {
        self.rows.len() as i32
    }

    /// Iterates over all cells, row by row from the top.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let side = self.side();
        (0..side).flat_map(move |row| (0..side).map(move |col| (row, col)))
    }

    pub(super) fn has(&self, (row, col): Cell) -> bool {
        let side = self.side();
        (0..side).contains(&row) && (0..side).contains(&col)
    }

    /// Returns the color on the cell; `None` if it is empty or off the board.
    pub(super) fn at(&self, (row, col): Cell) -> Option<Color> {
        if self.has((row, col)) { self.rows[row as usize][col as usize] } else { None }
    }

    pub(super) fn is_empty(&self, cell: Cell) -> bool {
        self.has(cell) && self.at(cell).is_none()
    }

    /// # Panics
    ///
    /// Panics if the cell is off the board.
    pub(super) fn put(&mut self, (row, col): Cell, color: Color) {
        self.rows[row as usize][col as usize] = Some(color);
    }

    pub(super) fn touches_edge(&self, cell: Cell, color: Color) -> bool {
        edge_neighbors(cell).into_iter().any(|neighbor| self.at(neighbor) == Some(color))
    }

    pub(super) fn touches_corner(&self, cell: Cell, color: Color) -> bool {
        corner_neighbors(cell).into_iter().any(|neighbor| self.at(neighbor) == Some(color))
    }

    pub(super) fn cells_of(&self, color: Color) -> Vec<Cell> {
        self.cells().filter(|cell| self.at(*cell) == Some(color)).collect()
    }
}
