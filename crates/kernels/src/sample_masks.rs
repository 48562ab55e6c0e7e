//! Drawing of actions by masks from an earlier step, in any format.
#![allow(
    unsafe_code,
    reason = "the memory of a batch is shared by threads and passed as addresses"
)]

use fourfold_env::Stream;

use crate::launch::{Grid, Kernel, Place};
use crate::rows::MaskArrays;
use crate::sample::nth_bit;
use crate::{Address, Quad, Sizes, for_every};

/// Threads for each row.
const LANES: usize = 8;
/// The most rows for each block.
const BLOCK_ROWS: usize = 32;
/// The most words of shared memory for each block, unless one row needs more.
const SHARED_WORDS: usize = 10_000;
/// The words that a thread reads at once, 16 bytes by each of two loads.
const UNIT_WORDS: usize = 8;

/// Draws a legal action by each mask: the one at index `⌊u · count⌋` of the legal actions in ascending order, where
/// `u` are 64 random bits as a fraction.
///
/// Masks of bits or bytes are read in units of several words, by neighboring threads. Units are aligned, so that a row
/// may begin and end within one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SampleMasks {
    /// The sizes of the batch.
    pub sizes: Sizes,
    /// The masks.
    pub masks: MaskArrays,
    /// The random bits of each row, as two halves, the higher one first.
    pub bits: Address<[u32; 2]>,
    /// Where the actions are written.
    pub out: Address<i32>,
}

/// The phases: counting the legal actions of each unit, adding up those of consecutive units, and drawing.
const COUNT: usize = 0;
const ADD: usize = 1;
const DRAW: usize = 2;

impl SampleMasks {
    /// Returns how to launch this kernel.
    pub const fn grid(&self) -> Grid {
        let fitting = SHARED_WORDS / self.row_words();
        let rows = if fitting == 0 {
            1
        } else if fitting < BLOCK_ROWS {
            fitting
        } else {
            BLOCK_ROWS
        };
        Grid {
            blocks: self.sizes.all_rows().div_ceil(rows),
            threads: rows * LANES,
            shared_words: rows * self.row_words(),
        }
    }

    /// Returns the words of shared memory of a row: a sum for each thread, and a count for each unit.
    #[inline(always)]
    const fn row_words(&self) -> usize {
        LANES + self.units()
    }

    /// Returns the most units that a row has bytes in.
    #[inline(always)]
    const fn units(&self) -> usize {
        (self.mask_bytes() + 15).div_ceil(4 * UNIT_WORDS)
    }

    #[inline(always)]
    const fn is_packed(&self) -> bool {
        self.masks.format == MaskArrays::PACKED
    }

    #[inline(always)]
    const fn mask_bytes(&self) -> usize {
        let actions = self.sizes.actions as usize;
        if self.is_packed() { actions.div_ceil(8) } else { actions }
    }

    /// Returns the address of the mask of a row.
    #[inline(always)]
    const fn start(&self, row: usize) -> u64 {
        self.masks.bytes.0 + (row * self.mask_bytes()) as u64
    }

    /// Returns the words of a unit, without the bytes of other rows, and their address.
    ///
    /// # Safety
    /// The row must have a mask.
    #[inline(always)]
    unsafe fn unit(&self, row: usize, unit: usize) -> ([u32; UNIT_WORDS], u64) {
        let (start, end) = (self.start(row), self.start(row + 1));
        let address = start / 16 * 16 + (4 * UNIT_WORDS * unit) as u64;
        // SAFETY: the caller promises it.
        let words = unsafe {
            if address >= start && address + 4 * UNIT_WORDS as u64 <= end {
                let [Quad([a, b, c, d]), Quad([e, f, g, h])] = *Address::new(address).get(0);
                [a, b, c, d, e, f, g, h]
            } else {
                core::array::from_fn(|index| self.word(row, address + 4 * index as u64))
            }
        };
        (words, address)
    }

    /// Returns the word at an address, with 0 in place of bytes that do not belong to a row.
    ///
    /// # Safety
    /// The row must have a mask.
    #[inline(always)]
    unsafe fn word(&self, row: usize, address: u64) -> u32 {
        let (start, end) = (self.start(row), self.start(row + 1));
        // SAFETY: only bytes of the row are read.
        unsafe {
            if address >= start && address + 4 <= end {
                return *Address::new(address).get(0);
            }
            let byte = |index: u64| {
                let place = address + index;
                let is_inside = place >= start && place < end;
                if is_inside {
                    u32::from(*Address::<u8>::new(place).get(0)) << (8 * index)
                } else {
                    0
                }
            };
            byte(0) | byte(1) | byte(2) | byte(3)
        }
    }

