//! Observations: cells and frontiers of all colors, and the viewer's free cells and start square.

use fourfold_blokus::{CellSet, Color, MAX_COLORS, PIECES, Piece, Position};

use super::ids::Transform;
use super::rules::Rules;
use crate::game::ArraySpec;
use crate::layout::{Channel, Layout};
use crate::options::View;

/// Rows of a set while it is rotated: as many as a word has bits.
const WORDS: usize = 32;

/// Returns the layout of observations for this number of colors and board size.
pub(super) fn layout(colors: usize, size: usize) -> Layout {
    let planes = 2 * colors + 2;
    Layout {
        height: size,
        width: size,
        channels: (0..planes).map(Channel::Plane).collect(),
        planes,
        scalars: colors * PIECES,
        scalar_array: Some(ArraySpec {
            name: "pieces_left",
            shape: if colors == 4 { &[4, PIECES] } else { &[2, PIECES] },
        }),
    }
}

/// Writes the observation of a color.
#[inline(always)]
pub(super) fn write<const COLORS: usize>(
    position: &Position,
    rules: &Rules<COLORS>,
    viewer: Color,
    planes: &mut [u8],
    pieces_left: &mut [f32],
) {
    let variant = rules.variant();
    let turn = rules.transform(viewer);
    let size = variant.size();
    let color = |index: usize| Color::ALL[(rules.first(viewer).index() + index) % COLORS];
    let mut sets = [position.free(viewer); 2 * MAX_COLORS + 1];
    for index in 0..COLORS {
        sets[index] = position.cells(color(index));
        sets[COLORS + index] = position.frontier(color(index));
    }
    let (sets, _) = sets.split_at(2 * COLORS + 1);
    let mut planes = planes.chunks_exact_mut(size * size.div_ceil(8));
    for (set, plane) in sets.iter().zip(&mut planes) {
        write_plane(set, size, turn, plane);
    }
    if let Some(plane) = planes.next() {
        plane.fill(0);
        let (row, column) = start(rules, viewer);
        plane[row * size.div_ceil(8) + column / 8] = 1 << (column % 8);
    }
    for (index, out) in pieces_left.chunks_exact_mut(PIECES).enumerate() {
        for (out, piece) in out.iter_mut().zip(Piece::all()) {
            *out = if position.has(color(index), piece) { 1.0 } else { 0.0 };
        }
    }
}

/// Returns the row and the column of a color's start square, as it sees the board.
#[inline(always)]
fn start<const COLORS: usize>(rules: &Rules<COLORS>, viewer: Color) -> (usize, usize) {
    // A view is rotated so that the start square is where the first color's is.
    rules.variant().start(match rules.view {
        View::Own => Color::ALL[0],
        View::Absolute => viewer,
    })
}

#[inline(always)]
fn write_plane(set: &CellSet, size: usize, turn: Transform, plane: &mut [u8]) {
    let mut rows: [u32; WORDS] = core::array::from_fn(|row| set.row(row));
    turn_rows(&mut rows, size, turn);
    // Each row is written as a whole word; the next one overwrites the excess bytes.
    let mut packed = [0; 4 * WORDS];
    let bytes = size.div_ceil(8);
    for (index, row) in rows[..size].iter().enumerate() {
        packed[bytes * index..][..4].copy_from_slice(&row.to_le_bytes());
    }
    plane.copy_from_slice(&packed[..bytes * size]);
}

/// Rotates a board counterclockwise by quarter turns.
#[inline(always)]
fn turn_rows(rows: &mut [u32; WORDS], size: usize, turn: Transform) {
    match turn {
        Transform::NONE => {}
        turn if turn == Transform::quarters(1) => {
            transpose(rows);
            rows[..size].reverse();
        }
        turn if turn == Transform::quarters(2) => {
            rows[..size].reverse();
            mirror(rows, size);
        }
        _ => {
            transpose(rows);
            mirror(rows, size);
        }
    }
}

