//! Placements: an orientation of a piece at a place on the board, as cells and as ids.

use alloc::vec::Vec;

use fourfold_common::cpu;

use crate::cell_set::MAX_SIZE;
use crate::pieces::{MAX_PIECE_SIZE, ORIENTATIONS, Orientation, PACKED, Piece};

/// An orientation of a piece with the top left corner of its bounding box at a row and column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    pub(crate) orientation: u8,
    pub(crate) row: u8,
    pub(crate) column: u8,
}

impl Placement {
    /// Returns the placement, or `None` if it would not fit on a board of this size.
    pub const fn new(
        size: usize,
        orientation: usize,
        row: usize,
        column: usize,
    ) -> Option<Placement> {
        let no_board = !cpu::IS_GPU && size > MAX_SIZE;
        if orientation >= ORIENTATIONS || row >= size || column >= size || no_board {
            return None;
        }
        let shape = Orientation::from_index(orientation);
        if row + shape.height() > size || column + shape.width() > size {
            return None;
        }
        Some(Placement { orientation: orientation as u8, row: row as u8, column: column as u8 })
    }

    /// Returns the piece.
    #[inline(always)]
    pub const fn piece(self) -> Piece {
        self.shape().piece
    }

    /// Returns the index of the orientation, from 0 to 90.
    #[inline(always)]
    pub const fn orientation(self) -> usize {
        self.orientation as usize
    }

    /// Returns the top row.
    #[inline(always)]
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// Returns the leftmost column.
    #[inline(always)]
    pub const fn column(self) -> usize {
        self.column as usize
    }

    /// Returns the shape of the piece in its orientation.
    #[inline(always)]
    pub const fn shape(self) -> &'static Orientation {
        Orientation::from_index(self.orientation as usize)
    }

    /// Returns the cells as (row, column), sorted.
    #[inline(always)]
    pub fn cells(self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        let (row, column) = (self.row(), self.column());
        self.shape().cells().iter().map(move |&(r, c)| (row + r as usize, column + c as usize))
    }

    /// Returns the rows as bits, from the top row of the placement down.
    #[inline(always)]
    pub fn rows(self) -> [u32; MAX_PIECE_SIZE] {
        let packed = PACKED[self.orientation()];
        let row = |row: usize| packed >> (MAX_PIECE_SIZE * row) & ((1 << MAX_PIECE_SIZE) - 1);
        core::array::from_fn(|index| row(index) << (self.column % 32))
    }

    /// Returns the placement that covers exactly these cells, given in any order.
    pub fn from_cells(size: usize, cells: &[(usize, usize)]) -> Option<Placement> {
        let (orientation, row, column) = Placement::shape_of(cells)?;
        Placement::new(size, orientation, row, column)
    }

    /// Returns the index of the orientation that has the shape of these cells, and the top row and
    /// the leftmost column of the cells, which may be off the board.
    pub(crate) fn shape_of(cells: &[(usize, usize)]) -> Option<(usize, usize, usize)> {
        let row = cells.iter().map(|cell| cell.0).min()?;
        let column = cells.iter().map(|cell| cell.1).min()?;
        if cells.len() > MAX_PIECE_SIZE {
            return None;
        }
        let mut sorted: Vec<(usize, usize)> =
            cells.iter().map(|cell| (cell.0 - row, cell.1 - column)).collect();
        sorted.sort();
        let same = |&index: &usize| {
            let shape = Orientation::from_index(index).cells();
            shape.iter().map(|&(r, c)| (r as usize, c as usize)).eq(sorted.iter().copied())
        };
        Some(((0..ORIENTATIONS).find(same)?, row, column))
    }

    /// Returns the number of placements on an empty board of this size, or 0 if no board is that
    /// large.
    ///
    /// ```
    /// use fourfold_blokus::Placement;
    /// assert_eq!((Placement::count(20), Placement::count(14)), (30_433, 13_729));
    /// ```
    pub const fn count(size: usize) -> usize {
        // On a GPU, sizes are those of variants.
        if !cpu::IS_GPU && size > MAX_SIZE {
            return 0;
        }
        FIRST[size][ORIENTATIONS] as usize
    }

    /// Returns the id: the dense index among all placements on a board of this size, which
    /// are ordered by piece, orientation, row and column.
    ///
    /// # Panics
    /// Panics if no board is that large, or if the placement does not fit on it.
    #[inline(always)]
    pub const fn id(self, size: usize) -> usize {
        let columns = size + 1 - self.shape().width();
        FIRST[size][self.orientation()] as usize + self.row() * columns + self.column()
    }

    /// Returns the placement with an id; the inverse of [`Placement::id`].
    #[inline]
    pub fn from_id(size: usize, id: usize) -> Option<Placement> {
        if id >= Placement::count(size) {
            return None;
        }
        let first = &FIRST[size];
        let orientation = first.partition_point(|&first| first as usize <= id) - 1;
        let columns = size + 1 - Orientation::from_index(orientation).width();
        let index = id - first[orientation] as usize;
        // Dividing 64-bit numbers would be slow, above all on a GPU.
        let (row, column) = (index as u32 / columns as u32, index as u32 % columns as u32);
        Placement::new(size, orientation, row as usize, column as usize)
    }

    /// Returns the id of the placement in the first column of a row, whether or not there is one. Those in the other
    /// columns follow.
    #[inline(always)]
    pub const fn first_in_row(size: usize, orientation: usize, row: u32) -> u32 {
        let packed = ROW_IDS[size % SIZES][orientation % 128];
        packed % COLUMNS + row * (packed / COLUMNS)
    }
}

