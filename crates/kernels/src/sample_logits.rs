//! Drawing legal actions by their logits.
#![allow(unsafe_code, reason = "the memory of a batch is passed as addresses")]

use fourfold_env::{DeviceGame, Softmax, Stream};

use crate::launch::{Grid, Kernel, Place, games_of_rows, kernel};
use crate::{Address, Memory, Sizes};

/// Threads that read the mask and the logits of one row.
const LANES: usize = 32;
/// The most rows of a block.
const ROWS: usize = 8;

kernel! {
    /// Draws a legal action for each row by its logits: [`SampleLogits::grid`].
    SampleLogits {
        /// A logit for each action of each row.
        logits: Address<f32>,
        /// [`Softmax::inverse`] of the temperature.
        inverse: f64,
        /// Draw from streams of this seed instead of the games' own, if `seeded` is not 0.
        seed: u64,
        /// Whether there is a seed.
        seeded: u32,
        /// The actions.
        out: Address<i32>,
    }
}

impl<G> SampleLogits<G> {
    /// Returns how many blocks, threads and words of shared memory the kernel needs.
    pub const fn grid(sizes: &Sizes) -> Grid {
        // A random number for each row, and the largest logit and the sum of weights of each thread.
        Grid::of_rows(sizes, ROWS, LANES, 2, 3)
    }
}

impl<G: DeviceGame> Kernel for SampleLogits<G> {
    const NAME: &'static str = "sample_logits";

    #[inline(always)]
    fn next(&self, phase: usize, _: &[u32]) -> Option<usize> {
        (phase < 2).then_some(phase + 1)
    }

    #[inline(always)]
    unsafe fn run(&self, phase: usize, place: Place, shared: &mut [u32]) {
        let sizes = &self.memory.sizes;
        let (rows, actions) = (sizes.rows as usize, sizes.actions as usize);
        let per_block = games_of_rows(ROWS, rows);
        let first_game = place.block * per_block;
        let (row, lane) = (place.thread / LANES, place.thread % LANES);
        let (numbers, shared) = shared.split_at_mut(2 * ROWS);
        let (bests, sums) = shared.split_at_mut(place.threads);
        if phase == 0 && place.thread < per_block {
            let game = first_game + place.thread;
            if game < sizes.games as usize {
                // SAFETY: the batch has this game, and only this thread draws from its stream.
                unsafe { self.draw(game, &mut numbers[2 * place.thread * rows..][..2 * rows]) };
            }
        }
        let index = first_game * rows + row;
        if index >= sizes.all_rows() {
            return;
        }
        // SAFETY: the batch has this row. One thread writes its action.
        let (mask, logits, out) = unsafe {
            let logits: &[f32] = self.logits.slice(index * actions, actions);
            (self.memory.mask(index), logits, self.out.get(index))
        };
        // Each thread has consecutive words, so that the actions are in order.
        let each = mask.len().div_ceil(LANES);
        let own = mask.get(lane * each..).unwrap_or(&[]);
        let own = own.get(..each).unwrap_or(own);
        let first = 32 * lane * each;
        let mut softmax = Softmax::new(self.inverse);
        if phase == 0 {
            any_action(own, first, |action| {
                softmax.add(logits[action]);
                false
            });
            bests[place.thread] = softmax.best().to_bits();
            return;
        }
        bests[row * LANES..][..LANES].iter().for_each(|&best| softmax.add(f32::from_bits(best)));
        if phase == 1 {
            let mut sum = 0;
            any_action(own, first, |action| {
                sum += softmax.weight(logits[action]);
                false
            });
            [sums[2 * place.thread], sums[2 * place.thread + 1]] = halves(sum);
            return;
        }
        let sum_of = |lane: usize| {
            let thread = row * LANES + lane;
            whole([sums[2 * thread], sums[2 * thread + 1]])
        };
        let (mut before, mut all) = (0, 0);
        for other in 0..LANES {
            before += if other < lane { sum_of(other) } else { 0 };
            all += sum_of(other);
        }
        let number = Stream::scale(whole([numbers[2 * row], numbers[2 * row + 1]]), all);
        let mut rest = number.wrapping_sub(before);
        if rest < sum_of(lane) {
            any_action(own, first, |action| {
                let weight = softmax.weight(logits[action]);
                let is_drawn = rest < weight;
                if is_drawn {
                    *out = action as i32;
                }
                rest = rest.wrapping_sub(weight);
                is_drawn
            });
        }
        // Without a legal action, which only unreachable states have.
        if lane == 0 && all == 0 {
            *out = 0;
        }
    }
}

impl<G: DeviceGame> SampleLogits<G> {
    /// Draws a number for each row of a game, in two words each.
    #[inline(always)]
    unsafe fn draw(&self, game: usize, numbers: &mut [u32]) {
        let mut seeded = Stream::new(self.seed, game as u64);
        // SAFETY: the caller promises it.
        let own = unsafe { self.memory.stream(game) };
        let stream = if self.seeded != 0 { &mut seeded } else { own };
        for number in numbers.as_chunks_mut().0 {
            *number = halves(stream.next());
        }
    }
}

/// Calls `work` with the actions of the words of a mask in ascending order, until it returns true. `first` is
/// the action of the first bit.
#[inline(always)]
fn any_action(words: &[u32], first: usize, mut work: impl FnMut(usize) -> bool) {
    for (index, &word) in words.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            if work(first + 32 * index + word.trailing_zeros() as usize) {
                return;
            }
            word &= word - 1;
        }
    }
}

/// Returns the low and the high half of a number.
#[inline(always)]
const fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// Returns the number with these halves.
#[inline(always)]
const fn whole([low, high]: [u32; 2]) -> u64 {
    low as u64 | (high as u64) << 32
}
