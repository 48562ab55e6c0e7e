//! Packed masks, and writing them in the formats of the outputs.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::{Quad, Sizes};
use fourfold_env::ActionSink;

/// The masks of one game, one for each row, to be filled. They are empty when a step begins.
pub struct Masks<'a> {
    sizes: &'a Sizes,
    /// The words of all rows, lowest action first.
    words: &'a [AtomicU32],
    /// The number of legal actions of each row.
    counts: &'a mut [u32],
}

impl<'a> Masks<'a> {
    /// Creates the masks of a game from their words and counts.
    #[inline(always)]
    pub fn new(sizes: &'a Sizes, words: &'a [AtomicU32], counts: &'a mut [u32]) -> Masks<'a> {
        Masks { sizes, words, counts }
    }

    /// Clears all rows.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }

    /// Allows all actions, as in a finished game.
    #[inline(always)]
    pub fn allow_all(&mut self) {
        let words = self.sizes.mask_words as usize;
        for (row, count) in self.counts.iter_mut().enumerate() {
            *count = self.sizes.actions;
            let mut left = self.sizes.actions;
            for word in &self.words[row * words..][..words] {
                word.store(if left >= 32 { u32::MAX } else { (1 << left) - 1 }, Ordering::Relaxed);
                left = left.saturating_sub(32);
            }
        }
    }

    /// Returns a sink that adds actions to a row.
    #[inline(always)]
    pub(crate) fn sink(&self, row: usize) -> MaskSink<'a> {
        let words = self.sizes.mask_words as usize;
        MaskSink { words: &self.words[row * words..][..words], count: 0 }
    }

    #[inline(always)]
    pub(crate) fn set_count(&mut self, row: usize, count: u32) {
        self.counts[row] = count;
    }
}

/// Returns whether an action is legal.
#[inline(always)]
pub fn is_legal(sizes: &Sizes, mask: &[u32], action: i32) -> bool {
    // A negative action becomes larger than any id.
    let id = action as u32;
    id < sizes.actions && mask[id as usize / 32] >> (id % 32) & 1 != 0
}

/// Returns the `nth` legal action in ascending order, where `nth` is less than their number.
#[inline(always)]
pub fn nth(mask: &[u32], nth: usize) -> usize {
    /// Words that are read at once, so that the loads do not wait for each other.
    const GROUP: usize = 8;
    let mut left = nth as u32;
    let mut first = 0;
    while let Some(group) = mask.get(first..).and_then(|rest| rest.first_chunk::<GROUP>()) {
        let count: u32 = group.iter().map(|word| word.count_ones()).sum();
        if left < count {
            break;
        }
        left -= count;
        first += GROUP;
    }
    for (index, &word) in mask[first..].iter().enumerate() {
        let count = word.count_ones();
        if left < count {
            return 32 * (first + index) + nth_bit(word, left) as usize;
        }
        left -= count;
    }
    0
}

/// Sets the bits of legal actions.
pub(crate) struct MaskSink<'a> {
    words: &'a [AtomicU32],
    pub(crate) count: u32,
}

impl ActionSink for MaskSink<'_> {
    #[inline(always)]
    fn push(&mut self, action: u32) {
        // No other thread writes to these words, but an atomic operation whose result is not needed
        // does not wait for memory.
        self.words[action as usize / 32].fetch_or(1 << (action % 32), Ordering::Relaxed);
        self.count += 1;
    }

    #[inline(always)]
    fn push_run(&mut self, first: u32, count: u32) {
        // No run is longer than a board.
        self.push_bits(first, (1 << count) - 1);
    }

    #[inline(always)]
    fn push_bits(&mut self, first: u32, bits: u64) {
        self.count += bits.count_ones();
        let (index, shift) = (first as usize / 32, first % 32);
        let low = bits << shift;
        let high = bits >> 32 >> (32 - shift);
        for (word, bits) in [low as u32, (low >> 32) as u32, high as u32].into_iter().enumerate() {
            if bits != 0 {
                self.words[index + word].fetch_or(bits, Ordering::Relaxed);
            }
        }
    }
}

