//! Labels and planes for GPUs, without a loop over moves or a branch by role.

use fourfold_board::Direction;
use fourfold_chess::attacks::knight_attacks;
use fourfold_chess::{BOARD, Color, Role, Square};
use fourfold_common::cpu::Cpu;

use super::labels::{self, PLANES};
use super::{BOARD_PLANES, Chess, HISTORY, Rules, View};
use crate::legal::ActionSink;

/// The first plane of the moves along lines: 14 for each of four lines.
const FIRST_LINE: u32 = 9;
/// The first plane of the knight's moves.
const FIRST_LEAP: usize = 65;

/// Passes on the labels of all legal moves, those of one piece at a time.
#[inline(always)]
pub(super) fn labels<C: Cpu>(game: &Chess, cpu: C, rules: &Rules, sink: &mut impl ActionSink) {
    let position = game.position();
    let flip = match rules.view {
        View::Own => 0,
        View::Absolute => labels::view(position.turn()),
    };
    position.targets_as_white(cpu, |role, from, to| {
        let (from, [to]) = (from.index(), to.words());
        let underpromotions = match role {
            Role::Pawn if from / 8 == 6 => underpromotions(from, to),
            _ => 0,
        };
        let (from, to) = (from ^ flip, if flip == 0 { to } else { to.swap_bytes() });
        let first = labels::file_major(from) * PLANES;
        sink.push_bits(first as u32, planes(from, to) | underpromotions);
    });
}

/// Returns the underpromotions of a pawn as planes: for each of three roles, straight ahead, to the right and
/// to the left.
#[inline(always)]
const fn underpromotions(from: usize, to: u64) -> u128 {
    let ahead = to as u128 >> from;
    let directions = ahead >> 8 & 1 | (ahead >> 9 & 1) << 1 | (ahead >> 7 & 1) << 2;
    directions * 0o111
}

/// Returns the planes of the moves from a square to others, without underpromotions.
#[inline(always)]
fn planes(from: usize, to: u64) -> u128 {
    /// Moves the bits of the a-file to the highest byte, the lowest rank first.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    /// Adds all ranks up in the highest byte.
    const ADD_RANKS: u64 = 0x0101_0101_0101_0101;
    let (file, rank) = (from as u32 % 8, from as u32 / 8);
    let [rising, falling] = DIAGONALS[from & 63];
    let along_file = (to >> file & ADD_RANKS).wrapping_mul(GATHER) >> 56;
    let along_rank = to >> (8 * rank) & 0xff;
    let along_rising = (to & rising).wrapping_mul(ADD_RANKS) >> 56;
    let along_falling = (to & falling).wrapping_mul(ADD_RANKS) >> 56;
    let lines =
        [(along_file, rank), (along_rank, file), (along_rising, file), (along_falling, file)];
    let mut planes = 0;
    for (line, (squares, own)) in lines.into_iter().enumerate() {
        planes |= u128::from(distances(squares as u32, own)) << (FIRST_LINE + 14 * line as u32);
    }
    let [leaps] = knight_attacks(Square::new(from)).words();
    let leaps = to & leaps;
    for leap in 0..8 {
        let target = (from as i32 + LEAPS[leap]) as u32 % 64;
        planes |= u128::from(leaps >> target & 1) << (FIRST_LEAP + leap);
    }
    planes
}

/// Converts squares of a line, seen from the square `own` of it, to distances: from −7 to −1, then from 1 to 7.
#[inline(always)]
const fn distances(squares: u32, own: u32) -> u32 {
    let before = squares & ((1 << own) - 1);
    let after = squares >> own >> 1;
    before << (7 - own) | after << 7
}

/// What each of the knight's moves adds to a square's index, in the order of the planes.
const LEAPS: [i32; 8] = {
    let planes = labels::planes();
    let mut leaps = [0; 8];
    let mut leap = 0;
    while leap < 8 {
        let plane = &planes[FIRST_LEAP + leap];
        leaps[leap] = 8 * plane.ranks + plane.files;
        leap += 1;
    }
    leaps
};

/// The two diagonals through each square: rising and falling from left to right.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut lines = [[0; 2]; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::new(index);
        let [north_east, south_east, south_west, north_west] = Direction::DIAGONALS;
        lines[index] = [
            BOARD.ray(from, north_east).union(BOARD.ray(from, south_west)).words()[0],
            BOARD.ray(from, south_east).union(BOARD.ray(from, north_west)).words()[0],
        ];
        index += 1;
    }
    lines
};

/// The number of parts of an observation: its boards, and everything else.
pub(super) const PARTS: usize = HISTORY + 1;

/// Writes one of these parts.
#[inline(always)]
pub(super) fn observe_part(
    game: &Chess,
    rules: &Rules,
    player: usize,
    part: usize,
    planes: &mut [u32],
    scalars: &mut [f32],
) {
    let (planes, _) = planes.as_chunks_mut::<2>();
    let me = match (rules.view, player) {
        (View::Own, 1) => Color::Black,
        (View::Own | View::Absolute, _) => Color::White,
    };
    if part == HISTORY {
        let facts = game.facts(rules, player, me);
        for (plane, fact) in planes[HISTORY * BOARD_PLANES..].iter_mut().zip(facts) {
            *plane = whole(fact);
        }
        scalars.iter_mut().zip(game.numbers()).for_each(|(out, number)| *out = number);
        return;
    }
    let place = (game.present as usize + HISTORY - part) % HISTORY;
    let board = &game.boards[place];
    let out = &mut planes[part * BOARD_PLANES..][..BOARD_PLANES];
    let (boards, repeated) = out.split_at_mut(12);
    for (color, planes) in [me, !me].into_iter().zip(boards.chunks_exact_mut(6)) {
        for (role, plane) in Role::ALL.into_iter().zip(planes) {
            let [word] = board.pieces(color, role).words();
            let seen = if me == Color::White { word.swap_bytes() } else { word };
            *plane = [seen as u32, (seen >> 32) as u32];
        }
    }
    let is_repeated = game.repeated >> place & 1 != 0;
    repeated[0] = whole(!is_repeated);
    repeated[1] = whole(is_repeated);
}

/// Returns a plane with the same value on every square.
#[inline(always)]
const fn whole(yes: bool) -> [u32; 2] {
    [if yes { u32::MAX } else { 0 }; 2]
}
