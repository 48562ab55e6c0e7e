//! The occupied squares of the board, line by line.
//!
//! Each square lies on four lines: its rank, its file and two diagonals. A line is a 16-bit word.
//! Bits 1 to 14 are its squares; everything else, including cut corners and the rim, is *wall* and
//! always set. The nearest piece or wall in either direction, and the number of empty squares
//! before it, need one shift and one bit count: no table, and no special case at line ends.

use bytemuck::{Pod, Zeroable};
use fourfold_board::{Direction, Square};

use crate::BOARD;

/// The number of lines: 16 ranks, 16 files, 32 rising and 32 falling diagonals. Some are all wall.
const LINES: usize = 96;

/// One of the four orientations of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Axis {
    Rank,
    File,
    Rising,
    Falling,
}

impl Axis {
    pub(crate) const ALL: [Axis; 4] = [Axis::Rank, Axis::File, Axis::Rising, Axis::Falling];

    /// Returns the direction of ascending bits.
    #[inline(always)]
    pub(crate) const fn up(self) -> Direction {
        match self {
            Axis::Rank => Direction::East,
            Axis::File => Direction::North,
            Axis::Rising => Direction::NorthEast,
            Axis::Falling => Direction::SouthEast,
        }
    }

    /// Returns the direction of descending bits.
    #[inline(always)]
    pub(crate) const fn down(self) -> Direction {
        match self {
            Axis::Rank => Direction::West,
            Axis::File => Direction::South,
            Axis::Rising => Direction::SouthWest,
            Axis::Falling => Direction::NorthWest,
        }
    }

    /// Returns the axis of a direction.
    #[inline(always)]
    pub(crate) const fn of(direction: Direction) -> Axis {
        match direction {
            Direction::East | Direction::West => Axis::Rank,
            Direction::North | Direction::South => Axis::File,
            Direction::NorthEast | Direction::SouthWest => Axis::Rising,
            Direction::SouthEast | Direction::NorthWest => Axis::Falling,
        }
    }

    /// Returns the line through a cell and the cell's bit in it.
    #[inline(always)]
    pub(crate) const fn line_and_bit(self, cell: u8) -> (usize, u32) {
        let (file, rank) = ((cell & 15) as usize, (cell >> 4) as usize);
        match self {
            Axis::Rank => (rank, file as u32 + 1),
            Axis::File => (16 + file, rank as u32 + 1),
            Axis::Rising => (32 + (file.wrapping_sub(rank) & 31), file as u32 + 1),
            Axis::Falling => (64 + file + rank, file as u32 + 1),
        }
    }
}

/// Returns the difference in cell index, modulo 256, of one step in a direction.
#[inline(always)]
pub(crate) const fn stride(direction: Direction) -> u8 {
    let (file, rank) = direction.step();
    (file + 16 * rank) as u8
}

/// Returns the cell some steps away. Off the board, it is a cell that does not exist.
#[inline(always)]
pub(crate) const fn walk(cell: u8, direction: Direction, steps: u32) -> u8 {
    cell.wrapping_add(stride(direction).wrapping_mul(steps as u8))
}

/// Returns how many consecutive bits of a line next to a square's bit are not set, toward ascending and
/// toward descending bits.
#[inline(always)]
pub(crate) fn runs(line: u32, bit: u32) -> (u32, u32) {
    let up = (line >> bit >> 1).trailing_zeros();
    let down = (line << (32 - bit)).leading_zeros();
    (up, down)
}

/// The occupied squares of every line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct Lines([u16; LINES]);

impl Lines {
    /// The empty board: only walls are set.
    pub(crate) const EMPTY: Lines = {
        let mut lines = Lines([u16::MAX; LINES]);
        let mut cell = 0;
        while cell < 256 {
            if BOARD.squares().contains(Square::new(cell)) {
                let mut axis = 0;
                while axis < 4 {
                    let (line, bit) = Axis::ALL[axis].line_and_bit(cell as u8);
                    lines.0[line] ^= 1 << bit;
                    axis += 1;
                }
            }
            cell += 1;
        }
        lines
    };

    /// Marks a square as occupied or empty on every line through it.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, cell: u8) {
        for axis in Axis::ALL {
            let (line, bit) = axis.line_and_bit(cell);
            self.0[line] ^= 1 << bit;
        }
    }

    /// Returns how many consecutive squares next to a square are empty, toward ascending and toward
    /// descending bits.
    #[inline(always)]
    pub(crate) fn empty(&self, cell: u8, axis: Axis) -> (u32, u32) {
        let (word, bit) = self.word_and_bit(cell, axis);
        runs(word, bit)
    }

    /// Returns a line by index.
    #[inline(always)]
    pub(crate) fn word(&self, line: usize) -> u32 {
        u32::from(self.0[line])
    }

    /// Returns the line through a square and the square's bit in it.
    #[inline(always)]
    pub(crate) fn word_and_bit(&self, cell: u8, axis: Axis) -> (u32, u32) {
        let (line, bit) = axis.line_and_bit(cell);
        (self.word(line), bit)
    }

    /// Returns how many consecutive squares next to a square are empty in a direction.
    #[inline(always)]
    pub(crate) fn empty_toward(&self, cell: u8, direction: Direction) -> u32 {
        let axis = Axis::of(direction);
        let (up, down) = self.empty(cell, axis);
        if axis.up() as u8 == direction as u8 { up } else { down }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourfold_common::SplitMix64;

    #[test]
    fn empty_runs_equal_a_walk_over_the_squares() {
        let mut rng = SplitMix64::new(1);
        for _ in 0..200 {
            let mut lines = Lines::EMPTY;
            let (a, b) = (rng.next(), rng.next());
            let occupied = fourfold_board::Bitboard::<4>::from_words(
                [a, b, a & b, a ^ b].map(|word| word & rng.next()),
            ) & BOARD.squares();
            for square in occupied {
                lines.toggle(square.index() as u8);
            }
            for from in BOARD.squares() {
                for direction in Direction::ALL {
                    let mut steps = 0;
                    let mut at = BOARD.step(from, direction);
                    while let Some(square) = at.filter(|&square| !occupied.contains(square)) {
                        steps += 1;
                        at = BOARD.step(square, direction);
                    }
                    let cell = from.index() as u8;
                    assert_eq!(lines.empty_toward(cell, direction), steps);
                    let next = Square::new(walk(cell, direction, steps + 1) as usize);
                    assert_eq!(at.unwrap_or(next), next);
                    assert_eq!(BOARD.squares().contains(next), at.is_some());
                }
            }
            occupied.iter().for_each(|square| lines.toggle(square.index() as u8));
            assert_eq!(lines, Lines::EMPTY);
        }
    }
}
