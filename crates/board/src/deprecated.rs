//! Former names, for one release.

use alloc::string::String;

use crate::{Bitboard, Geometry, Square};

/// The former path of [`fourfold_common::SplitMix64`].
#[deprecated(note = "moved to `fourfold_common`")]
pub type SplitMix64 = fourfold_common::SplitMix64;

/// The former name of [`fourfold_common::SplitMix64`].
#[deprecated(note = "moved to `fourfold_common` and renamed to `SplitMix64`")]
pub type Keys = fourfold_common::SplitMix64;

/// The former path of [`fourfold_common::quote_short`].
#[deprecated(note = "moved to `fourfold_common`")]
pub fn quote_short(text: &str) -> String {
    fourfold_common::quote_short(text)
}

/// The former name of [`fourfold_common::quote_short`].
#[deprecated(note = "moved to `fourfold_common` and renamed to `quote_short`")]
pub fn shown(text: &str) -> String {
    fourfold_common::quote_short(text)
}

/// The former path of [`fourfold_common::cpu`].
#[deprecated(note = "moved to `fourfold_common`")]
pub mod cpu {
    pub use fourfold_common::cpu::*;

    /// The former name of [`Baseline`].
    #[deprecated(note = "renamed to `Baseline`")]
    pub type Plain = Baseline;

    /// The former name of [`dispatch`].
    #[deprecated(note = "renamed to `dispatch`")]
    pub fn enter<W: Work>(work: W) -> W::Output {
        dispatch(work)
    }

    /// The former name of [`nonzero_mask_u32`].
    #[deprecated(note = "renamed to `nonzero_mask_u32`")]
    pub fn nonzero(words: &[u32; 8]) -> u8 {
        nonzero_mask_u32(words)
    }

    /// The former name of [`nonzero_mask_u16`].
    #[deprecated(note = "renamed to `nonzero_mask_u16`")]
    pub fn nonzero_halves(words: &[u16; 8]) -> u8 {
        nonzero_mask_u16(words)
    }

    /// The former name of [`copy_streaming`].
    #[deprecated(note = "renamed to `copy_streaming`")]
    pub fn stream(from: &[u8], to: &mut [u8]) {
        copy_streaming(from, to);
    }
}

impl<const W: usize> Bitboard<W> {
    /// The former name of [`Self::iter_by_word`].
    #[deprecated(note = "renamed to `iter_by_word`")]
    pub fn by_words(self) -> impl Iterator<Item = Square> {
        self.iter_by_word()
    }

    /// The former name of [`Self::intersects`].
    #[deprecated(note = "renamed to `intersects`")]
    pub const fn meets(self, other: Bitboard<W>) -> bool {
        self.intersects(other)
    }

    /// The former name of [`Self::more_than_one`].
    #[deprecated(note = "renamed to `more_than_one`")]
    pub const fn has_several(self) -> bool {
        self.more_than_one()
    }
}

impl<const N: usize, const W: usize> Geometry<N, W> {
    /// The former name of [`Self::squares`].
    #[deprecated(note = "renamed to `squares`")]
    pub const fn exists(&self) -> Bitboard<W> {
        self.squares()
    }

    /// The former name of [`Self::dense_index`].
    #[deprecated(note = "renamed to `dense_index`")]
    pub const fn number(&self, square: Square) -> usize {
        self.dense_index(square)
    }

    /// The former name of [`Self::from_dense_index`].
    #[deprecated(note = "renamed to `from_dense_index`")]
    pub const fn numbered(&self, index: usize) -> Option<Square> {
        self.from_dense_index(index)
    }
}
