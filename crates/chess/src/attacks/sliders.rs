//! Attacks of rooks, bishops and queens with blockers, by table lookup.
//!
//! For each square, the relevant blockers select a table entry. Where the CPU has a fast `pext`,
//! the extracted bits are the index; elsewhere a magic multiplication computes it. Both tables hold
//! the same attack sets, in different orders. Where threads run in lockstep, attacks are computed from
//! four lines through each square, because reading large tables at random takes longer.

use fourfold_board::{Direction, Square};
use fourfold_common::cpu::Cpu;

use super::magics;
use crate::{BOARD, Bitboard};

/// Returns the squares attacked by a rook on `from`, including the first blocker in each direction.
#[inline(always)]
pub fn rook_attacks<C: Cpu>(cpu: C, from: Square, occupied: Bitboard) -> Bitboard {
    if C::LOCKSTEP {
        return along_lines(&ROOK_LINES[from.index() & 63], from, occupied);
    }
    let square = &ROOK.squares[from.index() & 63];
    Bitboard::from_words([if C::FAST_PEXT {
        ROOK.extracted[square.extracted(cpu, occupied)]
    } else {
        ROOK.multiplied[square.multiplied(occupied)]
    }])
}

/// Returns the squares attacked by a bishop on `from`, including the first blocker in each
/// direction.
#[inline(always)]
pub fn bishop_attacks<C: Cpu>(cpu: C, from: Square, occupied: Bitboard) -> Bitboard {
    if C::LOCKSTEP {
        return along_lines(&BISHOP_LINES[from.index() & 63], from, occupied);
    }
    let square = &BISHOP.squares[from.index() & 63];
    Bitboard::from_words([if C::FAST_PEXT {
        BISHOP.extracted[square.extracted(cpu, occupied)]
    } else {
        BISHOP.multiplied[square.multiplied(occupied)]
    }])
}

/// Returns the line through two squares, without the first one, and whether it is a diagonal; the empty set if
/// no line connects them.
#[inline(always)]
pub(crate) fn line_through(from: Square, to: Square) -> (Bitboard, bool) {
    let to = 1u64 << (to.index() & 63);
    let on = |line: u64| if line & to != 0 { line } else { 0 };
    let [rank, file] = ROOK_LINES[from.index() & 63].map(on);
    let [rising, falling] = BISHOP_LINES[from.index() & 63].map(on);
    let diagonal = rising | falling;
    (Bitboard::from_words([rank | file | diagonal]), diagonal != 0)
}

/// The two lines through each square on which a slider moves, without the square itself.
static ROOK_LINES: [[u64; 2]; 64] = lines(&Direction::ORTHOGONALS);
static BISHOP_LINES: [[u64; 2]; 64] = lines(&Direction::DIAGONALS);

const fn lines(directions: &[Direction; 4]) -> [[u64; 2]; 64] {
    let mut lines = [[0; 2]; 64];
    let mut index = 0;
    while index < 64 {
        let from = Square::new(index);
        // Opposite directions are two apart.
        let mut axis = 0;
        while axis < 2 {
            let (one, other) = (directions[axis], directions[axis + 2]);
            lines[index][axis] = BOARD.ray(from, one).union(BOARD.ray(from, other)).words()[0];
            axis += 1;
        }
        index += 1;
    }
    lines
}

/// Computes the attacks along two lines. Subtracting the slider from the blockers on a line changes all
/// bits up to the first blocker; in the other direction, the same is done with the bits reversed.
#[inline(always)]
fn along_lines(lines: &[u64; 2], from: Square, occupied: Bitboard) -> Bitboard {
    let slider = 1u64 << (from.index() & 63);
    let reversed = slider.reverse_bits();
    let [occupied] = occupied.words();
    let along = |line: u64| {
        let blockers = occupied & line;
        let up = blockers.wrapping_sub(slider << 1);
        let down = blockers.reverse_bits().wrapping_sub(reversed << 1).reverse_bits();
        (up ^ down) & line
    };
    Bitboard::from_words([along(lines[0]) | along(lines[1])])
}

/// Returns the squares whose occupancy affects the attacks of a slider on `from`: its rays without
/// their last squares.
pub const fn relevant_blockers(from: Square, directions: &[Direction]) -> Bitboard {
    let mut blockers = Bitboard::EMPTY;
    let mut index = 0;
    while index < directions.len() {
        let ray = BOARD.ray(from, directions[index]);
        let end = if directions[index].ascends() { ray.last() } else { ray.first() };
        if let Some(end) = end {
            blockers = blockers.union(ray.difference(Bitboard::of(end)));
        }
        index += 1;
    }
    blockers
}

