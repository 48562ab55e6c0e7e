//! The 21 pieces in all their orientations.

/// The number of pieces of each color.
pub const PIECES: usize = 21;
/// The number of distinct orientations of all pieces together.
pub const ORIENTATIONS: usize = 91;
/// The number of squares of all pieces together.
pub const TOTAL_SQUARES: u32 = 89;
/// The largest number of squares of a piece, and the longest side of its bounding box.
pub const MAX_PIECE_SIZE: usize = 5;

/// A piece, identified by its index from 0 to 20.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece(u8);

/// Name and shape of each piece, by index. Shapes are drawn from the top row down.
const SHAPES: [(&str, &[&str]); PIECES] = [
    ("I1", &["#"]),
    ("I2", &["##"]),
    ("I3", &["###"]),
    ("V3", &["#.", "##"]),
    ("I4", &["####"]),
    ("L4", &["#..", "###"]),
    ("O4", &["##", "##"]),
    ("T4", &[".#.", "###"]),
    ("Z4", &["##.", ".##"]),
    ("F5", &[".##", "##.", ".#."]),
    ("I5", &["#####"]),
    ("L5", &["#...", "####"]),
    ("N5", &["##..", ".###"]),
    ("P5", &["##", "##", "#."]),
    ("T5", &["###", ".#.", ".#."]),
    ("U5", &["#.#", "###"]),
    ("V5", &["#..", "#..", "###"]),
    ("W5", &["#..", "##.", ".##"]),
    ("X5", &[".#.", "###", ".#."]),
    ("Y5", &[".#..", "####"]),
    ("Z5", &["##.", ".#.", ".##"]),
];

impl Piece {
    /// The piece with a single square.
    pub const SINGLE: Piece = Piece(0);

    /// The pieces with one to five squares, as bit sets.
    pub(crate) const BY_SIZE: [u32; MAX_PIECE_SIZE] = {
        let mut pieces = [0; MAX_PIECE_SIZE];
        let mut piece = 0;
        while piece < PIECES {
            pieces[Piece(piece as u8).size() as usize - 1] |= 1 << piece;
            piece += 1;
        }
        pieces
    };

    /// Returns the piece with this index, or `None` if it is not below [`PIECES`].
    pub const fn new(index: usize) -> Option<Piece> {
        if index < PIECES { Some(Piece(index as u8)) } else { None }
    }

    /// Iterates over all 21 pieces, in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Piece> + ExactSizeIterator {
        (0..PIECES as u8).map(Piece)
    }

    /// Returns the index of the piece, from 0 to 20.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the name of the piece: the letter it resembles and its size, such as `L5`.
    pub const fn name(self) -> &'static str {
        SHAPES[self.0 as usize].0
    }

    /// Returns the piece with the given name.
    pub fn from_name(name: &str) -> Option<Piece> {
        Piece::all().find(|piece| piece.name() == name)
    }

    /// Returns the number of squares of the piece.
    #[inline(always)]
    pub const fn size(self) -> u32 {
        TABLE.orientations[TABLE.first[self.0 as usize] as usize].size as u32
    }

    /// Returns the indices of the orientations of the piece, which are ordered by their sorted
    /// cells.
    #[inline(always)]
    pub const fn orientations(self) -> core::ops::Range<usize> {
        TABLE.first[self.0 as usize] as usize..TABLE.first[self.0 as usize + 1] as usize
    }
}

/// A piece in one orientation: sorted cells as (row, column) from the top left of its bounding box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orientation {
    pub(crate) piece: Piece,
    pub(crate) size: u8,
    pub(crate) height: u8,
    pub(crate) width: u8,
    pub(crate) cells: [(u8, u8); MAX_PIECE_SIZE],
}

