//! Labels and planes for GPUs, without a loop over moves or a branch by role.

use fourfold_board::Direction;
use fourfold_chess::{BOARD, Bitboard, Color, Role, Square, TargetSink};
use fourfold_common::cpu::Cpu;

use super::labels::{self, PLANES};
use super::{BOARD_PLANES, Chess, HISTORY, Rules, View};
use crate::legal::ActionSink;

/// The first plane of the moves along lines: 14 for each of four lines.
const FIRST_LINE: u32 = 9;
/// The first plane of the knight's moves.
const FIRST_LEAP: u32 = 65;

/// Passes on the labels of the legal moves that one of [`TARGET_LANES`] threads finds.
#[inline(always)]
pub(super) fn labels_of_lane<C: Cpu>(
    game: &Chess,
    cpu: C,
    rules: &Rules,
    lane: usize,
    sink: &mut impl ActionSink,
) {
    let position = game.position();
    let flip = match rules.view {
        View::Own => 0,
        View::Absolute => labels::view(position.turn()),
    };
    position.targets_of_lane(
        cpu,
        lane,
        &mut PlaneSink { sink, flip, first: 0, planes: 0, promotions: 0 },
    );
}

/// Passes on the labels of a piece, in the view in which square indices are XORed with `flip`.
struct PlaneSink<'a, S> {
    sink: &'a mut S,
    flip: usize,
    /// The labels of a piece, which are passed on by all threads at once: the first one, and those set as bits.
    first: u32,
    planes: u64,
    /// The same for underpromotions, whose planes come first.
    promotions: u64,
}

impl<S: ActionSink> PlaneSink<'_, S> {
    /// Returns a square and a set of squares as they are seen.
    #[inline(always)]
    fn seen(&self, from: Square, to: Bitboard) -> (u32, u64) {
        let [to] = to.words();
        ((from.index() ^ self.flip) as u32, if self.flip == 0 { to } else { to.swap_bytes() })
    }

    /// Adds planes of a square, `first` being that of the lowest bit.
    #[inline(always)]
    fn add(&mut self, from: u32, first: u32, planes: u64) {
        let square = labels::file_major(from as usize) as u32;
        self.first = square * PLANES as u32 + first;
        self.planes = planes;
    }
}

impl<S: ActionSink> TargetSink for PlaneSink<'_, S> {
    #[inline(always)]
    fn pawn(&mut self, from: Square, to: Bitboard) {
        // Seen by its owner, a pawn moves up the board.
        let square = from.index() as u32;
        let ahead = to.words()[0] >> square >> 7;
        let [left, straight, right, double] = [0, 1, 2, 9].map(|step| ahead >> step & 1);
        let (seen, is_flipped) = (square ^ self.flip as u32, self.flip != 0);
        // Distances along the four lines; seen from the other side, they go down.
        let planes = match is_flipped {
            false => straight << 7 | double << 8 | right << 35 | left << 48,
            true => straight << 6 | double << 5 | left << 34 | right << 49,
        };
        self.add(seen, FIRST_LINE, planes);
        if square / 8 == 6 {
            // For each of three roles: straight ahead, to the right and to the left.
            self.promotions = (straight | right << 1 | left << 2) * 0o111;
        }
    }

    #[inline(always)]
    fn knight(&mut self, from: Square, to: Bitboard) {
        let (from, to) = self.seen(from, to);
        let mut planes = 0;
        for (plane, leap) in LEAPS.into_iter().enumerate() {
            planes |= (to >> (from.wrapping_add_signed(leap) % 64) & 1) << plane;
        }
        self.add(from, FIRST_LEAP, planes);
    }

    #[inline(always)]
    fn along_lines(&mut self, from: Square, to: Bitboard) {
        /// Moves the bits of the a-file to the highest byte, the lowest rank first.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        /// Adds all ranks up in the highest byte.
        const ADD_RANKS: u64 = 0x0101_0101_0101_0101;
        let (from, to) = self.seen(from, to);
        let (file, rank) = (from % 8, from / 8);
        let [rising, falling] = DIAGONALS[from as usize % 64];
        let along_file = (to >> file & ADD_RANKS).wrapping_mul(GATHER) >> 56;
        let along_rank = to >> (8 * rank) & 0xff;
        let along_rising = (to & rising).wrapping_mul(ADD_RANKS) >> 56;
        let along_falling = (to & falling).wrapping_mul(ADD_RANKS) >> 56;
        let planes = distances(along_file as u32, rank)
            | distances(along_rank as u32, file) << 14
            | distances(along_rising as u32, file) << 28
            | distances(along_falling as u32, file) << 42;
        self.add(from, FIRST_LINE, planes);
    }

    #[inline(always)]
    fn flush(&mut self) {
        if self.planes != 0 {
            self.sink.push_bits(self.first, self.planes);
        }
        if self.promotions != 0 {
            self.sink.push_bits(self.first - FIRST_LINE, self.promotions);
        }
        (self.planes, self.promotions) = (0, 0);
    }
}

/// Converts squares of a line, seen from the square `own` of it, to distances: from −7 to −1, then from 1 to 7.
#[inline(always)]
const fn distances(squares: u32, own: u32) -> u64 {
    let before = squares & ((1 << own) - 1);
    let after = squares >> own >> 1;
    (before << (7 - own) | after << 7) as u64
}

/// What each of the knight's moves adds to a square's index, in the order of the planes.
const LEAPS: [i32; 8] = {
    let planes = labels::planes();
    let mut leaps = [0; 8];
    let mut leap = 0;
    while leap < 8 {
        let plane = &planes[FIRST_LEAP as usize + leap];
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
