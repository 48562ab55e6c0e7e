//! Drawing random legal actions.
#![allow(unsafe_code, reason = "the memory of a batch is passed as addresses")]

use fourfold_env::{DeviceGame, Stream};

use crate::launch::{Kernel, Place, kernel};
use crate::{Address, GROUP_WORDS, Memory, Quad, Sizes};

kernel! {
    /// Draws a random legal action for each row: a thread for each game.
    Sample {
        /// Draw from streams of this seed instead of the games' own, if `seeded` is not 0.
        seed: u64,
        /// Whether there is a seed.
        seeded: u32,
        /// The actions.
        out: Address<i32>,
    }
}

impl<G: DeviceGame> Kernel for Sample<G> {
    const NAME: &'static str = "sample";
    const HAS_PHASES: bool = false;

    #[inline(always)]
    unsafe fn run(&self, _: usize, place: Place, _: &mut [u32]) {
        let Sizes { games, rows, .. } = self.memory.sizes;
        let (game, rows) = (place.index(), rows as usize);
        if game >= games as usize {
            return;
        }
        let mut seeded = Stream::new(self.seed, game as u64);
        // SAFETY: the batch has this game, and only this thread works on it.
        unsafe {
            let stream = if self.seeded != 0 { &mut seeded } else { self.memory.stream(game) };
            for row in game * rows..(game + 1) * rows {
                let count = *self.memory.counts.get(row) as usize;
                *self.out.get(row) = self.nth_action(row, stream.below(count) as u32) as i32;
            }
        }
    }
}

impl<G: DeviceGame> Sample<G> {
    /// Returns the `nth` legal action of a row; 0 if there is none, as in unreachable states.
    #[inline(always)]
    unsafe fn nth_action(&self, row: usize, nth: u32) -> u32 {
        let Sizes { mask_words, .. } = self.memory.sizes;
        let stride = self.memory.sizes.group_stride() as usize;
        // SAFETY: the batch has this row, and the numbers of each row begin at a multiple of 16 bytes.
        unsafe {
            let counts = Address::<Quad>::new(self.memory.group_counts.at(row * stride).0);
            let (mut left, mut quad) = (nth, 0);
            let mut pairs = [0; 4];
            while quad < stride / 8 {
                Quad(pairs) = *counts.get(quad);
                // Groups are small, so nothing is carried from one half to the other.
                let sums = pairs[0] + pairs[1] + pairs[2] + pairs[3];
                let sum = (sums & 0xffff) + (sums >> 16);
                if left < sum {
                    break;
                }
                (left, quad) = (left - sum, quad + 1);
            }
            let [a, b, c, d] = pairs;
            let halves = [
                a & 0xffff,
                a >> 16,
                b & 0xffff,
                b >> 16,
                c & 0xffff,
                c >> 16,
                d & 0xffff,
                d >> 16,
            ];
            let (group, left) = skip(halves, left);
            let first = (8 * quad as u32 + group) * GROUP_WORDS as u32;
            // All words are loaded before the first one is looked at.
            let mask = self.memory.mask(row);
            let words: [u32; GROUP_WORDS] = core::array::from_fn(|index| {
                let index = first + index as u32;
                if index < mask_words { mask[index as usize] } else { 0 }
            });
            let (index, left) = skip(words.map(u32::count_ones), left);
            // Not an index known only at run time, which would put the words in slow memory.
            let mut word = 0;
            for (place, &found) in words.iter().enumerate() {
                word = if place as u32 == index { found } else { word };
            }
            if word == 0 { 0 } else { 32 * (first + index) + nth_bit(word, left) }
        }
    }
}

/// Returns how many numbers, beginning with the first one, can be subtracted from another one, and what is
/// left of it.
#[inline(always)]
fn skip<const COUNT: usize>(numbers: [u32; COUNT], from: u32) -> (u32, u32) {
    let (mut left, mut skipped, mut goes_on) = (from, 0, true);
    for number in numbers {
        goes_on &= left >= number;
        left -= if goes_on { number } else { 0 };
        skipped += u32::from(goes_on);
    }
    (skipped, left)
}

/// Returns the index of the `nth` bit that is set.
#[inline(always)]
pub(crate) fn nth_bit(mut word: u32, nth: u32) -> u32 {
    for _ in 0..nth {
        word &= word - 1;
    }
    word.trailing_zeros()
}