/// The first dense index of each orientation for each board size, followed by the total count.
static FIRST: [[u32; ORIENTATIONS + 1]; MAX_SIZE + 1] = {
    let mut table = [[0; ORIENTATIONS + 1]; MAX_SIZE + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        let mut orientation = 0;
        while orientation < ORIENTATIONS {
            let shape = Orientation::from_index(orientation);
            let fits = shape.height() <= size && shape.width() <= size;
            let places =
                if fits { (size + 1 - shape.height()) * (size + 1 - shape.width()) } else { 0 };
            table[size][orientation + 1] = table[size][orientation] + places as u32;
            orientation += 1;
        }
        size += 1;
    }
    table
};

/// The board sizes that [`ROW_IDS`] has room for: a power of two saves bounds checks.
const SIZES: usize = 32;

/// What the number of columns is multiplied with in [`ROW_IDS`].
const COLUMNS: u32 = 1 << 16;

/// The first id of each orientation, and the number of columns in which it can be placed, for each board size.
static ROW_IDS: [[u32; 128]; SIZES] = {
    let mut table = [[0; 128]; SIZES];
    let mut size = 1;
    while size <= MAX_SIZE {
        let mut orientation = 0;
        while orientation < ORIENTATIONS {
            let width = Orientation::from_index(orientation).width();
            let columns = if width <= size { size + 1 - width } else { 0 };
            table[size][orientation] = FIRST[size][orientation] + COLUMNS * columns as u32;
            orientation += 1;
        }
        assert!(FIRST[size][ORIENTATIONS] < COLUMNS);
        size += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_cells_identify_placements() {
        for size in [1, 3, 5, 14, 20] {
            for id in 0..Placement::count(size) {
                let placement = Placement::from_id(size, id).expect("an id below the count");
                assert_eq!(placement.id(size), id);
                let (orientation, row) = (placement.orientation(), placement.row());
                let first = Placement::first_in_row(size, orientation, row as u32);
                assert_eq!(first as usize + placement.column(), id);
                let cells: Vec<(usize, usize)> = placement.cells().collect();
                assert!(cells.iter().all(|&(row, column)| row < size && column < size));
                assert_eq!(Placement::from_cells(size, &cells), Some(placement));
            }
            assert_eq!(Placement::from_id(size, Placement::count(size)), None);
        }
        for size in [MAX_SIZE + 1, 300, usize::MAX] {
            assert_eq!(Placement::count(size), 0);
            assert_eq!(Placement::from_id(size, 0), None);
            assert_eq!(Placement::new(size, 0, 0, 0), None);
            assert_eq!(Placement::from_cells(size, &[(280, 0)]), None);
        }
        assert_eq!(Placement::from_cells(20, &[(0, 0), (0, 2)]), None);
        assert_eq!(Placement::from_cells(20, &[]), None);
    }
}