impl Orientation {
    /// Returns the orientation with an index below [`ORIENTATIONS`].
    ///
    /// # Panics
    /// Panics if the index is out of range.
    #[inline(always)]
    pub const fn from_index(index: usize) -> &'static Orientation {
        &TABLE.orientations[index]
    }

    /// Returns the piece.
    pub const fn piece(&self) -> Piece {
        self.piece
    }

    /// Returns the number of rows of the bounding box.
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// Returns the number of columns of the bounding box.
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Returns the cells as (row, column), sorted.
    #[inline(always)]
    pub fn cells(&self) -> &[(u8, u8)] {
        &self.cells[..self.size as usize]
    }

    /// Returns the orientation in which this one is transposed, if `transposed`, and then rotated
    /// counterclockwise by quarter turns.
    pub const fn transformed(&self, transposed: bool, quarters: usize) -> &'static Orientation {
        // Transposing is flipping and then rotating counterclockwise, which is three turns clockwise.
        let mut shape = if transposed { self.flipped() } else { *self };
        let mut turns = (3 * (quarters + transposed as usize)) % 4;
        while turns > 0 {
            shape = shape.turned();
            turns -= 1;
        }
        Orientation::from_index(shape.index())
    }

    /// Returns the index of the orientation, from 0 to 90.
    pub const fn index(&self) -> usize {
        let mut index = TABLE.first[self.piece.index()] as usize;
        while TABLE.orientations[index].precedes(self) {
            index += 1;
        }
        index
    }

    const NONE: Orientation = Orientation {
        piece: Piece(0),
        size: 0,
        height: 0,
        width: 0,
        cells: [(0, 0); MAX_PIECE_SIZE],
    };

    /// Returns the piece in the orientation in which [`SHAPES`] draws it.
    const fn drawn(piece: usize) -> Orientation {
        let rows = SHAPES[piece].1;
        let mut shape = Orientation { piece: Piece(piece as u8), ..Orientation::NONE };
        let mut row = 0;
        while row < rows.len() {
            let cells = rows[row].as_bytes();
            let mut column = 0;
            while column < cells.len() {
                if cells[column] == b'#' {
                    shape.cells[shape.size as usize] = (row as u8, column as u8);
                    shape.size += 1;
                }
                column += 1;
            }
            row += 1;
        }
        shape.sorted()
    }

    /// Rotates the shape by 90 degrees.
    const fn turned(mut self) -> Orientation {
        let mut cell = 0;
        while cell < self.size as usize {
            let (row, column) = self.cells[cell];
            self.cells[cell] = (column, self.height - 1 - row);
            cell += 1;
        }
        self.sorted()
    }

    /// Mirrors the shape from left to right.
    const fn flipped(mut self) -> Orientation {
        let mut cell = 0;
        while cell < self.size as usize {
            let (row, column) = self.cells[cell];
            self.cells[cell] = (row, self.width - 1 - column);
            cell += 1;
        }
        self.sorted()
    }

    /// Sorts the cells and computes the bounding box.
    const fn sorted(mut self) -> Orientation {
        let mut end = self.size as usize;
        (self.height, self.width) = (0, 0);
        while end > 0 {
            let mut cell = 0;
            while cell + 1 < end {
                if before(self.cells[cell + 1], self.cells[cell]) {
                    (self.cells[cell], self.cells[cell + 1]) =
                        (self.cells[cell + 1], self.cells[cell]);
                }
                cell += 1;
            }
            end -= 1;
            let (row, column) = self.cells[end];
            self.height = if row >= self.height { row + 1 } else { self.height };
            self.width = if column >= self.width { column + 1 } else { self.width };
        }
        self
    }

    /// Compares two orientations of one piece by their cells.
    const fn precedes(&self, other: &Orientation) -> bool {
        let mut cell = 0;
        while cell < MAX_PIECE_SIZE {
            if before(self.cells[cell], other.cells[cell]) {
                return true;
            }
            if before(other.cells[cell], self.cells[cell]) {
                return false;
            }
            cell += 1;
        }
        false
    }
}

const fn before(one: (u8, u8), other: (u8, u8)) -> bool {
    one.0 < other.0 || one.0 == other.0 && one.1 < other.1
}