    /// Returns the number of legal actions in the words of a unit.
    #[inline(always)]
    fn count(&self, words: [u32; UNIT_WORDS]) -> u32 {
        if self.is_packed() {
            words.iter().map(|word| word.count_ones()).sum()
        } else {
            // Bytes are 0 or 1. Adding them up is faster than counting bits.
            let sums = words.iter().fold(0, |sums: u32, &word| sums.wrapping_add(word));
            sums.wrapping_mul(0x0101_0101) >> 24
        }
    }

    /// Returns which of `count` actions is drawn.
    ///
    /// # Safety
    /// There must be random bits for this row.
    #[inline(always)]
    unsafe fn rank(&self, row: usize, count: u32) -> u32 {
        // SAFETY: the caller promises it.
        let [high, low] = unsafe { *self.bits.get(row) };
        Stream::scale(u64::from(high) << 32 | u64::from(low), count.into()) as u32
    }

    /// Draws from a list of actions.
    ///
    /// # Safety
    /// There must be a list, random bits and an action for this row.
    #[inline(always)]
    unsafe fn draw_from_list(&self, row: usize) {
        let slots = self.masks.slots as usize;
        // SAFETY: the caller promises it.
        unsafe {
            let count = (*self.masks.counts.get(row)).clamp(0, slots as i32) as u32;
            let place = self.rank(row, count) as usize;
            *self.out.get(row) = (*self.masks.indices.get(row * slots + place)).max(0);
        }
    }

    /// Writes the action if it is in one of the units whose counts this thread has added up, beginning with `first`.
    ///
    /// # Safety
    /// There must be a mask, random bits and an action for this row.
    #[inline(always)]
    unsafe fn draw(&self, row: usize, lane: usize, first: usize, sums: &[u32], counts: &[u32]) {
        let (mut before, mut all) = (0, 0);
        for (other, &sum) in sums.iter().enumerate() {
            before += if other < lane { sum } else { 0 };
            all += sum;
        }
        // SAFETY: the caller promises it.
        unsafe {
            if all == 0 {
                // Only unreachable states have no legal action.
                if lane == 0 {
                    *self.out.get(row) = 0;
                }
                return;
            }
            let mut left = self.rank(row, all).wrapping_sub(before);
            if left >= sums[lane] {
                return;
            }
            let mut unit = first;
            while left >= counts[unit] {
                (left, unit) = (left - counts[unit], unit + 1);
            }
            let (words, address) = self.unit(row, unit);
            for (index, word) in words.into_iter().enumerate() {
                let count = word.count_ones();
                if left < count {
                    let bit = u64::from(nth_bit(word, left));
                    let byte = address + 4 * index as u64 + bit / 8 - self.start(row);
                    let action = if self.is_packed() { 8 * byte + bit % 8 } else { byte };
                    *self.out.get(row) = action as i32;
                    return;
                }
                left -= count;
            }
        }
    }
}

impl Kernel for SampleMasks {
    const NAME: &'static str = "sample_masks";

    #[inline(always)]
    fn next(&self, phase: usize, _: &[u32]) -> Option<usize> {
        (phase < DRAW && self.masks.format != MaskArrays::SPARSE).then_some(phase + 1)
    }

    #[inline(always)]
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]) {
        let (own, lane) = (place.thread / LANES, place.thread % LANES);
        let row = place.block * (place.threads / LANES) + own;
        if row >= self.sizes.all_rows() {
            return;
        }
        // SAFETY: there are a mask, random bits and an action for each row, which one thread writes.
        unsafe {
            if self.masks.format == MaskArrays::SPARSE {
                if lane == 0 {
                    self.draw_from_list(row);
                }
                return;
            }
            let words = &mut shared[own * self.row_words()..][..self.row_words()];
            let (sums, counts) = words.split_at_mut(LANES);
            let each = counts.len().div_ceil(LANES);
            let (first, end) = (lane * each, (lane * each + each).min(counts.len()));
            match phase {
                COUNT => for_every(lane, LANES, counts.len(), |unit| {
                    let (words, _) = self.unit(row, unit);
                    counts[unit] = self.count(words);
                }),
                ADD => {
                    sums[lane] = 0;
                    for_every(first, 1, end, |unit| sums[lane] += counts[unit]);
                }
                _ => self.draw(row, lane, first, sums, counts),
            }
        }
    }
}
