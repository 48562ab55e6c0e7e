//! Zobrist keys: the xor of one key for each cell and color, and one for the color to move.

use fourfold_common::SplitMix64;

use crate::cell_set::ROWS;
use crate::pieces::MAX_PIECE_SIZE;
use crate::{Color, MAX_COLORS, Placement};

static CELLS: [[u64; 32 * ROWS]; MAX_COLORS] = {
    let mut rng = SplitMix64::new(0x626c_6f6b_7573);
    let mut table = [[0; 32 * ROWS]; MAX_COLORS];
    let mut color = 0;
    while color < MAX_COLORS {
        let mut cell = 0;
        while cell < 32 * ROWS {
            table[color][cell] = rng.next();
            cell += 1;
        }
        color += 1;
    }
    table
};

const TURNS: [u64; MAX_COLORS + 1] = SplitMix64::new(0x7475_726e).take();

#[inline(always)]
pub(crate) fn placement(color: Color, placement: Placement) -> u64 {
    let shape = placement.shape();
    // Without a loop, so that a GPU does not wait for each cell.
    let keys: [u64; MAX_PIECE_SIZE] = core::array::from_fn(|cell| {
        let (row, column) = shape.cells[cell];
        let (row, column) = (placement.row() + row as usize, placement.column() + column as usize);
        if cell < shape.size as usize {
            CELLS[color.index()][(32 * row + column) % (32 * ROWS)]
        } else {
            0
        }
    });
    keys.into_iter().fold(0, |all, key| all ^ key)
}

#[inline(always)]
pub(crate) const fn turn(color: Color) -> u64 {
    TURNS[color.index()]
}

/// The key for a game that is over, in place of the color to move.
#[inline(always)]
pub(crate) const fn none() -> u64 {
    TURNS[MAX_COLORS]
}
