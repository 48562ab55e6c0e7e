//! Placement ids, on the board rotated to the color to place.
//!
//! An id is the dense index of a placement as its viewer sees it. The last id is a pass, which is
//! never needed, because colors that cannot place are skipped. The grid format instead encodes the
//! orientation, row and column of the bounding box.

use alloc::vec::Vec;

pub use fourfold_blokus::MAX_SIZE;
use fourfold_blokus::{
    Color, ORIENTATIONS, Orientation, Piece, Placement, PlacementSink, Position,
};

use crate::legal::ActionSink;

/// One of the eight symmetries of a square board: an optional transposition, followed by a
/// counterclockwise rotation in quarter turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transform(u8);

impl Transform {
    /// The identity.
    pub const NONE: Transform = Transform(0);
    /// Swaps rows and columns.
    pub const TRANSPOSED: Transform = Transform(4);

    /// Returns the counterclockwise rotation by this many quarter turns.
    #[inline(always)]
    pub const fn quarters(quarters: usize) -> Transform {
        Transform(quarters as u8 % 4)
    }

    /// Returns this symmetry followed by a rotation.
    pub(super) const fn then(self, quarters: Transform) -> Transform {
        Transform(self.0 / 4 * 4 + (self.0 + quarters.0) % 4)
    }

    /// Returns the inverse.
    pub const fn inverse(self) -> Transform {
        // A reflection is its own inverse.
        if self.0 < 4 { Transform((4 - self.0) % 4) } else { self }
    }

    /// Returns where a box goes, given by the row and column of its top left cell, and its height and width.
    const fn moved(self, size: i32, (row, column): Place, (height, width): Place) -> Place {
        let (row, column, height, width) =
            if self.0 < 4 { (row, column, height, width) } else { (column, row, width, height) };
        // The distances from the bottom right corner of the board.
        let (below, right) = (size - row - height, size - column - width);
        match self.0 % 4 {
            0 => (row, column),
            1 => (right, row),
            2 => (below, right),
            _ => (column, below),
        }
    }

    /// Maps a cell of a board of this size.
    pub fn cell(self, size: usize, (row, column): (usize, usize)) -> (usize, usize) {
        let (row, column) = if self.0 < 4 { (row, column) } else { (column, row) };
        let last = size - 1;
        match self.0 % 4 {
            0 => (row, column),
            1 => (last - column, row),
            2 => (last - row, last - column),
            _ => (column, last - row),
        }
    }

    /// Maps a placement on a board of this size.
    #[inline]
    pub const fn placement(self, size: usize, placement: Placement) -> Option<Placement> {
        let shape = placement.shape();
        let (row, column) = self.moved(
            size as i32,
            (placement.row() as i32, placement.column() as i32),
            (shape.height() as i32, shape.width() as i32),
        );
        let turned = TURNED[self.0 as usize % 8][placement.orientation()] as usize;
        Placement::new(size, turned, row as usize, column as usize)
    }

    /// Maps the id of a placement; the pass is unchanged.
    #[inline]
    pub fn id(self, size: usize, id: u32) -> u32 {
        match Placement::from_id(size, id as usize) {
            Some(placement) if self != Transform::NONE => {
                let line = &lines(size, self)[placement.orientation()];
                line.id(placement.row(), placement.column())
            }
            _ => id,
        }
    }
}

type Place = (i32, i32);

/// The ids of one orientation on a transformed board are linear in row and column: `row` and
/// `column` are the steps per row and per column.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: i32,
    row: i32,
    column: i32,
}

impl Line {
    const fn new(size: usize, turn: Transform, orientation: usize) -> Line {
        let first = Line::id_at(size, turn, orientation, 0, 0);
        Line {
            first,
            row: Line::id_at(size, turn, orientation, 1, 0) - first,
            column: Line::id_at(size, turn, orientation, 0, 1) - first,
        }
    }

    /// Returns the id of a turned placement; 0 if it does not fit on the board.
    const fn id_at(
        size: usize,
        turn: Transform,
        orientation: usize,
        row: usize,
        column: usize,
    ) -> i32 {
        match Placement::new(size, orientation, row, column) {
            Some(placement) => match turn.placement(size, placement) {
                Some(placement) => placement.id(size) as i32,
                None => 0,
            },
            None => 0,
        }
    }

    #[inline(always)]
    const fn id(&self, row: usize, column: usize) -> u32 {
        (self.first + row as i32 * self.row + column as i32 * self.column) as u32
    }
}

/// The orientation that each symmetry makes of each orientation.
static TURNED: [[u8; ORIENTATIONS]; 8] = {
    let mut turned = [[0; ORIENTATIONS]; 8];
    let mut index = 0;
    while index < 8 * ORIENTATIONS {
        let (symmetry, orientation) = (index / ORIENTATIONS, index % ORIENTATIONS);
        let shape = Orientation::from_index(orientation).transformed(symmetry >= 4, symmetry % 4);
        turned[symmetry][orientation] = shape.index() as u8;
        index += 1;
    }
    turned
};

/// By board size, symmetry and orientation. Entries of orientations that do not fit on the board are
/// never used.
static LINES: [[[Line; ORIENTATIONS]; 8]; MAX_SIZE + 1] = {
    let mut lines = [[[Line { first: 0, row: 0, column: 0 }; ORIENTATIONS]; 8]; MAX_SIZE + 1];
    let mut size = 1;
    while size <= MAX_SIZE {
        let mut index = 0;
        while index < 8 * ORIENTATIONS {
            let (symmetry, orientation) = (index / ORIENTATIONS, index % ORIENTATIONS);
            lines[size][symmetry][orientation] =
                Line::new(size, Transform(symmetry as u8), orientation);
            index += 1;
        }
        size += 1;
    }
    lines
};

