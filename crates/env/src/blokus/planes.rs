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

/// The rows of the packed planes of an observation, for threads that each write some of them: four rows at a time,
/// which fill whole words.
pub(super) struct Rows<'a> {
    position: &'a Position,
    colors: u32,
    size: u32,
    turn: Transform,
    viewer: Color,
    /// The color that comes first.
    first: Color,
    /// The row and the column of the start square.
    start: (u32, u32),
}

/// Rows that are written at once.
const GROUP: usize = 4;

impl<'a> Rows<'a> {
    /// Returns the planes that [`write`] writes.
    #[inline(always)]
    pub(super) fn new<const COLORS: usize>(
        position: &'a Position,
        rules: &Rules<COLORS>,
        viewer: Color,
    ) -> Rows<'a> {
        let (row, column) = start(rules, viewer);
        Rows {
            position,
            colors: COLORS as u32,
            size: rules.variant().size() as u32,
            turn: rules.transform(viewer),
            viewer,
            first: rules.first(viewer),
            start: (row as u32, column as u32),
        }
    }

    /// Writes a group of rows of all planes. Returns false if there is no such group.
    #[inline(always)]
    pub(super) fn write_group(&self, group: usize, planes: &mut [u32]) -> bool {
        let bytes = self.size.div_ceil(8) as usize;
        let Some(out) = planes.get_mut(group * bytes..) else { return false };
        if out.is_empty() {
            return false;
        }
        let first = (GROUP * group) as u32;
        let (mut plane, mut row) = (first / self.size, first % self.size);
        let (mut bits, mut done) = (0_u128, 0);
        // Most groups belong to one plane.
        while done < GROUP as u32 {
            let count = (self.size - row).min(GROUP as u32 - done);
            let [a, b, c, d] = self.rows(plane, row).map(u128::from);
            let rest = if count > 2 { c << (16 * bytes) } else { 0 };
            let last = if count > 3 { d << (24 * bytes) } else { 0 };
            let second = if count > 1 { b << (8 * bytes) } else { 0 };
            bits |= (a | second | rest | last) << (8 * bytes * done as usize);
            (plane, row, done) = (plane + 1, 0, done + count);
        }
        let words = [bits as u32, (bits >> 32) as u32, (bits >> 64) as u32];
        out.iter_mut().zip(words).take(bytes).for_each(|(out, word)| *out = word);
        true
    }

    /// Returns four rows of a plane; those that do not exist are 0, or are not used.
    #[inline(always)]
    fn rows(&self, plane: u32, row: u32) -> [u32; GROUP] {
        let color =
            |index: u32| Color::ALL[((self.first.index() as u32 + index) % self.colors) as usize];
        let set = if plane < self.colors {
            self.position.cells(color(plane))
        } else if plane < 2 * self.colors {
            self.position.frontier(color(plane))
        } else if plane == 2 * self.colors {
            self.position.free(self.viewer)
        } else {
            let (start_row, column) = self.start;
            let is_start = |row: u32| plane == 2 * self.colors + 1 && row == start_row;
            return core::array::from_fn(|index| u32::from(is_start(row + index as u32)) << column);
        };
        let size = self.size as usize;
        let row = row as usize;
        if self.turn == Transform::NONE {
            return core::array::from_fn(|index| set.row(row + index));
        }
        if self.turn == Transform::quarters(2) {
            let last = size - 1 - row;
            return core::array::from_fn(|index| {
                set.row(last.wrapping_sub(index)).reverse_bits() >> (32 - size)
            });
        }
        // The rows are columns of the set, from this one on to the left or to the right.
        let is_first = self.turn == Transform::quarters(1);
        let leftmost = if is_first { (size - row).wrapping_sub(GROUP) } else { row };
        let columns = columns(set, leftmost as u32);
        core::array::from_fn(|index| {
            if is_first {
                columns[GROUP - 1 - index]
            } else {
                columns[index].reverse_bits() >> (32 - size)
            }
        })
    }
}

/// Returns four columns of a set from one on, which may be left of the board. The lowest bit is the top row.
#[inline(always)]
fn columns(set: &CellSet, leftmost: u32) -> [u32; GROUP] {
    // The four cells of a row become the lowest bits of four bytes, and those of the next rows the bits above them.
    let bytes = |first: usize| {
        (0..8).fold(0, |bytes, index| {
            // Rotated, because the first columns may be left of the board, where there is nothing.
            let cells = set.row(first + index).rotate_right(leftmost % 32) & 15;
            bytes | (cells.wrapping_mul(0x0020_4081) & 0x0101_0101) << index
        })
    };
    let (top, middle, bottom) = (bytes(0), bytes(8), bytes(16));
    core::array::from_fn(|column| {
        let byte = |bytes: u32| bytes >> (8 * column) & 0xff;
        byte(top) | byte(middle) << 8 | byte(bottom) << 16
    })
}
