//! Drawing random legal actions.
#![allow(unsafe_code, reason = "the memory of a batch is passed as addresses")]

use fourfold_env::{DeviceGame, Stream};

use crate::launch::{Grid, Kernel, Place, games_of_rows, kernel};
use crate::{Address, Memory, Sizes};

/// Threads that read the mask of one row.
const LANES: usize = 8;
/// Words that are loaded at once, so that they wait for memory together.
const GROUP: usize = 8;
/// The most rows of a block.
const ROWS: usize = 32;

kernel! {
    /// Draws a random legal action for each row: [`Sample::grid`].
    Sample {
        /// Draw from streams of this seed instead of the games' own, if `seeded` is not 0.
        seed: u64,
        /// Whether there is a seed.
        seeded: u32,
        /// The actions.
        out: Address<i32>,
    }
}

impl<G> Sample<G> {
    /// Returns how many blocks, threads and words of shared memory the kernel needs.
    pub const fn grid(sizes: &Sizes) -> Grid {
        Grid::of_rows(sizes, ROWS, LANES, 1, 1)
    }
}

impl<G: DeviceGame> Kernel for Sample<G> {
    const NAME: &'static str = "sample";

    #[inline(always)]
    fn next(&self, phase: usize, _: &[u32]) -> Option<usize> {
        (phase == 0).then_some(1)
    }

    #[inline(always)]
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]) {
        let sizes = &self.memory.sizes;
        let rows = sizes.rows as usize;
        let per_block = games_of_rows(ROWS, rows);
        let first_game = place.block * per_block;
        let (row, lane) = (place.thread / LANES, place.thread % LANES);
        let (chosen, counts) = shared.split_at_mut(ROWS);
        let index = first_game * rows + row;
        if phase == 0 && place.thread < per_block {
            let game = first_game + place.thread;
            if game < sizes.games as usize {
                // SAFETY: the batch has this game, and only this thread draws from its stream.
                unsafe { self.draw(game, &mut chosen[place.thread * rows..][..rows]) };
            }
        }
        if index >= sizes.all_rows() {
            return;
        }
        // SAFETY: the batch has this row. One thread writes the action of a row.
        let (mask, out) = unsafe { (self.memory.mask(index), self.out.get(index)) };
        // Each thread has consecutive words, so that the actions are in order.
        let each = mask.len().div_ceil(LANES);
        let own = mask.get(lane * each..).unwrap_or(&[]);
        let own = own.get(..each).unwrap_or(own);
        if phase == 0 {
            let (groups, rest) = own.as_chunks::<GROUP>();
            let in_groups =
                groups.iter().map(|group| group.map(u32::count_ones).iter().sum::<u32>());
            let in_rest = rest.iter().map(|word| word.count_ones()).sum::<u32>();
            counts[place.thread] = in_groups.sum::<u32>() + in_rest;
            return;
        }
        let counts = &counts[row * LANES..][..LANES];
        let (mut before, mut all) = (0, 0);
        for (other, &count) in counts.iter().enumerate() {
            before += if other < lane { count } else { 0 };
            all += count;
        }
        let mut left = chosen[row].wrapping_sub(before);
        if left < counts[lane] {
            let mut first = 0;
            for group in own.as_chunks::<GROUP>().0 {
                let count = group.map(u32::count_ones).iter().sum::<u32>();
                if left < count {
                    break;
                }
                (left, first) = (left - count, first + GROUP);
            }
            for (index, &word) in own.iter().enumerate().skip(first) {
                let count = word.count_ones();
                if left < count {
                    *out = (32 * (lane * each + index) as u32 + nth_bit(word, left)) as i32;
                    return;
                }
                left -= count;
            }
        }
        // Without a legal action, which only unreachable states have.
        if lane == 0 && chosen[row] >= all {
            *out = 0;
        }
    }
}

impl<G: DeviceGame> Sample<G> {
    /// Draws the index of an action among the legal ones of each row of a game.
    #[inline(always)]
    unsafe fn draw(&self, game: usize, chosen: &mut [u32]) {
        let mut seeded = Stream::new(self.seed, game as u64);
        // SAFETY: the caller promises it.
        unsafe {
            let own = self.memory.stream(game);
            let stream = if self.seeded != 0 { &mut seeded } else { own };
            let counts = self.memory.counts.slice(game * chosen.len(), chosen.len());
            for (chosen, &count) in chosen.iter_mut().zip(&*counts) {
                *chosen = stream.below(count as usize) as u32;
            }
        }
    }
}

/// Returns the index of the `nth` bit that is set.
#[inline(always)]
pub(crate) fn nth_bit(mut word: u32, nth: u32) -> u32 {
    for _ in 0..nth {
        word &= word - 1;
    }
    word.trailing_zeros()
}