struct Table {
    orientations: [Orientation; ORIENTATIONS],
    /// The index of each piece's first orientation, followed by the total number of orientations.
    first: [u8; PIECES + 1],
}

static TABLE: Table = table();

/// The cells of each orientation as bits: five bits for each row, the top row lowest.
pub(crate) static PACKED: [u32; ORIENTATIONS] = {
    let mut packed = [0; ORIENTATIONS];
    let mut index = 0;
    while index < ORIENTATIONS {
        let shape = &TABLE.orientations[index];
        let mut cell = 0;
        while cell < shape.size as usize {
            let (row, column) = shape.cells[cell];
            packed[index] |= 1 << (MAX_PIECE_SIZE as u8 * row + column);
            cell += 1;
        }
        index += 1;
    }
    packed
};

const fn table() -> Table {
    let mut table =
        Table { orientations: [Orientation::NONE; ORIENTATIONS], first: [0; PIECES + 1] };
    let (mut piece, mut count) = (0, 0);
    while piece < PIECES {
        table.first[piece] = count as u8;
        let mut shape = Orientation::drawn(piece);
        let mut turn = 0;
        while turn < 8 {
            // Insert the shape in order, unless it is already in the table.
            let mut index = table.first[piece] as usize;
            while index < count && table.orientations[index].precedes(&shape) {
                index += 1;
            }
            if index == count || shape.precedes(&table.orientations[index]) {
                let mut end = count;
                while end > index {
                    table.orientations[end] = table.orientations[end - 1];
                    end -= 1;
                }
                table.orientations[index] = shape;
                count += 1;
            }
            shape = if turn == 3 { shape.flipped() } else { shape.turned() };
            turn += 1;
        }
        piece += 1;
    }
    assert!(count == ORIENTATIONS, "91 orientations");
    table.first[PIECES] = count as u8;
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn pieces_are_the_21_free_polyominoes_of_up_to_five_squares() {
        let sizes: u32 = Piece::all().map(Piece::size).sum();
        assert_eq!(sizes, TOTAL_SQUARES);
        let all: BTreeSet<&[(u8, u8)]> =
            (0..ORIENTATIONS).map(|index| Orientation::from_index(index).cells()).collect();
        assert_eq!(all.len(), ORIENTATIONS, "all are distinct");
        let free: BTreeSet<&[(u8, u8)]> = Piece::all()
            .map(|piece| {
                let shapes =
                    piece.orientations().map(|index| Orientation::from_index(index).cells());
                shapes.min().expect("an orientation")
            })
            .collect();
        assert_eq!(free.len(), PIECES, "no piece is another one rotated or flipped");
        let counts: Vec<usize> = Piece::all().map(|piece| piece.orientations().len()).collect();
        assert_eq!(counts, [1, 2, 2, 4, 2, 8, 1, 4, 4, 8, 2, 8, 8, 8, 4, 4, 4, 4, 1, 8, 4]);
    }

    #[test]
    fn orientations_are_in_one_piece_and_at_the_corner_of_their_box() {
        for index in 0..ORIENTATIONS {
            let shape = Orientation::from_index(index);
            let cells = shape.cells();
            assert!(cells.is_sorted());
            assert_eq!(cells.iter().map(|cell| cell.0).max(), Some(shape.height - 1));
            assert_eq!(cells.iter().map(|cell| cell.1).max(), Some(shape.width - 1));
            assert!(cells.iter().any(|cell| cell.0 == 0) && cells.iter().any(|cell| cell.1 == 0));
            let mut reached = vec![cells[0]];
            let mut next = 0;
            while next < reached.len() {
                let (row, column) = reached[next];
                next += 1;
                for &(r, c) in cells {
                    if row.abs_diff(r) + column.abs_diff(c) == 1 && !reached.contains(&(r, c)) {
                        reached.push((r, c));
                    }
                }
            }
            assert_eq!(reached.len(), cells.len(), "{:?} {cells:?}", shape.piece);
        }
    }
}