/// Returns the index of the `nth` bit that is set.
#[inline(always)]
fn nth_bit(mut word: u32, nth: u32) -> u32 {
    for _ in 0..nth {
        word &= word - 1;
    }
    word.trailing_zeros()
}

/// Returns four bytes of the masks of all rows, with one bit per action.
#[inline(always)]
pub fn packed_word(sizes: &Sizes, masks: &[u32], index: usize) -> u32 {
    let (bytes, words) = (sizes.actions.div_ceil(8), sizes.mask_words);
    // Rows that consist of whole words are stored as they are written.
    if bytes.is_multiple_of(4) {
        return masks[index];
    }
    let (mut row, mut byte) = (4 * index as u32 / bytes, 4 * index as u32 % bytes);
    let mut out = [0; 4];
    for out in &mut out {
        let word = masks.get((row * words + byte / 4) as usize).copied().unwrap_or(0);
        *out = (word >> (byte % 4 * 8)) as u8;
        byte += 1;
        if byte == bytes {
            (row, byte) = (row + 1, 0);
        }
    }
    u32::from_le_bytes(out)
}

/// Returns 16 bytes of the masks of all rows, with one byte per action.
#[inline(always)]
pub fn bools(sizes: &Sizes, masks: &[u32], index: usize) -> Quad {
    let (actions, words) = (sizes.actions as usize, sizes.mask_words as usize);
    let first = 16 * index;
    let (mut row, mut action) = (first / actions, first % actions);
    let mut bits = 0;
    if action + 16 <= actions {
        let word = &masks[row * words + action / 32..];
        let low = word[0] >> (action % 32);
        bits = if action % 32 > 16 { low | word[1] << (32 - action % 32) } else { low };
    } else {
        // These bytes belong to several rows, or are behind the last one.
        for place in 0..16 {
            let word = masks.get(row * words + action / 32).copied().unwrap_or(0);
            bits |= (word >> (action % 32) & 1) << place;
            action += 1;
            if action == actions {
                (row, action) = (row + 1, 0);
            }
        }
    }
    Quad(core::array::from_fn(|part| spread(bits >> (4 * part) & 15)))
}

/// Spreads four bits over the four bytes of a word.
#[inline(always)]
const fn spread(bits: u32) -> u32 {
    bits.wrapping_mul(0x0020_4081) & 0x0101_0101
}

/// Writes the legal actions of a row in ascending order, padded with −1, and their number. If all
/// actions are allowed, fills the row with the first of them. A block writes one row.
pub struct WriteIndices<'a> {
    /// The mask of the row.
    pub mask: &'a [u32],
    /// The actions.
    pub out: &'a mut [i32],
    /// The number of actions.
    pub count: &'a mut i32,
}

impl WriteIndices<'_> {
    /// Does one of two phases of the work of a thread.
    #[inline(always)]
    pub fn run(&mut self, phase: usize, thread: usize, threads: usize, shared: &mut [u32]) {
        let each = self.mask.len().div_ceil(threads);
        let first = (thread * each).min(self.mask.len());
        let own = &self.mask[first..(first + each).min(self.mask.len())];
        if phase == 0 {
            shared[thread] = own.iter().map(|word| word.count_ones()).sum();
            return;
        }
        let mut next = shared[..thread].iter().sum::<u32>() as usize;
        for (index, &word) in own.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                if let Some(out) = self.out.get_mut(next) {
                    *out = (32 * (first + index) as u32 + rest.trailing_zeros()) as i32;
                }
                rest &= rest - 1;
                next += 1;
            }
        }
        let all = shared[..threads].iter().sum::<u32>() as usize;
        if thread == 0 {
            *self.count = all.min(self.out.len()) as i32;
        }
        let mut place = all + thread;
        while let Some(out) = self.out.get_mut(place) {
            *out = -1;
            place += threads;
        }
    }
}
