//! Squares by index.

/// An upper bound on the cells of any board; the largest, Blokus, has 400.
const MAX_CELLS: usize = 512;

/// A square, given by the index of its cell in the board's [`Geometry`](crate::Geometry). Cells are
/// counted row by row from the bottom left, including those that are cut away.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u16);

impl Square {
    /// Creates the square with this index.
    ///
    /// # Panics
    /// Panics if the index is 512 or higher.
    #[inline]
    #[track_caller]
    pub const fn new(index: usize) -> Square {
        assert!(index < MAX_CELLS, "square index out of range");
        Square(index as u16)
    }

    /// Returns the index of the square's cell.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Creates a square from a bitboard's bit index, which is in range by construction.
    #[inline]
    pub(crate) const fn of_bit(index: u32) -> Square {
        Square(index as u16)
    }
}
