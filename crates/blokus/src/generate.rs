//! Finding all legal placements: the way that is fastest, and two that it is held to.

use crate::naive;
use crate::pieces::{LARGEST, ORIENTATIONS, Orientation, Piece};
use crate::rows::{ROWS, Rows, Shifted};
use crate::{Placement, Position};

/// How legal placements are found. All find the same set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Generator {
    /// Every placement on the board, cell by cell, on a plain grid: for tests and benchmarks.
    Naive,
    /// From each frontier cell, each orientation by each of its corner cells, tested with masks.
    Frontier,
    /// Each orientation at all places at once.
    #[default]
    Parallel,
}

impl Generator {
    /// All of them.
    pub const ALL: [Generator; 3] = [Generator::Naive, Generator::Frontier, Generator::Parallel];
}

/// Where legal placements go, in rows: one who only counts or writes bits need not look at each.
pub trait PlacementSink {
    /// An orientation may be placed with its top left in this row, in the columns that are set.
    fn row(&mut self, orientation: usize, row: usize, columns: u32);
}

pub(crate) fn generate(
    position: &Position,
    color: usize,
    generator: Generator,
    each: &mut dyn FnMut(Placement),
) {
    match generator {
        Generator::Naive => naive::generate(&position.grid(), color, each),
        Generator::Frontier => frontier(position, color, each),
        Generator::Parallel => parallel(position, color, &mut Each(each)),
    }
}

/// A sink that calls a function with every single placement.
pub struct Each<F>(pub F);

impl<F: FnMut(Placement)> PlacementSink for Each<F> {
    #[inline(always)]
    fn row(&mut self, orientation: usize, row: usize, mut columns: u32) {
        while columns != 0 {
            let column = columns.trailing_zeros() as u8;
            (self.0)(Placement { orientation: orientation as u8, row: row as u8, column });
            columns &= columns - 1;
        }
    }
}

/// A sink that counts.
#[derive(Default, Debug)]
pub struct Count(pub u64);

impl PlacementSink for Count {
    #[inline(always)]
    fn row(&mut self, _: usize, _: usize, columns: u32) {
        self.0 += u64::from(columns.count_ones());
    }
}

/// Each orientation at all places at once: where all its cells are free, and one is on the frontier.
#[inline(always)]
pub(crate) fn parallel<S: PlacementSink>(position: &Position, color: usize, sink: &mut S) {
    let (free, frontier) = (&position.free[color], &position.frontier[color]);
    if frontier.is_empty() {
        return;
    }
    let (free, frontier) = (Shifted::new(free), Shifted::new(frontier));
    let mut left = position.left[color];
    while left != 0 {
        let piece = left.trailing_zeros() as usize;
        left &= left - 1;
        let Some(piece) = Piece::new(piece) else { break };
        for number in piece.orientations() {
            let places = places(Orientation::numbered(number), &free, &frontier);
            let mut rows = used(&places);
            while rows != 0 {
                let row = rows.trailing_zeros() as usize % ROWS;
                rows &= rows - 1;
                sink.row(number, row, places[row]);
            }
        }
    }
}

/// Where an orientation may be placed.
#[inline(always)]
fn places(shape: &Orientation, free: &Shifted, frontier: &Shifted) -> [u32; ROWS] {
    match shape.size {
        1 => places_of::<1>(shape, free, frontier),
        2 => places_of::<2>(shape, free, frontier),
        3 => places_of::<3>(shape, free, frontier),
        4 => places_of::<4>(shape, free, frontier),
        _ => places_of::<LARGEST>(shape, free, frontier),
    }
}

#[inline(always)]
fn places_of<const CELLS: usize>(
    shape: &Orientation,
    free: &Shifted,
    frontier: &Shifted,
) -> [u32; ROWS] {
    let mut fits = [u32::MAX; ROWS];
    let mut hits = [0; ROWS];
    for &(row, column) in &shape.cells[..CELLS] {
        let free = free.from(row as usize, column as usize);
        let frontier = frontier.from(row as usize, column as usize);
        for place in 0..ROWS {
            fits[place] &= free[place];
            hits[place] |= frontier[place];
        }
    }
    for place in 0..ROWS {
        fits[place] &= hits[place];
    }
    fits
}

/// The rows that are not empty, as bits.
#[inline(always)]
fn used(rows: &[u32; ROWS]) -> u32 {
    let mut used = 0;
    for (row, &bits) in rows.iter().enumerate() {
        used |= u32::from(bits != 0) << row;
    }
    used
}

