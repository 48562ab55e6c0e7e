//! What stands on the lines of the board, line by line.
//!
//! Each square lies on four lines: its rank, its file and two diagonals. A line is a word of 16 bits:
//! bits 1 to 14 are its squares, and all else, cut corners and the rims included, is *wall*, set for
//! ever. So the men or walls next to a square, and the number of empty squares before them, are one
//! shift and one count away in either direction, without a table and without an end of the line to
//! look for.

use fourfold_board::{Direction, Square};

use crate::BOARD;

/// Lines: 16 ranks, 16 files, 32 rising and 32 falling diagonals; some are all wall.
const LINES: usize = 96;

/// One of the four ways in which lines run.
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

    /// The direction of ascending bits.
    #[inline(always)]
    pub(crate) const fn up(self) -> Direction {
        match self {
            Axis::Rank => Direction::East,
            Axis::File => Direction::North,
            Axis::Rising => Direction::NorthEast,
            Axis::Falling => Direction::SouthEast,
        }
    }

    /// The direction of descending bits.
    #[inline(always)]
    pub(crate) const fn down(self) -> Direction {
        match self {
            Axis::Rank => Direction::West,
            Axis::File => Direction::South,
            Axis::Rising => Direction::SouthWest,
            Axis::Falling => Direction::NorthWest,
        }
    }

    /// The axis along which a direction runs.
    #[inline(always)]
    pub(crate) const fn of(direction: Direction) -> Axis {
        match direction {
            Direction::East | Direction::West => Axis::Rank,
            Direction::North | Direction::South => Axis::File,
            Direction::NorthEast | Direction::SouthWest => Axis::Rising,
            Direction::SouthEast | Direction::NorthWest => Axis::Falling,
        }
    }

    /// The line through a cell, and the cell's bit in it.
    #[inline(always)]
    const fn place(self, cell: u8) -> (usize, u32) {
        let (file, rank) = ((cell & 15) as usize, (cell >> 4) as usize);
        match self {
            Axis::Rank => (rank, file as u32 + 1),
            Axis::File => (16 + file, rank as u32 + 1),
            Axis::Rising => (32 + (file.wrapping_sub(rank) & 31), file as u32 + 1),
            Axis::Falling => (64 + file + rank, file as u32 + 1),
        }
    }
}

/// What a step in a direction adds to a cell's number.
#[inline(always)]
pub(crate) const fn stride(direction: Direction) -> u8 {
    let (file, rank) = direction.step();
    (file + 16 * rank) as u8
}

/// The cell some steps away. Off the board it is one that does not exist.
#[inline(always)]
pub(crate) const fn walk(cell: u8, direction: Direction, steps: u32) -> u8 {
    cell.wrapping_add(stride(direction).wrapping_mul(steps as u8))
}

/// The occupied squares of every line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Lines([u16; LINES]);

impl Lines {
    /// Nothing but walls.
    pub(crate) const EMPTY: Lines = {
        let mut lines = Lines([u16::MAX; LINES]);
        let mut cell = 0;
        while cell < 256 {
            if BOARD.exists().contains(Square::new(cell)) {
                let mut axis = 0;
                while axis < 4 {
                    let (line, bit) = Axis::ALL[axis].place(cell as u8);
                    lines.0[line] ^= 1 << bit;
                    axis += 1;
                }
            }
            cell += 1;
        }
        lines
    };

    /// Puts a man on a square of every line through it, or takes it away.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, cell: u8) {
        for axis in Axis::ALL {
            let (line, bit) = axis.place(cell);
            self.0[line] ^= 1 << bit;
        }
    }

    /// How many squares are empty next to a square, along ascending and along descending bits.
    #[inline(always)]
    pub(crate) fn empty(&self, cell: u8, axis: Axis) -> (u32, u32) {
        let (line, bit) = axis.place(cell);
        let line = u32::from(self.0[line]);
        let up = (line >> bit >> 1).trailing_zeros();
        let down = (line << (32 - bit)).leading_zeros();
        (up, down)
    }

    /// How many squares are empty next to a square in a direction.
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
    use fourfold_board::Keys;

    #[test]
    fn lines_see_what_walking_sees() {
        let mut keys = Keys::new(1);
        for _ in 0..200 {
            let mut lines = Lines::EMPTY;
            let (a, b) = (keys.next(), keys.next());
            let men = fourfold_board::Bitboard::<4>::from_words(
                [a, b, a & b, a ^ b].map(|word| word & keys.next()),
            ) & BOARD.exists();
            for square in men {
                lines.toggle(square.index() as u8);
            }
            for from in BOARD.exists() {
                for direction in Direction::ALL {
                    let mut steps = 0;
                    let mut at = BOARD.step(from, direction);
                    while let Some(square) = at.filter(|&square| !men.contains(square)) {
                        steps += 1;
                        at = BOARD.step(square, direction);
                    }
                    let cell = from.index() as u8;
                    assert_eq!(lines.empty_toward(cell, direction), steps);
                    let next = Square::new(walk(cell, direction, steps + 1) as usize);
                    assert_eq!(at.unwrap_or(next), next);
                    assert_eq!(BOARD.exists().contains(next), at.is_some());
                }
            }
            men.iter().for_each(|square| lines.toggle(square.index() as u8));
            assert_eq!(lines, Lines::EMPTY);
        }
    }
}