#[inline]
fn lines(size: usize, turn: Transform) -> &'static [Line; ORIENTATIONS] {
    &LINES[size][turn.0 as usize % 8]
}

/// Passes the ids of a color's legal placements, on the transformed board, to a sink.
#[inline(always)]
pub(super) fn generate(
    position: &Position,
    color: Color,
    turn: Transform,
    sink: &mut impl ActionSink,
) {
    let lines = lines(position.variant().size(), turn);
    position.generate_inline(color, &mut IdSink { sink, lines });
}

struct IdSink<'a, S> {
    sink: &'a mut S,
    lines: &'static [Line; ORIENTATIONS],
}

impl<S: ActionSink> PlacementSink for IdSink<'_, S> {
    #[inline(always)]
    fn row(&mut self, orientation: usize, row: usize, mut columns: u32) {
        let line = &self.lines[orientation];
        while columns != 0 {
            self.sink.push(line.id(row, columns.trailing_zeros() as usize));
            columns &= columns - 1;
        }
    }
}

/// Returns an upper bound on the legal placements of one color on a board of this size.
///
/// Every placement except a color's first touches a piece of the same color corner to corner. Both
/// touching cells are corner cells in that direction: neither the two edge neighbors on that side
/// nor the diagonal neighbor belongs to the cell's own piece. So there are at most as many
/// placements as the placed pieces have corners, times the corners that point in one direction over
/// all orientations of the remaining pieces. Each placed piece except the first is joined to
/// another one, which uses up two corners. A first piece covers a start square with one of its
/// cells.
pub fn max_legal(size: usize) -> usize {
    const ALL: usize = 128;
    // `most[t]`: the most corners, less two per piece, over all sets of placed pieces whose
    // `pointing` counts sum to `t`.
    let mut most = [None; ALL];
    most[0] = Some(0);
    for piece in Piece::all() {
        let (placed, pointing) = (corners(piece) - 2, pointing(piece));
        for total in (pointing..ALL).rev() {
            most[total] = most[total].max(most[total - pointing].map(|most| most + placed));
        }
    }
    let all: usize = Piece::all().map(pointing).sum();
    let bound = (0..=all).filter_map(|used| Some((2 + most[used]?) * (all - used))).max();
    let cells = |number: usize| Orientation::from_index(number).cells().len();
    let first = 4 * (0..ORIENTATIONS).map(cells).sum::<usize>();
    bound.unwrap_or(0).max(first).min(Placement::count(size))
}

/// Returns the number of corners of a piece: pairs of a cell and a diagonal direction.
fn corners(piece: Piece) -> usize {
    let cells = Orientation::from_index(piece.orientations().start).cells();
    let has = |row: i32, column: i32| {
        cells.iter().any(|&(r, c)| (i32::from(r), i32::from(c)) == (row, column))
    };
    let directions = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    let points = |&(row, column): &(u8, u8), (down, right): Place| {
        let (row, column) = (i32::from(row), i32::from(column));
        !has(row + down, column) && !has(row, column + right) && !has(row + down, column + right)
    };
    cells
        .iter()
        .map(|cell| directions.iter().filter(|&&direction| points(cell, direction)).count())
        .sum()
}

/// Returns the number of corners that point in one given direction, over all orientations of a
/// piece: a quarter of all corners.
fn pointing(piece: Piece) -> usize {
    piece.orientations().len() * corners(piece) / 4
}

/// Returns the cells that an id covers, as rows and columns, or `None` for the pass.
pub fn cells(size: usize, id: u32) -> Option<Vec<(usize, usize)>> {
    Some(Placement::from_id(size, id as usize)?.cells().collect())
}

/// Returns the number of ids in the grid format: 91 orientations on every cell.
pub const fn grid_len(size: usize) -> usize {
    ORIENTATIONS * size * size
}

/// The former name of [`max_legal`].
#[deprecated(note = "renamed to `max_legal`")]
pub fn most_legal(size: usize) -> usize {
    max_legal(size)
}

/// The former name of [`grid_len`].
#[deprecated(note = "renamed to `grid_len`")]
pub const fn grid_places(size: usize) -> usize {
    grid_len(size)
}

/// Converts from the grid format, `(orientation · size + row) · size + column`, to an id. Returns `None` if the piece would leave the board.
pub fn from_grid(size: usize, place: u32) -> Option<u32> {
    let place = place as usize;
    let (orientation, row, column) = (place / size / size, place / size % size, place % size);
    Placement::new(size, orientation, row, column).map(|placement| placement.id(size) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_legal_is_the_maximum_over_all_sets_of_placed_pieces() {
        // Tries every set of placed pieces.
        fn largest(pieces: &[(usize, usize)], placed: usize, left: usize) -> usize {
            match pieces {
                [] => (placed + 2) * left,
                [(corners, pointing), rest @ ..] => largest(rest, placed + corners - 2, left)
                    .max(largest(rest, placed, left + pointing)),
            }
        }
        let all: Vec<(usize, usize)> =
            Piece::all().map(|piece| (corners(piece), pointing(piece))).collect();
        assert_eq!(all.iter().map(|piece| piece.1).sum::<usize>(), 127);
        assert_eq!(largest(&all, 0, 0), max_legal(20));
        assert_eq!((max_legal(20), max_legal(14), max_legal(5)), (3510, 3510, Placement::count(5)));
    }
}
