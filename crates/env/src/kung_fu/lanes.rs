//! What the threads of a GPU do with a game.

use fourfold_common::cpu::Cpu;
use fourfold_kung_fu::{self as kung_fu, Cell, Numbering, SquareSet};

use super::squares::BoardView;
use super::{KungFu, Rules, View, parts};
use crate::device::DeviceGame;
use crate::legal::ActionSink;

/// The threads that find the legal actions of a game together.
const LANES: usize = 16;

impl<const SIDE: usize> DeviceGame for KungFu<SIDE> {
    fn rules_to_numbers(rules: &Rules<SIDE>) -> [u32; 8] {
        [rules.interval, rules.max_ticks, rules.view as u32, 0, 0, 0, 0, 0]
    }

    #[inline(always)]
    fn rules_from_numbers(&self, numbers: &[u32; 8]) -> Rules<SIDE> {
        let [interval, max_ticks, view, ..] = *numbers;
        let mut rules = Rules::default(self.game().rules());
        (rules.interval, rules.max_ticks) = (interval, max_ticks);
        rules.view = View::from_number(view);
        rules
    }

    const LANES: usize = LANES;

    #[inline(always)]
    fn legal_part<C: Cpu>(
        &self,
        _: C,
        rules: &Rules<SIDE>,
        player: usize,
        lane: usize,
        sink: &mut impl ActionSink,
    ) {
        let board_view = Self::board_view(rules, player);
        let turn = rules.turn(player);
        let first = |square: u32| square * Self::SQUARES as u32;
        if SIDE == 8 {
            let occupied = occupied_on_eight(self.game(), turn);
            self.game().targets_of_lane::<u64, LANES>(
                rules.player(player),
                board_view,
                occupied,
                lane,
                |square, targets| sink.push_bits(first(square), targets),
            );
        } else {
            let occupied = occupied_on_twelve(self.game(), turn);
            self.game().targets_of_lane::<u128, LANES>(
                rules.player(player),
                board_view,
                occupied,
                lane,
                |square, targets| {
                    sink.push_bits(first(square), targets as u64);
                    sink.push_bits(first(square) + 64, (targets >> 64) as u64);
                },
            );
        }
        if lane == 0 {
            sink.push(Self::WAIT);
        }
    }

    const PARTS: usize = parts::count(SIDE);
    const ADDS_TO_OBSERVATIONS: bool = true;

    #[inline(always)]
    fn observe_part(
        &self,
        rules: &Rules<SIDE>,
        player: usize,
        part: usize,
        planes: &mut [u32],
        scalars: &mut [f32],
        add_bits: impl Fn(&mut u32, u32),
    ) {
        parts::write(self.game(), rules, player, part, planes, scalars, add_bits);
    }

    #[inline(always)]
    fn paint_part(
        rules: &Rules<SIDE>,
        scalars: &[f32],
        part: usize,
        parts: usize,
        set: impl FnMut(usize, usize, f32),
    ) {
        parts::paint(rules, scalars, part, parts, set);
    }
}

impl Numbering for BoardView {
    #[inline(always)]
    fn square(&self, cell: Cell) -> u32 {
        BoardView::square(self, cell)
    }

    #[inline(always)]
    fn cell(&self, square: u32) -> Cell {
        BoardView::cell(self, square as usize)
    }
}

/// Returns which of four squares are occupied, as the lowest bits of four bytes. `standing` has the bytes of
/// the squares; the highest bit is set in those of empty ones.
#[inline(always)]
fn occupied_bytes(standing: &[u8; 16], group: usize) -> u32 {
    let bytes = standing.as_chunks::<4>().0[group];
    !u32::from_le_bytes(bytes) >> 7 & 0x0101_0101
}

/// Moves the lowest bits of the four bytes of a word, and the fifth lowest, to the eight highest bits.
#[inline(always)]
const fn gather(bits: u32) -> u32 {
    bits.wrapping_mul(0x0102_0408) >> 24
}

/// Returns the occupied squares of a row, as bits by column.
#[inline(always)]
fn occupied_in_row(standing: &[u8; 16]) -> u32 {
    gather(occupied_bytes(standing, 0) | occupied_bytes(standing, 1) << 4)
        | gather(occupied_bytes(standing, 2)) << 8
}

/// Returns the occupied squares of an 8×8 board as a view shows it.
#[inline(always)]
fn occupied_on_eight(game: &kung_fu::Game, turn: usize) -> u64 {
    let rows = core::array::from_fn(|row| {
        let standing = game.standing_on_row(row);
        gather(occupied_bytes(standing, 0) | occupied_bytes(standing, 1) << 4) as u8
    });
    let occupied = u64::from_le_bytes(rows);
    if turn == 0 { occupied } else { occupied.swap_bytes() }
}

/// Returns the occupied squares of a 12×12 board as a view shows it.
#[inline(always)]
fn occupied_on_twelve(game: &kung_fu::Game, turn: usize) -> u128 {
    let rows: [u32; 12] = if turn.is_multiple_of(2) {
        core::array::from_fn(|row| occupied_in_row(game.standing_on_row(row)))
    } else {
        // Each column becomes a row, beginning with its lowest square: a byte for the first eight rows of the
        // board, which come last, and one for the others.
        let [mut first, mut last] = [[0; 3]; 2];
        for row in 0..12 {
            let standing = game.standing_on_row(row);
            for group in 0..3 {
                let bits = occupied_bytes(standing, group);
                if row < 8 {
                    first[group] |= bits << (7 - row);
                } else {
                    last[group] |= bits << (11 - row);
                }
            }
        }
        core::array::from_fn(|column| {
            let byte = |words: [u32; 3]| words[column / 4] >> (column % 4 * 8) & 0xff;
            byte(first) << 4 | byte(last)
        })
    };
    // Four squares are missing in the first and the last two rows.
    let [low, high] = [[rows[0], rows[1]], [rows[10], rows[11]]]
        .map(|[one, other]| one >> 2 & 0xff | (other >> 2 & 0xff) << 8);
    let mut occupied = u128::from(low) | u128::from(high) << 112;
    for (index, &row) in rows[2..10].iter().enumerate() {
        occupied |= u128::from(row) << (16 + 12 * index);
    }
    // The view of each player is a half turn from the view of another one.
    if turn == 1 || turn == 2 { occupied.reverse() } else { occupied }
}
