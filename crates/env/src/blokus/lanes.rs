//! How the threads of a GPU share the work on a game: each searches the placements of one top row, on the board as
//! the color to move sees it, where their ids are consecutive.

use fourfold_blokus::{
    CellSet, Color, MAX_PIECE_SIZE, MAX_SIZE, PIECES, Piece, Placement, Position, RowWindow,
};
use fourfold_common::cpu::Cpu;

use super::ids::Transform;
use super::{Blokus, Rules, planes};
use crate::device::DeviceGame;
use crate::game::{Action, Status};
use crate::legal::ActionSink;

/// One thread for each row of the board.
const LANES: usize = MAX_SIZE.next_power_of_two();

impl<const COLORS: usize> DeviceGame for Blokus<COLORS> {
    const LANES: usize = LANES;
    const BLOCK_THREADS: usize = 256;
    const SETTLES: bool = true;
    const HAS_FACTS: bool = true;
    const PARTS: usize = 32;

    fn rules_to_numbers(rules: &Rules<COLORS>) -> [u32; 8] {
        rules.to_numbers()
    }

    #[inline(always)]
    fn rules_from_numbers(&self, numbers: &[u32; 8]) -> Rules<COLORS> {
        Rules::from_numbers(self.0.position.variant(), numbers)
    }

    #[inline(always)]
    fn begin(&mut self, rules: &Rules<COLORS>, actions: &[Action]) {
        self.apply_with(rules, actions, |position, placement| position.play_unsettled(placement));
    }

    #[inline(always)]
    fn legal_part<C: Cpu>(
        &self,
        _: C,
        rules: &Rules<COLORS>,
        _: usize,
        lane: usize,
        sink: &mut impl ActionSink,
    ) {
        if let Some(color) = self.0.position.turn() {
            generate_row(&self.0.position, color, rules.transform(color), lane, sink);
        }
    }

    #[inline(always)]
    fn settle(&mut self, _: &Rules<COLORS>, may_move: bool) -> bool {
        if may_move {
            return false;
        }
        self.0.position.eliminate();
        self.0.position.turn().is_some()
    }

    /// Returns the colors that can place a piece with this top row, as bits. Those to move or known to be eliminated
    /// are left out.
    #[inline(always)]
    fn facts_part<C: Cpu>(&self, cpu: C, _: &Rules<COLORS>, lane: usize) -> u32 {
        let position = &self.0.position;
        let mut facts = 0;
        for &color in &Color::ALL[..COLORS] {
            if position.turn() == Some(color) || position.is_known_eliminated(color) {
                continue;
            }
            let frontier = position.frontier(color);
            let can_place = if position.has(color, Piece::SINGLE) {
                // The single square fits on every frontier cell.
                frontier.row(lane) != 0
            } else {
                let (free, frontier) =
                    (position.free(color).rows_from(lane), frontier.rows_from(lane));
                RowWindow { free, frontier }.has_place(cpu, position.remaining_bits(color))
            };
            facts |= u32::from(can_place) << color.index();
        }
        facts
    }

    #[inline(always)]
    fn status_with(&self, rules: &Rules<COLORS>, _: bool, facts: u32) -> Status {
        self.status_by(rules, |color| facts >> color.index() & 1 != 0)
    }

    #[inline(always)]
    fn observe_part(
        &self,
        rules: &Rules<COLORS>,
        player: usize,
        part: usize,
        planes: &mut [u32],
        scalars: &mut [f32],
        _: impl Fn(&mut u32, u32),
    ) {
        let viewer = self.viewer(player);
        let rows = planes::Rows::new(&self.0.position, rules, viewer);
        let mut group = part;
        while rows.write_group(group, planes) {
            group += Self::PARTS;
        }
        let first = rules.first(viewer).index();
        let mut index = part;
        while let Some(scalar) = scalars.get_mut(index) {
            let color = Color::ALL[(first + index / PIECES) % COLORS];
            let is_left = self.0.position.remaining_bits(color) >> (index % PIECES) & 1 != 0;
            *scalar = if is_left { 1.0 } else { 0.0 };
            index += Self::PARTS;
        }
    }
}

/// Passes the ids of a color's legal placements with one top row, on the transformed board, to a sink.
#[inline(always)]
fn generate_row(
    position: &Position,
    color: Color,
    turn: Transform,
    row: usize,
    sink: &mut impl ActionSink,
) {
    let size = position.variant().size();
    if row >= size {
        return;
    }
    let [free, frontier] =
        rows_from([position.free(color), position.frontier(color)], size, turn, row);
    let window = RowWindow { free, frontier };
    let mut pieces = position.remaining_bits(color);
    while pieces != 0 {
        let piece = pieces.trailing_zeros() as usize;
        pieces &= pieces - 1;
        let mut places = window.hidden_from_compiler(pieces).places(piece);
        let orientations = Piece::new(piece).map_or(0..0, Piece::orientations);
        for orientation in orientations.start as u32..orientations.end as u32 {
            let [columns, rest @ ..] = places;
            if columns != 0 {
                let first = Placement::first_in_row(size, orientation as usize, row as u32);
                sink.push_bits(first, u64::from(columns));
            }
            // Moving all of them is faster on a GPU than an index known only at run time.
            let [b, c, d, e, f, g, h] = rest;
            places = [b, c, d, e, f, g, h, 0];
        }
    }
}

/// Returns the rows from `row` on of boards that are rotated by quarter turns; empty rows follow the last one.
#[inline(always)]
fn rows_from(
    sets: [&CellSet; 2],
    size: usize,
    turn: Transform,
    row: usize,
) -> [[u32; MAX_PIECE_SIZE]; 2] {
    if turn == Transform::NONE {
        return sets.map(|set| set.rows_from(row));
    }
    if turn == Transform::quarters(2) {
        let above = size.wrapping_sub(row + 1);
        return sets.map(|set| {
            let seen = |below: usize| set.row(above.wrapping_sub(below)).reverse_bits();
            core::array::from_fn(|below| seen(below) >> (32 - size))
        });
    }
    let is_first = turn == Transform::quarters(1);
    // The rows are columns of the sets, from this one on to the left or to the right.
    let leftmost = if is_first { size.wrapping_sub(MAX_PIECE_SIZE + row) } else { row };
    let seen = |set: &CellSet| {
        let columns = columns_from(set, leftmost as u32);
        core::array::from_fn(|below| {
            if is_first {
                columns[MAX_PIECE_SIZE - 1 - below]
            } else {
                columns[below].reverse_bits() >> (32 - size)
            }
        })
    };
    // A loop over the sets would keep the results in memory.
    [seen(sets[0]), seen(sets[1])]
}

/// Returns the columns of a set from one on, which may be up to four columns left of the board. The lowest bit is the
/// top row.
#[inline(always)]
fn columns_from(set: &CellSet, leftmost: u32) -> [u32; MAX_PIECE_SIZE] {
    let mut columns = [0; MAX_PIECE_SIZE];
    // Unrolled, because masks and shifts are then constants. Rotating a row brings the cell in the leftmost column to
    // the bit of the row, and those in the next columns to the bits above it, where they are kept until the end.
    macro_rules! add_rows {
        ($($row:literal)+) => {
            $(
                let cells = set.row($row).rotate_left(u32::wrapping_sub($row, leftmost) % 32);
                columns = core::array::from_fn(|index| columns[index] | cells & 1 << ($row + index));
            )+
        };
    }
    add_rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21);
    const _: () = assert!(MAX_SIZE == 22, "every row is added");
    core::array::from_fn(|index| columns[index] >> index)
}
