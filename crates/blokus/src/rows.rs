//! Sets of cells by rows: one word for each row, so that a whole board is shifted by loading it from
//! another row and shifting words.

/// The largest board.
pub const MAX_SIZE: usize = 22;
/// Rows of a set: as many as the largest board has, filled up to whole vectors of eight.
pub(crate) const ROWS: usize = 24;

/// A set of cells; bit `c` of row `r` is the cell in that row and column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rows(pub(crate) [u32; ROWS]);

impl Rows {
    /// No cell.
    pub const EMPTY: Rows = Rows([0; ROWS]);

    /// All cells of a square board.
    pub const fn board(size: usize) -> Rows {
        let mut rows = Rows::EMPTY;
        let mut row = 0;
        while row < size {
            rows.0[row] = (1 << size) - 1;
            row += 1;
        }
        rows
    }

    /// Whether a cell is a member.
    #[inline(always)]
    pub const fn contains(&self, row: usize, column: usize) -> bool {
        row < ROWS && column < 32 && self.0[row] >> column & 1 != 0
    }

    /// A row's columns as bits; none off the board.
    #[inline(always)]
    pub const fn row(&self, row: usize) -> u32 {
        if row < ROWS { self.0[row] } else { 0 }
    }

    /// Adds a cell of a board.
    #[inline(always)]
    pub(crate) const fn insert(&mut self, row: usize, column: usize) {
        self.0[row] |= 1 << column;
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }

    /// The cells as (row, column), row by row from the top left.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().enumerate().flat_map(|(row, &bits)| {
            (0..32).filter(move |column| bits >> column & 1 != 0).map(move |column| (row, column))
        })
    }

    /// Cells in either set.
    pub fn union(mut self, other: &Rows) -> Rows {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row |= other);
        self
    }

    /// Cells in both sets.
    pub fn intersection(mut self, other: &Rows) -> Rows {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row &= other);
        self
    }

    /// Cells of this set that are not in the other.
    pub fn difference(mut self, other: &Rows) -> Rows {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row &= !other);
        self
    }

    /// Cells that share an edge with a member; those off the board are there too.
    pub fn edges(&self) -> Rows {
        let mut edges = Rows::EMPTY;
        for row in 0..ROWS {
            let above = if row > 0 { self.0[row - 1] } else { 0 };
            let below = if row + 1 < ROWS { self.0[row + 1] } else { 0 };
            edges.0[row] = above | below | self.0[row] << 1 | self.0[row] >> 1;
        }
        edges
    }

    /// Cells that share a corner with a member.
    pub fn corners(&self) -> Rows {
        let mut corners = Rows::EMPTY;
        for row in 0..ROWS {
            let above = if row > 0 { self.0[row - 1] } else { 0 };
            let below = if row + 1 < ROWS { self.0[row + 1] } else { 0 };
            let beside = above | below;
            corners.0[row] = beside << 1 | beside >> 1;
        }
        corners
    }
}