/// The first legal placement found, in the order of the pieces: the small ones fit best.
#[inline(always)]
pub(crate) fn some(position: &Position, color: usize) -> Option<Placement> {
    let (free, frontier) = (&position.free[color], &position.frontier[color]);
    if frontier.is_empty() {
        return None;
    }
    if position.has(color, Piece::SINGLE) {
        let row = frontier.0.iter().position(|&bits| bits != 0)?;
        let column = frontier.0[row].trailing_zeros() as u8;
        return Some(Placement { orientation: 0, row: row as u8, column });
    }
    some_of(position.left[color], &Shifted::new(free), &Shifted::new(frontier))
}

#[inline(always)]
fn some_of(mut left: u32, free: &Shifted, frontier: &Shifted) -> Option<Placement> {
    while left != 0 {
        let piece = Piece::new(left.trailing_zeros() as usize)?;
        left &= left - 1;
        for number in piece.orientations() {
            let places = places(Orientation::numbered(number), free, frontier);
            if let Some(row) = places.iter().position(|&bits| bits != 0) {
                let column = places[row].trailing_zeros() as u8;
                return Some(Placement { orientation: number as u8, row: row as u8, column });
            }
        }
    }
    None
}

/// From each frontier cell, each orientation by each of its corner cells.
fn frontier(position: &Position, color: usize, each: &mut dyn FnMut(Placement)) {
    let size = position.variant.size();
    let (free, frontier) = (&position.free[color], &position.frontier[color]);
    let first = position.placed(color) == 0;
    for (row, column) in frontier.cells() {
        for piece in position.left(color) {
            for number in piece.orientations() {
                // Any cell may cover the start square.
                let corners = &CORNERS[number][..CORNER_COUNTS[number] as usize];
                let cells = if first { Orientation::numbered(number).cells() } else { corners };
                for &(r, c) in cells {
                    let top = row.checked_sub(r as usize);
                    let side = column.checked_sub(c as usize);
                    let (Some(top), Some(side)) = (top, side) else { continue };
                    let Some(placement) = Placement::new(size, number, top, side) else { continue };
                    let fits = covers_only(free, placement);
                    // Found from several frontier cells, it counts from the first one.
                    if fits && first_covered(frontier, placement) == Some((row, column)) {
                        each(placement);
                    }
                }
            }
        }
    }
}

/// Whether all cells of a placement are members.
pub(crate) fn covers_only(set: &Rows, placement: Placement) -> bool {
    let rows = placement.rows();
    (0..LARGEST).all(|row| rows[row] & !set.0[(placement.row() + row) % ROWS] == 0)
}

fn first_covered(set: &Rows, placement: Placement) -> Option<(usize, usize)> {
    let rows = placement.rows();
    (0..LARGEST).find_map(|row| {
        let covered = rows[row] & set.0[(placement.row() + row) % ROWS];
        (covered != 0).then(|| (placement.row() + row, covered.trailing_zeros() as usize))
    })
}

/// The cells of each orientation that can touch another piece of the colour with a corner: those with
/// a direction in which neither of the two edges nor the corner belongs to the piece.
static CORNERS: [[(u8, u8); LARGEST]; ORIENTATIONS] = corners().0;
static CORNER_COUNTS: [u8; ORIENTATIONS] = corners().1;

const fn corners() -> ([[(u8, u8); LARGEST]; ORIENTATIONS], [u8; ORIENTATIONS]) {
    let mut table = [[(0, 0); LARGEST]; ORIENTATIONS];
    let mut counts = [0; ORIENTATIONS];
    let mut number = 0;
    while number < ORIENTATIONS {
        let shape = Orientation::numbered(number);
        let mut cell = 0;
        while cell < shape.size as usize {
            let (row, column) = (shape.cells[cell].0 as i32, shape.cells[cell].1 as i32);
            let mut way = 0;
            while way < 4 {
                let (down, right) = (1 - way / 2 * 2, 1 - way % 2 * 2);
                if !has(shape, row + down, column)
                    && !has(shape, row, column + right)
                    && !has(shape, row + down, column + right)
                {
                    table[number][counts[number] as usize] = shape.cells[cell];
                    counts[number] += 1;
                    break;
                }
                way += 1;
            }
            cell += 1;
        }
        number += 1;
    }
    (table, counts)
}

const fn has(shape: &Orientation, row: i32, column: i32) -> bool {
    let mut cell = 0;
    while cell < shape.size as usize {
        if shape.cells[cell].0 as i32 == row && shape.cells[cell].1 as i32 == column {
            return true;
        }
        cell += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_cells_are_corner_cells() {
        let corners: u32 = CORNER_COUNTS.iter().map(|&count| u32::from(count)).sum();
        let cells: u32 =
            (0..ORIENTATIONS).map(|number| u32::from(Orientation::numbered(number).size)).sum();
        assert_eq!((corners, cells), (309, 414));
    }
}
