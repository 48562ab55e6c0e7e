//! Writing the masks of a block in the formats of the outputs.
#![allow(unsafe_code, reason = "outputs are passed as addresses")]

use core::ops::Range;

use fourfold_env::DeviceGame;

use crate::block::quads;
use crate::launch::Place;
use crate::masks::{packed_at, sixteen_bits};
use crate::shared::Words;
use crate::{Address, Quad, Sizes, for_every};

/// Where a block writes masks for the caller, if anywhere. The rows of a block must begin at a multiple of 16 bytes,
/// see [`MaskOutputs::fits`].
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaskOutputs {
    /// Masks with one bit per action.
    pub packed: Address<Quad>,
    /// Masks with one byte per action.
    pub bools: Address<Quad>,
}

impl MaskOutputs {
    /// No outputs.
    pub const NONE: MaskOutputs = MaskOutputs { packed: Address::NONE, bools: Address::NONE };

    /// Returns whether blocks with so many rows can write masks of so many bytes each. If rows do not consist of whole
    /// words, 16 bytes at a time must belong to one block, and to at most two rows.
    pub const fn fits<G: DeviceGame>(rows_per_block: usize, mask_bytes: usize) -> bool {
        let has_whole_units = (rows_per_block * mask_bytes).is_multiple_of(16);
        G::ACTIONS_FILL_WORDS || mask_bytes >= 16 && has_whole_units
    }

    /// Returns whether anything is written.
    #[inline(always)]
    pub const fn writes(&self) -> bool {
        self.packed.0 != 0 || self.bools.0 != 0
    }

    /// Writes this thread's share of some rows of a block, given as words. The number of actions must be a multiple
    /// of 32, so that the outputs have the words of the masks.
    ///
    /// # Safety
    /// All rows must have room in the outputs, and `masks` must begin with those of the block, whose first word has
    /// the index `first_word` among all masks.
    #[inline(always)]
    pub(crate) unsafe fn write_words(
        &self,
        first_word: usize,
        words: Range<usize>,
        place: Place,
        masks: &[u32],
    ) {
        let Range { start, end } = words;
        // SAFETY: the caller promises it.
        unsafe {
            if self.packed.0 != 0 {
                let out = Address::new(self.packed.0).at(first_word);
                copy_words(out, masks, start..end, place);
            }
            if self.bools.0 != 0 {
                let out = self.bools.at(2 * first_word);
                for_every(2 * start + place.thread, place.threads, 2 * end, |index| {
                    *out.get(index) = Quad::of_bits(masks[index / 2] >> (index % 2 * 16));
                });
            }
        }
    }

    /// Writes this thread's share of the first rows of a block, where the number of actions is not a multiple of 32. Up
    /// to 15 bytes too many may be written at the end of all masks, but not with `ROWS`.
    ///
    /// # Safety
    /// All rows must have room in the outputs. `masks` must begin with those of the block, with a word behind them.
    #[inline(always)]
    pub(crate) unsafe fn write_units<const ROWS: bool>(
        &self,
        sizes: &Sizes,
        first_row: usize,
        rows: u32,
        place: Place,
        masks: &[u32],
    ) {
        let left = sizes.all_rows() - first_row;
        let length = if self.packed.0 != 0 { sizes.actions.div_ceil(8) } else { sizes.actions };
        let out = self.packed.0 + self.bools.0 + first_row as u64 * u64::from(length);
        let words = sizes.mask_words;
        assert!(masks.len() > (rows * words) as usize, "there is a word behind the masks");
        let fast = Words::new(masks);
        for_units(place, rows, length, |unit, row, byte| {
            // What belongs to the next row is not used, or nothing is there.
            let own = &masks[(row * words) as usize..];
            let quad = if self.packed.0 != 0 {
                let (own, behind) = own.split_at(words as usize);
                let next = behind.first().copied().unwrap_or(0);
                let word = |index: u32| match byte + 4 * index {
                    byte if byte < length => packed_at(own, next, length, byte),
                    byte => packed_at(behind, 0, length, byte - length),
                };
                Quad([word(0), word(1), word(2), word(3)])
            } else if length - byte >= 16 {
                // If the second word belongs to the next row, none of its bits is among the lowest sixteen.
                let word = row * words + byte / 32;
                // SAFETY: both words are among the masks, or the word behind them.
                let (first, second) = unsafe { (fast.get(word), fast.get(word + 1)) };
                Quad::of_bits(first >> (byte % 32) | second << 1 << (31 - byte % 32))
            } else {
                let (own, behind) = own.split_at(words as usize);
                Quad::of_bits(sixteen_bits(length, own, behind, byte))
            };
            // SAFETY: the caller promises it.
            unsafe { write_unit::<ROWS>(out, unit, left * length as usize, quad) };
        });
    }
}

/// Writes this thread's share of some words: 16 bytes at a time if all addresses allow it.
///
/// # Safety
/// The address must have room for the words up to the end of the range.
#[inline(always)]
pub(crate) unsafe fn copy_words(
    out: Address<u32>,
    words: &[u32],
    range: Range<usize>,
    place: Place,
) {
    let Range { start, end } = range;
    // SAFETY: the caller promises that there is room, and threads write different words.
    unsafe {
        if out.0.is_multiple_of(16) && start.is_multiple_of(4) && end.is_multiple_of(4) {
            let (out, words) = (Address::<Quad>::new(out.0), quads(words));
            for_every(start / 4 + place.thread, place.threads, end / 4, |index| {
                *out.get(index) = words[index];
            });
        } else {
            for_every(start + place.thread, place.threads, end, |index| {
                *out.get(index) = words[index];
            });
        }
    }
}

/// Writes 16 bytes, but with `ROWS` none from `end` on.
///
/// # Safety
/// There must be room for the bytes.
#[inline(always)]
unsafe fn write_unit<const ROWS: bool>(out: u64, unit: u32, end: usize, quad: Quad) {
    let start = 16 * unit as usize;
    // SAFETY: the caller promises it.
    unsafe {
        if ROWS && start + 16 > end {
            let Quad([a, b, c, d]) = quad;
            for index in start..end {
                let byte = index % 16;
                let low = if byte < 4 { a } else { b };
                let high = if byte < 12 { c } else { d };
                let word = if byte < 8 { low } else { high };
                *Address::<u8>::new(out).get(index) = (word >> (byte % 4 * 8)) as u8;
            }
        } else {
            *Address::<Quad>::new(out).get(unit as usize) = quad;
        }
    }
}

/// Calls `work` with this thread's share of the units of 16 bytes that the rows of a block fill, of `length` bytes each:
/// the index of the unit, the row of its first byte, and the index of that byte in its row.
#[inline(always)]
fn for_units(place: Place, rows: u32, length: u32, mut work: impl FnMut(u32, u32, u32)) {
    let threads = place.threads as u32;
    let end = (rows * length).div_ceil(16);
    let mut unit = place.thread as u32;
    // Only two divisions for all units.
    let (mut row, mut byte) = (16 * unit / length, 16 * unit % length);
    let (more_rows, more_bytes) = (16 * threads / length, 16 * threads % length);
    while unit < end {
        work(unit, row, byte);
        unit += threads;
        (row, byte) = (row + more_rows, byte + more_bytes);
        if byte >= length {
            (row, byte) = (row + 1, byte - length);
        }
    }
}
