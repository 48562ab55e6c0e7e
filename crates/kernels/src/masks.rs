//! Packed masks, and writing them in the formats of the outputs.

use fourfold_env::ActionSink;

use crate::{Quad, Sizes, shared};

/// Returns whether an action is legal.
#[inline(always)]
pub fn is_legal(sizes: &Sizes, mask: &[u32], action: i32) -> bool {
    // A negative action becomes larger than any id.
    let id = action as u32;
    id < sizes.actions && mask[id as usize / 32] >> (id % 32) & 1 != 0
}

/// Returns a word of a mask that allows all actions, as in a finished game.
#[inline(always)]
pub(crate) fn all_actions(sizes: &Sizes, word: usize) -> u32 {
    match sizes.actions.saturating_sub(32 * word as u32) {
        left @ 0..32 => (1 << left) - 1,
        _ => u32::MAX,
    }
}

/// Sets the bits of legal actions in shared memory, together with other threads.
pub(crate) struct MaskSink<'a> {
    /// The mask.
    pub(crate) words: &'a mut [u32],
    /// The number of actions that this thread has added.
    pub(crate) count: u32,
}

impl ActionSink for MaskSink<'_> {
    #[inline(always)]
    fn push(&mut self, action: u32) {
        shared::or(&mut self.words[action as usize / 32], 1 << (action % 32));
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
        let (low, high) = (bits as u32, (bits >> 32) as u32);
        // The bits that are shifted out of a word; a shift by 32 would be undefined.
        let beyond = |word: u32| word >> 1 >> (31 - shift);
        let (first, second, third) = (low << shift, high << shift | beyond(low), beyond(high));
        // Not a loop, which would put the words in slow memory.
        if first != 0 {
            shared::or(&mut self.words[index], first);
        }
        if second != 0 {
            shared::or(&mut self.words[index + 1], second);
        }
        if third != 0 {
            shared::or(&mut self.words[index + 2], third);
        }
    }
}

/// Returns four bytes of consecutive masks, with one bit per action.
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

/// Returns four bytes of a mask of `length` bytes, and if there are fewer, the first ones of the next mask.
#[inline(always)]
pub(crate) fn packed_at(mask: &[u32], next: u32, length: u32, byte: u32) -> u32 {
    let (word, shift) = (byte as usize / 4, byte % 4 * 8);
    let second = mask.get(word + 1).copied().unwrap_or(0);
    let bits = mask[word] >> shift | second << 1 << (31 - shift);
    match length - byte {
        left @ 0..4 => bits | next << (8 * left),
        _ => bits,
    }
}

/// Returns 16 bits of a mask from an action on, and if there are fewer, the first ones of the next mask.
#[inline(always)]
pub(crate) fn sixteen_bits(actions: u32, mask: &[u32], next: &[u32], action: u32) -> u32 {
    let (word, shift) = (action as usize / 32, action % 32);
    let second = mask.get(word + 1).copied().unwrap_or(0);
    let bits = mask[word] >> shift | second << 1 << (31 - shift);
    match actions - action {
        left @ 0..16 => bits | next.first().copied().unwrap_or(0) << left,
        _ => bits,
    }
}

impl Quad {
    /// Spreads 16 bits over 16 bytes.
    #[inline(always)]
    pub(crate) fn of_bits(bits: u32) -> Quad {
        Quad(core::array::from_fn(|part| spread(bits >> (4 * part) & 15)))
    }
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
    /// Does one of two phases of the work of a thread. `limit` returns the number that is reported, given how many
    /// actions are legal and how many fit.
    #[inline(always)]
    pub fn run(
        &mut self,
        phase: usize,
        thread: usize,
        threads: usize,
        shared: &mut [u32],
        limit: impl FnOnce(usize, usize) -> usize,
    ) {
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
            *self.count = limit(all, self.out.len()) as i32;
        }
        let mut place = all + thread;
        while let Some(out) = self.out.get_mut(place) {
            *out = -1;
            place += threads;
        }
    }
}
