//! A generator that works outward from the frontier cells. It is slower than the default one and
//! written independently of it, so that each can test the other.

use crate::pieces::{LARGEST, ORIENTATIONS, Orientation};
use crate::rows::{ROWS, Rows};
use crate::{Placement, Position};

/// Tries every orientation on every frontier cell, anchored by each of its corner cells.
pub(crate) fn generate(position: &Position, color: usize, each: &mut dyn FnMut(Placement)) {
    let size = position.variant.size();
    let (free, frontier) = (&position.free[color], &position.frontier[color]);
    let first = position.placed(color) == 0;
    for (row, column) in frontier.cells() {
        for piece in position.left(color) {
            for number in piece.orientations() {
                // A first placement may cover the start square with any of its cells.
                let corners = &CORNERS[number][..CORNER_COUNTS[number] as usize];
                let cells = if first { Orientation::numbered(number).cells() } else { corners };
                for &(r, c) in cells {
                    let top = row.checked_sub(r as usize);
                    let side = column.checked_sub(c as usize);
                    let (Some(top), Some(side)) = (top, side) else { continue };
                    let Some(placement) = Placement::new(size, number, top, side) else { continue };
                    let fits = covers_only(free, placement);
                    // A placement may cover several frontier cells: report it only for the first
                    // one.
                    if fits && first_covered(frontier, placement) == Some((row, column)) {
                        each(placement);
                    }
                }
            }
        }
    }
}

/// Returns whether `set` contains all cells of a placement.
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

/// The cells of each orientation that can touch another piece of the same color at a corner: those
/// with a diagonal neighbor that is not part of the piece, between two edge neighbors that are not
/// part of it either.
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
