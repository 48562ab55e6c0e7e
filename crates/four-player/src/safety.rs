//! Attacks on a square, with one path for all players and directions, as a GPU needs it; also after a move,
//! without making it.

use fourfold_board::Direction;

use crate::lines::{Axis, runs, walk};
use crate::pieces::{Code, EMPTY, Pieces, attackers_from};
use crate::position::NONE;
use crate::targets::STRIDES;
use crate::{Position, Role};

/// The codes of all knights.
const KNIGHTS: u32 = 0x0101_0101 << Role::Knight as u8;

/// A move whose consequences for a king are tested.
#[derive(Clone, Copy)]
pub(crate) struct Test {
    /// The square of the king after the move.
    pub(crate) king: u8,
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// The square of a pawn captured en passant, or `NONE`.
    pub(crate) pawn: u8,
    /// The codes of the pieces whose attacks count after the move.
    pub(crate) hostile: u32,
}

/// Changes that a move makes to the position before attacks are looked for.
pub(crate) trait Change: Copy {
    /// Returns a line after the move. `line` is its index.
    fn line(self, axis: Axis, line: usize, word: u32) -> u32;

    /// Returns the contents of a cell after the move. The moved piece does not count as an attacker.
    fn code(self, cell: u8, code: Code) -> Code;
}

/// The position as it is.
#[derive(Clone, Copy)]
pub(crate) struct Unchanged;

impl Change for Unchanged {
    #[inline(always)]
    fn line(self, _: Axis, _: usize, word: u32) -> u32 {
        word
    }

    #[inline(always)]
    fn code(self, _: u8, code: Code) -> Code {
        code
    }
}

impl Change for Test {
    #[inline(always)]
    fn line(self, axis: Axis, line: usize, word: u32) -> u32 {
        let bit_of = |cell| {
            let (other, bit) = axis.line_and_bit(cell);
            if other == line { 1 << bit } else { 0 }
        };
        word & !bit_of(self.from) & !bit_of(self.pawn) | bit_of(self.to)
    }

    #[inline(always)]
    fn code(self, cell: u8, code: Code) -> Code {
        if cell == self.to { EMPTY } else { code }
    }
}

/// Returns where a square is attacked from: bits 0 to 7 are directions, 8 to 15 leaps of a knight.
#[inline(always)]
pub(crate) fn attacks(pieces: &Pieces, at: u8, hostile: u32, change: impl Change) -> u32 {
    let mut found = attacks_along(pieces, at, hostile, change, Axis::Rank)
        | attacks_along(pieces, at, hostile, change, Axis::File)
        | attacks_along(pieces, at, hostile, change, Axis::Rising)
        | attacks_along(pieces, at, hostile, change, Axis::Falling);
    let knights = KNIGHTS & hostile;
    for leap in 8..16 {
        let cell = at.wrapping_add(STRIDES[leap as usize]);
        let code = change.code(cell, pieces.at(cell));
        found |= (knights.unbounded_shr(u32::from(code)) & 1) << leap;
    }
    found
}

#[inline(always)]
fn attacks_along(pieces: &Pieces, at: u8, hostile: u32, change: impl Change, axis: Axis) -> u32 {
    let (line, bit) = axis.line_and_bit(at);
    let (word, _) = pieces.lines().word_and_bit(at, axis);
    let (up, down) = runs(change.line(axis, line, word), bit);
    let toward = |direction: Direction, empty| {
        let cell = walk(at, direction, empty + 1);
        let code = change.code(cell, pieces.at(cell));
        let codes = attackers_from(direction, empty + 1) as u32 & hostile;
        (codes.unbounded_shr(u32::from(code)) & 1) << direction as u32
    };
    toward(axis.up(), up) | toward(axis.down(), down)
}

/// Returns whether the king is not attacked after a move.
#[inline(always)]
pub(crate) fn is_safe(pieces: &Pieces, test: &Test) -> bool {
    attacks(pieces, test.king, test.hostile, *test) == 0
}

/// Like [`is_safe`] for moves that do not capture en passant. Not inlined, because it is large and rarely
/// needed.
#[inline(never)]
pub(crate) fn is_safe_rare(position: &Position, king: u8, from: u8, to: u8, hostile: u32) -> bool {
    is_safe(&position.pieces, &Test { king, from, to, pawn: NONE, hostile })
}
