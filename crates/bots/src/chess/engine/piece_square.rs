//! The value of each piece on each square, in the middlegame and in the endgame.
//!
//! The values were tuned with Texel's method: they best predict the results of the engine's own
//! games from their quiet positions, while staying close to simple tables and to the values of
//! neighboring squares. The wings are symmetric, so the tables show the files a to d as White sees
//! the board, with the eighth rank on top.

use fourfold_board::Square;
use fourfold_chess::{Color, Role};

use super::taper::Taper;

/// Returns the value of a piece on its square, for White: Black's pieces count as negative.
#[inline(always)]
pub(super) fn worth(color: Color, role: Role, square: Square) -> Taper {
    WORTH[color as usize][role as usize][square.index() & 63]
}

/// Returns the value of a role in the middlegame, without that of its square.
pub(super) const fn material(role: Role) -> i32 {
    MATERIAL[role as usize].0
}

static WORTH: [[[Taper; 64]; 6]; 2] = fill();

const MATERIAL: [Taper; 6] = [
    Taper(75, 154),
    Taper(315, 280),
    Taper(345, 306),
    Taper(457, 527),
    Taper(1005, 950),
    Taper(0, 0),
];

const fn fill() -> [[[Taper; 64]; 6]; 2] {
    let mut worth = [[[Taper(0, 0); 64]; 6]; 2];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let file = square & 7;
            let file = if file < 4 { file } else { 7 - file };
            let here = Taper(MIDDLE[role][7 - square / 8][file], END[role][7 - square / 8][file]);
            let whole = MATERIAL[role].plus(here);
            // Black's values are mirrored and negated.
            worth[0][role][square] = whole;
            worth[1][role][square ^ 56] = Taper(0, 0).minus(whole);
            square += 1;
        }
        role += 1;
    }
    worth
}

#[rustfmt::skip]
const MIDDLE: [[[i32; 4]; 8]; 6] = [
    [
        [   0,    0,    0,    0],
        [  49,   53,   56,   59],
        [   8,   10,   14,   17],
        [ -15,   -9,   -6,   -5],
        [ -20,  -18,  -15,   -5],
        [ -26,  -13,  -17,  -17],
        [ -37,  -18,  -20,  -30],
        [   0,    0,    0,    0],
    ],
    [
        [ -30,  -20,  -12,   -4],
        [ -20,   -5,    3,   10],
        [ -10,    3,   17,   24],
        [  -1,   10,   24,   36],
        [  -2,    9,   21,   32],
        [ -17,   -3,    7,   20],
        [ -25,  -10,   -3,    8],
        [ -30,  -20,  -14,   -6],
    ],
    [
        [ -14,  -10,   -6,   -3],
        [  -9,   -5,   -2,    1],
        [  -4,    0,    3,    5],
        [   1,    5,    5,    8],
        [   2,    4,    4,   10],
        [   0,    3,    0,    3],
        [   1,    8,    0,    2],
        [  -6,   -3,   -7,   -2],
    ],
    [
        [  -1,    2,    5,    8],
        [  11,   14,   17,   20],
        [   0,    2,    5,    9],
        [  -3,   -1,    3,    6],
        [  -8,   -5,   -1,    2],
        [ -13,   -8,   -4,   -1],
        [ -16,  -10,   -3,   -1],
        [ -18,  -15,   -1,   -1],
    ],
    [
        [  -1,    1,    2,    3],
        [   1,    2,    4,    5],
        [   3,    4,    4,    5],
        [   4,    3,    2,    2],
        [   0,    1,    0,    0],
        [  -2,   -1,   -1,   -4],
        [  -5,   -3,   -1,   -1],
        [  -8,   -6,   -4,    2],
    ],
    [
        [ -37,  -45,  -53,  -61],
        [ -37,  -46,  -54,  -61],
        [ -37,  -46,  -54,  -62],
        [ -37,  -45,  -54,  -62],
        [ -32,  -40,  -49,  -58],
        [ -16,  -24,  -33,  -44],
        [  10,    4,  -11,  -21],
        [  25,   29,    8,   -3],
    ],
];

#[rustfmt::skip]
const END: [[[i32; 4]; 8]; 6] = [
    [
        [   0,    0,    0,    0],
        [  63,   65,   64,   63],
        [  21,   22,   20,   20],
        [ -13,  -10,  -16,  -19],
        [ -21,  -21,  -29,  -32],
        [ -21,  -21,  -21,  -28],
        [ -23,  -18,  -14,  -21],
        [   0,    0,    0,    0],
    ],
    [
        [ -18,  -13,   -8,   -4],
        [ -12,   -3,    1,    5],
        [  -7,    2,   11,   15],
        [  -1,    8,   17,   25],
        [  -1,    7,   16,   25],
        [  -7,    1,    8,   13],
        [ -13,   -5,   -2,    2],
        [ -18,  -14,  -11,   -7],
    ],
    [
        [  -5,   -3,   -1,    0],
        [  -3,    0,    2,    2],
        [  -1,    2,    3,    3],
        [   1,    5,    5,    4],
        [   1,    3,    6,    6],
        [  -1,   -1,    2,    7],
        [  -4,   -2,   -1,    3],
        [  -7,   -6,   -6,   -3],
    ],
    [
        [  12,   11,   10,    9],
        [  12,   12,   11,   11],
        [   5,    4,    3,    3],
        [   3,    2,    1,    1],
        [  -2,   -2,   -2,   -3],
        [  -6,   -5,   -5,   -6],
        [  -9,   -8,   -8,   -9],
        [ -11,   -7,   -7,   -8],
    ],
    [
        [ -10,   -5,   -1,    3],
        [  -5,   -1,    3,    7],
        [  -1,    3,    7,   11],
        [   2,    6,   10,   14],
        [   0,    5,    9,   13],
        [  -5,   -1,    3,    6],
        [ -11,   -7,   -4,   -2],
        [ -17,  -13,  -11,   -9],
    ],
    [
        [ -21,  -14,   -8,    1],
        [ -14,   -9,   -4,    6],
        [  -8,   -6,   -2,   10],
        [  -2,    3,    9,   16],
        [  -1,    7,   12,   18],
        [  -5,    4,   11,   14],
        [ -10,    1,    7,   12],
        [ -18,   -7,   -3,    3],
    ],
];
