//! The two sides as types, so that their differences are resolved at compile time.

use fourfold_board::Square;

use crate::{Bitboard, Color};

/// A side. Forward is toward its enemy; east is toward the h-file for both sides.
pub(crate) trait Side: 'static {
    /// The other side.
    type Them: Side<Them = Self>;
    const COLOR: Color;
    /// What a step forward adds to a square's index.
    const FORWARD: i32;
    /// The side's own first rank.
    const FIRST_RANK: Bitboard;
    /// The third rank: a step onto it may be extended to a double step.
    const THIRD_RANK: Bitboard;
    /// Where pawns promote.
    const LAST_RANK: Bitboard;

    /// Moves a set of squares one step forward.
    fn forward(set: Bitboard) -> Bitboard;

    /// Returns the squares that pawns on a set of squares attack toward the h-file.
    #[inline(always)]
    fn east(set: Bitboard) -> Bitboard {
        Bitboard::from_words([Self::forward(set & !FILE_H).words()[0] << 1])
    }

    /// Returns the squares that pawns on a set of squares attack toward the a-file.
    #[inline(always)]
    fn west(set: Bitboard) -> Bitboard {
        Bitboard::from_words([Self::forward(set & !FILE_A).words()[0] >> 1])
    }
}

pub(crate) const FILE_A: Bitboard = Bitboard::from_words([0x0101_0101_0101_0101]);
pub(crate) const FILE_H: Bitboard = Bitboard::from_words([0x8080_8080_8080_8080]);

/// The first ranks of both sides, where pawns promote.
pub(crate) const FIRST_RANKS: Bitboard = rank(0).union(rank(7));

/// Returns the square on the rank of one square and the file of the other, which is where a pawn
/// captured en passant stands.
#[inline(always)]
pub(crate) const fn rank_file_square(rank: Square, file: Square) -> Square {
    Square::new(rank.index() & 56 | file.index() & 7)
}

const fn rank(rank: u32) -> Bitboard {
    Bitboard::from_words([0xff << (8 * rank)])
}

pub(crate) enum White {}

impl Side for White {
    type Them = Black;
    const COLOR: Color = Color::White;
    const FORWARD: i32 = 8;
    const FIRST_RANK: Bitboard = rank(0);
    const THIRD_RANK: Bitboard = rank(2);
    const LAST_RANK: Bitboard = rank(7);

    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        Bitboard::from_words([set.words()[0] << 8])
    }
}

pub(crate) enum Black {}

impl Side for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
    const FORWARD: i32 = -8;
    const FIRST_RANK: Bitboard = rank(7);
    const THIRD_RANK: Bitboard = rank(5);
    const LAST_RANK: Bitboard = rank(0);

    #[inline(always)]
    fn forward(set: Bitboard) -> Bitboard {
        Bitboard::from_words([set.words()[0] >> 8])
    }
}