/// Reverses every row.
#[inline(always)]
fn mirror(rows: &mut [u32; WORDS], size: usize) {
    for row in &mut rows[..size] {
        *row = row.reverse_bits() >> (WORDS - size);
    }
}

/// Transposes the bit matrix by swapping blocks of 16 bits, then of 8, and so on.
#[inline(always)]
fn transpose(rows: &mut [u32; WORDS]) {
    let mut width = WORDS / 2;
    let mut low = u32::MAX >> width;
    while width > 0 {
        for block in rows.chunks_exact_mut(2 * width) {
            let (above, below) = block.split_at_mut(width);
            for (above, below) in above.iter_mut().zip(below) {
                let change = (*above >> width ^ *below) & low;
                *below ^= change;
                *above ^= change << width;
            }
        }
        width /= 2;
        low ^= low << width;
    }
}

/// The packed planes of an observation word by word, for threads that each write some of the words.
pub(super) struct Words<'a> {
    position: &'a Position,
    colors: usize,
    size: u32,
    turn: Transform,
    viewer: Color,
    /// The color that comes first.
    first: Color,
    /// The row and the column of the start square.
    start: (u32, u32),
}

impl<'a> Words<'a> {
    /// Returns the planes that [`write`] writes.
    #[inline(always)]
    pub(super) fn new<const COLORS: usize>(
        position: &'a Position,
        rules: &Rules<COLORS>,
        viewer: Color,
    ) -> Words<'a> {
        let (row, column) = start(rules, viewer);
        Words {
            position,
            colors: COLORS,
            size: rules.variant().size() as u32,
            turn: rules.transform(viewer),
            viewer,
            first: rules.first(viewer),
            start: (row as u32, column as u32),
        }
    }

    /// Returns four bytes, lowest first. Bytes behind the last plane are 0.
    #[inline(always)]
    pub(super) fn word(&self, index: usize) -> u32 {
        let bytes = self.size.div_ceil(8);
        let first = 4 * index as u32;
        let (mut row, mut byte) = (first / bytes, first % bytes);
        let (mut plane, rest) = (row / self.size, row % self.size);
        row = rest;
        let mut word = 0;
        for place in 0..4 {
            word |= self.byte(plane as usize, row, byte) << (8 * place);
            byte += 1;
            if byte == bytes {
                (row, byte) = (row + 1, 0);
            }
            if row == self.size {
                (plane, row) = (plane + 1, 0);
            }
        }
        word
    }

    /// Returns eight columns of a row of a plane.
    #[inline(always)]
    fn byte(&self, plane: usize, row: u32, byte: u32) -> u32 {
        let color = |index: usize| Color::ALL[(self.first.index() + index) % self.colors];
        let set = if plane < self.colors {
            self.position.cells(color(plane))
        } else if plane < 2 * self.colors {
            self.position.frontier(color(plane))
        } else if plane == 2 * self.colors {
            self.position.free(self.viewer)
        } else {
            let (start_row, column) = self.start;
            let is_here = plane == 2 * self.colors + 1 && row == start_row && byte == column / 8;
            return u32::from(is_here) << (column % 8);
        };
        let size = self.size as usize;
        let (row, first) = (row as usize, 8 * byte as usize);
        if self.turn == Transform::NONE {
            return set.row(row) >> first & 0xff;
        }
        if self.turn == Transform::quarters(2) {
            return set.row(size - 1 - row).reverse_bits() >> (32 - size) >> first & 0xff;
        }
        // The row is a column of the set.
        let is_first = self.turn == Transform::quarters(1);
        let column = if is_first { size - 1 - row } else { row };
        (0..8).fold(0, |bits, index| {
            let place = first + index;
            let place = if is_first { place } else { size.wrapping_sub(place + 1) };
            bits | (set.row(place) >> column & 1) << index
        })
    }
}
