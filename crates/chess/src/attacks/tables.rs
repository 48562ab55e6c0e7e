//! Precomputed attacks of leapers and pawns, rays, and lines between squares.

use fourfold_board::{Direction, KING_LEAPS, KNIGHT_LEAPS, Square};

use crate::{BOARD, Bitboard, Color};

static KNIGHT: [Bitboard; 64] = leaps(&KNIGHT_LEAPS);
static KING: [Bitboard; 64] = leaps(&KING_LEAPS);
static PAWN: [[Bitboard; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
static ROOK_RAYS: [Bitboard; 64] = rays(&Direction::ORTHOGONALS);
static BISHOP_RAYS: [Bitboard; 64] = rays(&Direction::DIAGONALS);
static BETWEEN: [[Bitboard; 64]; 64] = pairs(Pair::Between);
static LINE: [[Bitboard; 64]; 64] = pairs(Pair::Line);

/// Returns the squares attacked by a knight on `from`.
#[inline(always)]
pub fn knight_attacks(from: Square) -> Bitboard {
    KNIGHT[from.index() & 63]
}

/// Returns the squares attacked by a king on `from`.
#[inline(always)]
pub fn king_attacks(from: Square) -> Bitboard {
    KING[from.index() & 63]
}

/// Returns the squares attacked by a pawn of `color` on `from`.
#[inline(always)]
pub fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    PAWN[color as usize][from.index() & 63]
}

/// Returns the squares attacked by a rook on `from` on an empty board.
#[inline(always)]
pub fn rook_rays(from: Square) -> Bitboard {
    ROOK_RAYS[from.index() & 63]
}

/// Returns the squares attacked by a bishop on `from` on an empty board.
#[inline(always)]
pub fn bishop_rays(from: Square) -> Bitboard {
    BISHOP_RAYS[from.index() & 63]
}

/// Returns the squares strictly between two squares, or the empty set if no line connects them.
#[inline(always)]
pub fn between(from: Square, to: Square) -> Bitboard {
    BETWEEN[from.index() & 63][to.index() & 63]
}

/// Returns the whole line through two squares, including both, or the empty set if no line connects
/// them.
#[inline(always)]
pub fn line(from: Square, to: Square) -> Bitboard {
    LINE[from.index() & 63][to.index() & 63]
}

const fn leaps(leaps: &[(i32, i32)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = BOARD.leaps(Square::new(index), leaps);
        index += 1;
    }
    table
}

const fn rays(directions: &[Direction]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = BOARD.rays(Square::new(index), directions);
        index += 1;
    }
    table
}

enum Pair {
    Between,
    Line,
}

const fn pairs(what: Pair) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut seen = BOARD.rays(Square::new(from), &Direction::ALL);
        while let Some(to) = seen.pop() {
            table[from][to.index()] = match what {
                Pair::Between => BOARD.between(Square::new(from), to),
                Pair::Line => BOARD.line(Square::new(from), to),
            };
        }
        from += 1;
    }
    table
}
