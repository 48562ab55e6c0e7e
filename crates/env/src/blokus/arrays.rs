//! The raw state as arrays, on the board as the first color sees it.

use fourfold_blokus::{Color, MAX_SIZE, PIECES, Piece, Position};

use crate::game::ArraySpec;

const COUNT: usize = 4;

static BOARDS: [[usize; 2]; MAX_SIZE + 1] = {
    let mut shapes = [[0; 2]; MAX_SIZE + 1];
    let mut size = 0;
    while size <= MAX_SIZE {
        shapes[size] = [size, size];
        size += 1;
    }
    shapes
};

static FOUR: [[ArraySpec; COUNT]; MAX_SIZE + 1] = specs(&[4], &[4, PIECES]);
static TWO: [[ArraySpec; COUNT]; MAX_SIZE + 1] = specs(&[2], &[2, PIECES]);

const fn specs(
    colors: &'static [usize],
    pieces: &'static [usize],
) -> [[ArraySpec; COUNT]; MAX_SIZE + 1] {
    let mut all = [[ArraySpec { name: "board", shape: &[] }; COUNT]; MAX_SIZE + 1];
    let mut size = 0;
    while size <= MAX_SIZE {
        all[size][0].shape = &BOARDS[size];
        all[size][1] = ArraySpec { name: "color", shape: &[] };
        all[size][2] = ArraySpec { name: "pieces_left", shape: pieces };
        all[size][3] = ArraySpec { name: "color_scores", shape: colors };
        size += 1;
    }
    all
}

/// Returns the arrays of games with this number of colors and board size.
pub(super) fn arrays(colors: usize, size: usize) -> &'static [ArraySpec] {
    if colors == 4 { &FOUR[size] } else { &TWO[size] }
}

/// Writes one of the arrays, by index.
pub(super) fn write(position: &Position, index: usize, out: &mut [i32]) {
    let variant = position.variant();
    let colors = variant.colors();
    let number = |color: Option<Color>| color.map_or(-1, |color| color.index() as i32);
    match arrays(colors.len(), variant.size())[index].name {
        "board" => {
            for (row, out) in out.chunks_exact_mut(variant.size()).enumerate() {
                for (column, out) in out.iter_mut().enumerate() {
                    *out = number(position.color_at(row, column));
                }
            }
        }
        "color" => out[0] = number(position.turn()),
        "pieces_left" => {
            for (out, color) in out.chunks_exact_mut(PIECES).zip(colors) {
                for (out, piece) in out.iter_mut().zip(Piece::all()) {
                    *out = i32::from(position.has(color, piece));
                }
            }
        }
        _ => {
            for (out, color) in out.iter_mut().zip(colors) {
                *out = position.advanced_score(color);
            }
        }
    }
}
