//! The squares that one piece can move to, as bits.

use fourfold_board::{Direction, KNIGHT_LEAPS};

use crate::lines::stride;

/// The longest slide, in squares.
const FARTHEST: u32 = 13;
/// The bits of a direction.
const RUN: u64 = (1 << FARTHEST) - 1;
/// The bits of half of the directions.
const HALF: u64 = (1 << (4 * FARTHEST)) - 1;
/// The bits of a quarter of the directions.
const QUARTER: u64 = (1 << (2 * FARTHEST)) - 1;
/// The bit of the first leap.
const FIRST_LEAP: u32 = 4 * FARTHEST;

/// The moves of one piece: a bit for each distance in each direction, and for each leap of a knight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Targets {
    /// 13 bits for each direction from north to southeast, by distance.
    pub low: u64,
    /// 13 bits for each direction from south to northwest, then 8 for the leaps.
    pub high: u64,
}

impl Targets {
    /// No moves.
    pub(crate) const NONE: Targets = Targets { low: 0, high: 0 };
    /// The moves of a rook, on an endless board.
    pub(crate) const STRAIGHT: Targets = Targets { low: RUN | RUN << 26, high: RUN | RUN << 26 };
    /// The moves of a bishop, on an endless board.
    pub(crate) const DIAGONAL: Targets =
        Targets { low: RUN << 13 | RUN << 39, high: RUN << 13 | RUN << 39 };
    /// All moves.
    pub(crate) const ALL: Targets = Targets { low: u64::MAX, high: u64::MAX };

    /// Returns the moves along the axis of a direction.
    #[inline(always)]
    pub(crate) const fn along(direction: u32) -> Targets {
        let run = RUN << (FARTHEST * (direction & 3));
        Targets { low: run, high: run }
    }

    /// Returns the move from a cell to another one. If no piece moves like that, the result is empty or contains
    /// a move that leaves the board.
    #[inline(always)]
    pub(crate) fn between(from: u8, to: u8) -> Targets {
        match u32::from(BIT[256 + to as usize - from as usize]) {
            bit @ ..64 => Targets { low: 1 << bit, high: 0 },
            bit @ 64..128 => Targets { low: 0, high: 1 << (bit - 64) },
            _ => Targets::NONE,
        }
    }

    /// Adds the leap with an index.
    #[inline(always)]
    pub(crate) fn add_leap(&mut self, leap: u32, is_possible: u64) {
        self.high |= is_possible << (FIRST_LEAP + leap);
    }

    /// Adds the first squares in a direction.
    #[inline(always)]
    pub(crate) fn add_run(&mut self, direction: u32, count: u32) {
        self.add(direction, (1 << count) - 1);
    }

    /// Adds squares in a direction; bit 0 is the nearest.
    #[inline(always)]
    pub(crate) fn add(&mut self, direction: u32, bits: u64) {
        let bits = bits << (FARTHEST * (direction & 3));
        let (low, high) = if direction & 4 == 0 { (bits, 0) } else { (0, bits) };
        self.low |= low;
        self.high |= high;
    }

    #[inline(always)]
    pub(crate) const fn and(self, other: Targets) -> Targets {
        Targets { low: self.low & other.low, high: self.high & other.high }
    }

    #[inline(always)]
    pub(crate) const fn or(self, other: Targets) -> Targets {
        Targets { low: self.low | other.low, high: self.high | other.high }
    }

    #[inline(always)]
    pub(crate) const fn without(self, other: Targets) -> Targets {
        Targets { low: self.low & !other.low, high: self.high & !other.high }
    }

    /// Returns whether there is no move.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// Returns the moves as seen by the player that sits this many seats after Red.
    #[inline(always)]
    pub const fn rotated(self, seats: u32) -> Targets {
        let (mut low, mut high) = (self.low, self.high & HALF);
        if seats & 2 != 0 {
            (low, high) = (high, low);
        }
        if seats & 1 != 0 {
            (low, high) = (low >> 26 | (high & QUARTER) << 26, high >> 26 | (low & QUARTER) << 26);
        }
        let leaps = ((self.high >> FIRST_LEAP) as u8).rotate_right(2 * seats);
        Targets { low, high: high | (leaps as u64) << FIRST_LEAP }
    }
}

/// The strides of one step in each direction, then of each leap of a knight.
pub(crate) static STRIDES: [u8; 16] = {
    let mut table = [0; 16];
    let mut index = 0;
    while index < 8 {
        table[index] = stride(Direction::ALL[index]);
        let (files, ranks) = KNIGHT_LEAPS[index];
        table[8 + index] = (files + 16 * ranks) as u8;
        index += 1;
    }
    table
};

/// The bit of a move in [`Targets`] by the difference of the cells, plus 256: 64 is the lowest one of
/// `high`, and 255 stands for none.
static BIT: [u8; 512] = {
    let mut table = [255; 512];
    let mut index = 0;
    while index < 8 {
        let (files, ranks) = Direction::ALL[index].step();
        let mut distance = 1;
        while distance <= FARTHEST as i32 {
            let difference = 256 + (files + 16 * ranks) * distance;
            let half = if index < 4 { 0 } else { 64 };
            table[difference as usize] =
                half + (FARTHEST as usize * (index % 4)) as u8 + distance as u8 - 1;
            distance += 1;
        }
        let (files, ranks) = KNIGHT_LEAPS[index];
        table[(256 + files + 16 * ranks) as usize] = 64 + FIRST_LEAP as u8 + index as u8;
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BOARD, Player, Square};

    /// Returns the square that a single move leads to, if the board has it.
    fn target(from: Square, moves: Targets) -> Option<Square> {
        let bit = (moves.low | moves.high).trailing_zeros();
        let (files, ranks, distance) = if bit < FIRST_LEAP {
            let direction = bit / FARTHEST + if moves.low == 0 { 4 } else { 0 };
            let (files, ranks) = Direction::ALL[direction as usize].step();
            (files, ranks, (bit % FARTHEST + 1) as i32)
        } else {
            let (files, ranks) = KNIGHT_LEAPS[(bit - FIRST_LEAP) as usize];
            (files, ranks, 1)
        };
        BOARD.leap(from, (files * distance, ranks * distance))
    }

    #[test]
    fn differences_of_cells_determine_moves() {
        for from in BOARD.squares() {
            for to in BOARD.squares() {
                let moves = Targets::between(from.index() as u8, to.index() as u8);
                let files = BOARD.file(from).abs_diff(BOARD.file(to));
                let ranks = BOARD.rank(from).abs_diff(BOARD.rank(to));
                let on_line = from != to && (files == 0 || ranks == 0 || files == ranks);
                if !on_line && files * ranks != 2 {
                    assert!(moves.is_empty() || target(from, moves).is_none(), "{from:?} {to:?}");
                    continue;
                }
                assert_eq!(target(from, moves), Some(to));
                for player in Player::ALL {
                    let seen = [from, to].map(|square| player.to_view(square).index() as u8);
                    let rotated = moves.rotated(player as u32);
                    assert_eq!(Targets::between(seen[0], seen[1]), rotated, "{from:?} {to:?}");
                }
            }
        }
    }
}
