//! A generator that tries the orientations on each frontier cell.

use std::sync::LazyLock;

use fourfold_blokus::{
    CellSet, Color, MAX_PIECE_SIZE, ORIENTATIONS, Orientation, Placement, Position,
};

/// Tries every orientation on every frontier cell, anchored by each of its corner cells.
pub(crate) fn generate(position: &Position, color: Color, each: &mut dyn FnMut(Placement)) {
    let size = position.variant().size();
    let (free, frontier) = (position.free(color), position.frontier(color));
    let first = position.placed(color) == 0;
    let corners = &*CORNERS;
    for (row, column) in frontier.cells() {
        for piece in position.remaining(color) {
            for index in piece.orientations() {
                // A first placement may cover the start square with any of its cells.
                let cells =
                    if first { Orientation::from_index(index).cells() } else { &corners[index] };
                for &(r, c) in cells {
                    let top = row.checked_sub(r as usize);
                    let side = column.checked_sub(c as usize);
                    let (Some(top), Some(side)) = (top, side) else { continue };
                    let Some(placement) = Placement::new(size, index, top, side) else { continue };
                    // A placement may cover several frontier cells: report it only for the first
                    // one.
                    if covers_only(free, placement)
                        && first_covered(frontier, placement) == Some((row, column))
                    {
                        each(placement);
                    }
                }
            }
        }
    }
}

/// Returns whether `set` contains all cells of a placement.
fn covers_only(set: &CellSet, placement: Placement) -> bool {
    let rows = placement.rows();
    (0..MAX_PIECE_SIZE).all(|row| rows[row] & !set.row(placement.row() + row) == 0)
}

/// The corner cells of each orientation.
static CORNERS: LazyLock<Vec<Vec<(u8, u8)>>> = LazyLock::new(|| {
    (0..ORIENTATIONS).map(|index| corner_cells(Orientation::from_index(index)).collect()).collect()
});

fn first_covered(set: &CellSet, placement: Placement) -> Option<(usize, usize)> {
    let rows = placement.rows();
    (0..MAX_PIECE_SIZE).find_map(|row| {
        let covered = rows[row] & set.row(placement.row() + row);
        (covered != 0).then(|| (placement.row() + row, covered.trailing_zeros() as usize))
    })
}

/// Returns the cells of an orientation that can touch another piece of the same color at a corner:
/// those with a diagonal neighbor that is not part of the piece, between two edge neighbors that
/// are not part of it either.
pub(crate) fn corner_cells(shape: &Orientation) -> impl Iterator<Item = (u8, u8)> + '_ {
    let has = |row: i32, column: i32| {
        shape.cells().iter().any(|&(r, c)| (i32::from(r), i32::from(c)) == (row, column))
    };
    shape.cells().iter().copied().filter(move |&(row, column)| {
        let (row, column) = (i32::from(row), i32::from(column));
        [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().any(|(down, right)| {
            !has(row + down, column)
                && !has(row, column + right)
                && !has(row + down, column + right)
        })
    })
}
