//! A square by number.

/// No board here has more cells than this: Blokus needs 400.
const MAX_CELLS: usize = 512;

/// A square, by the index of its cell in the board's [`Geometry`](crate::Geometry): row by row from
/// the bottom left, cells that the shape cuts away included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u16);

impl Square {
    /// The square with this index.
    ///
    /// # Panics
    /// If no board has that many cells.
    #[inline]
    #[track_caller]
    pub const fn new(index: usize) -> Square {
        assert!(index < MAX_CELLS, "no board has that many squares");
        Square(index as u16)
    }

    /// The index of the square's cell.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// For indices that come out of a bitboard: in range by construction.
    #[inline]
    pub(crate) const fn of_bit(index: u32) -> Square {
        Square(index as u16)
    }
}
