//! Sets of cells with one word per row. Shifting a whole board means reading it from another row
//! and shifting the words.

use bytemuck::{Pod, Zeroable};

use crate::pieces::MAX_PIECE_SIZE;

/// The number of rows and columns of the largest board.
pub const MAX_SIZE: usize = 22;
/// The rows of a set: those of the largest board, padded to a multiple of eight for vector
/// instructions.
pub(crate) const ROWS: usize = 24;

/// A set of cells. Bit `c` of row `r` stands for the cell in that row and column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct CellSet(pub(crate) [u32; ROWS]);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet([0; ROWS]);

    /// Returns all cells of a square board.
    pub const fn full(size: usize) -> CellSet {
        let mut rows = CellSet::EMPTY;
        let mut row = 0;
        while row < size {
            rows.0[row] = (1 << size) - 1;
            row += 1;
        }
        rows
    }

    /// Returns whether the set contains a cell.
    #[inline(always)]
    pub const fn contains(&self, row: usize, column: usize) -> bool {
        row < ROWS && column < 32 && self.0[row] >> column & 1 != 0
    }

    /// Returns the columns of a row as bits, or 0 for a row off the board.
    #[inline(always)]
    pub const fn row(&self, row: usize) -> u32 {
        // The last row is padding and always empty. Choosing an index instead of a value saves branches on a GPU.
        self.0[if row < ROWS { row } else { ROWS - 1 }]
    }

    /// Returns the rows that a piece with this top row can cover, as [`CellSet::row`] does.
    #[inline(always)]
    pub fn rows_from(&self, top: usize) -> [u32; MAX_PIECE_SIZE] {
        core::array::from_fn(|row| self.row(top + row))
    }

    /// Adds a cell.
    #[inline(always)]
    pub(crate) const fn insert(&mut self, row: usize, column: usize) {
        self.0[row] |= 1 << column;
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Returns whether the set is empty.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }

    /// Iterates over the cells as (row, column), row by row from the top left.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().enumerate().flat_map(|(row, &bits)| {
            (0..32).filter(move |column| bits >> column & 1 != 0).map(move |column| (row, column))
        })
    }

    /// Returns the cells in either set.
    pub fn union(mut self, other: &CellSet) -> CellSet {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row |= other);
        self
    }

    /// Returns the cells in both sets.
    pub fn intersection(mut self, other: &CellSet) -> CellSet {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row &= other);
        self
    }

    /// Returns the cells of this set that are not in the other.
    pub fn difference(mut self, other: &CellSet) -> CellSet {
        self.0.iter_mut().zip(other.0).for_each(|(row, other)| *row &= !other);
        self
    }
}