/// The location of the entries of one square in the tables.
#[derive(Clone, Copy)]
struct Entries {
    /// The relevant blockers.
    blockers: u64,
    magic: u64,
    /// The index of the first entry.
    start: u32,
    shift: u32,
}

impl Entries {
    #[inline(always)]
    fn extracted<C: Cpu>(&self, cpu: C, occupied: Bitboard) -> usize {
        self.start as usize + cpu.pext(occupied.words()[0], self.blockers) as usize
    }

    #[inline(always)]
    const fn multiplied(&self, occupied: Bitboard) -> usize {
        let blockers = occupied.words()[0] & self.blockers;
        self.start as usize + (blockers.wrapping_mul(self.magic) >> self.shift) as usize
    }
}

struct Table<const N: usize> {
    squares: [Entries; 64],
    extracted: [u64; N],
    multiplied: [u64; N],
}

/// Returns the number of sets of relevant blockers, summed over all squares.
const fn entries(directions: &[Direction]) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < 64 {
        count += 1 << relevant_blockers(Square::new(index), directions).len();
        index += 1;
    }
    count
}

static ROOK: Table<{ entries(&Direction::ORTHOGONALS) }> =
    table(&Direction::ORTHOGONALS, &magics::ROOK);
static BISHOP: Table<{ entries(&Direction::DIAGONALS) }> =
    table(&Direction::DIAGONALS, &magics::BISHOP);

const fn table<const N: usize>(directions: &[Direction; 4], magics: &[u64; 64]) -> Table<N> {
    const NONE: Entries = Entries { blockers: 0, magic: 0, start: 0, shift: 0 };
    let mut table = Table { squares: [NONE; 64], extracted: [0; N], multiplied: [0; N] };
    let (mut start, mut index) = (0, 0);
    while index < 64 {
        let from = Square::new(index);
        let mask = relevant_blockers(from, directions);
        let (magic, shift) = (magics[index], 64 - mask.len() as u32);
        table.squares[index] =
            Entries { blockers: mask.words()[0], magic, start: start as u32, shift };
        // The two axes of a slider are independent, and both kinds of index are sums over the axes,
        // so the compiler evaluates at most 128 slides per square instead of 4,096.
        let one = axis(from, [directions[0], directions[2]], mask, magic);
        let other = axis(from, [directions[1], directions[3]], mask, magic);
        let mut i = 0;
        while i < one.len {
            let mut j = 0;
            while j < other.len {
                let (a, b) = (&one.slides[i], &other.slides[j]);
                let seen = a.seen | b.seen;
                table.extracted[start + a.extracted + b.extracted] = seen;
                let product = a.product.wrapping_add(b.product);
                let multiplied = &mut table.multiplied[start + (product >> shift) as usize];
                assert!(
                    *multiplied == 0 || *multiplied == seen,
                    "a magic maps two attack sets to one index"
                );
                *multiplied = seen;
                j += 1;
            }
            i += 1;
        }
        start += 1 << mask.len();
        index += 1;
    }
    table
}

/// The squares attacked along one axis for one set of blockers on it, and that set's contribution
/// to both indices.
#[derive(Clone, Copy)]
struct Slide {
    seen: u64,
    extracted: usize,
    product: u64,
}

/// All slides along one axis, on which at most six blockers are relevant.
struct Axis {
    slides: [Slide; 64],
    len: usize,
}

const fn axis(from: Square, directions: [Direction; 2], mask: Bitboard, magic: u64) -> Axis {
    let mut axis = Axis { slides: [Slide { seen: 0, extracted: 0, product: 0 }; 64], len: 0 };
    let relevant = relevant_blockers(from, &directions).words()[0];
    let mut blockers = 0u64;
    loop {
        let occupied = Bitboard::from_words([blockers]);
        axis.slides[axis.len] = Slide {
            seen: BOARD.slides(from, &directions, occupied).words()[0],
            extracted: extracted(occupied, mask),
            product: blockers.wrapping_mul(magic),
        };
        axis.len += 1;
        // The next subset of the relevant blockers.
        blockers = blockers.wrapping_sub(relevant) & relevant;
        if blockers == 0 {
            return axis;
        }
    }
}

/// Computes [`Cpu::pext`] at compile time: bit `i` is set if `set` contains the `i`-th square of
/// `mask`.
const fn extracted(set: Bitboard, mask: Bitboard) -> usize {
    let (mut rest, mut index, mut bit) = (mask, 0, 0);
    while let Some(square) = rest.pop() {
        index |= (set.contains(square) as usize) << bit;
        bit += 1;
    }
    index
}
