//! Counter-based random streams: any element of a stream can be computed directly, on any thread or
//! device, with the same result (Philox 4×32, ten rounds).

use bytemuck::{Pod, Zeroable};

/// The random stream of a game. It depends only on the seed, the index of the game, and the count
/// of numbers drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Stream {
    seed: u64,
    game: u64,
    drawn: u64,
}

impl Stream {
    /// Creates the stream of a game in a batch with this seed.
    pub const fn new(seed: u64, game: u64) -> Stream {
        Stream { seed, game, drawn: 0 }
    }

    /// Returns another stream that is derived from the current state of this one. The branches of a
    /// stream differ from it and from each other.
    pub(crate) fn branch(self, branch: u64) -> Stream {
        let mut source = Stream { seed: self.seed ^ BRANCHES.wrapping_add(branch), ..self };
        Stream { seed: source.next(), game: source.next(), drawn: 0 }
    }

    /// Returns the count of numbers drawn.
    pub const fn drawn(&self) -> u64 {
        self.drawn
    }

    /// Skips numbers, as if they had been drawn.
    pub const fn skip(&mut self, count: u64) {
        self.drawn = self.drawn.wrapping_add(count);
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub const fn next(&mut self) -> u64 {
        let [low, high, _, _] = philox(
            [
                self.drawn as u32,
                (self.drawn >> 32) as u32,
                self.game as u32,
                (self.game >> 32) as u32,
            ],
            [self.seed as u32, (self.seed >> 32) as u32],
        );
        self.drawn = self.drawn.wrapping_add(1);
        (high as u64) << 32 | low as u64
    }

    /// Returns a number less than `bound`, uniform to within 2⁻⁶⁴·bound; 0 if `bound` is 0.
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        Stream::scale(self.next(), bound as u64) as usize
    }

    /// Returns the number less than `bound` that [`Stream::below`] makes of 64 random bits.
    #[inline]
    pub const fn scale(bits: u64, bound: u64) -> u64 {
        ((bits as u128 * bound as u128) >> 64) as u64
    }
}

/// Keeps the streams that branches are drawn from apart from those of games.
const BRANCHES: u64 = 0x9e37_79b9_7f4a_7c15;

/// The seeds of the random streams of a batch.
#[derive(Clone, Copy, Debug)]
pub enum Seeds<'a> {
    /// One seed for all games. The games have the indices from `first_game`, so that several
    /// batches can share a seed.
    Shared {
        /// The seed.
        seed: u64,
        /// The index of the first game.
        first_game: u64,
    },
    /// A seed for each game. Each has the stream of a batch with one game and this seed.
    Each(&'a [u64]),
}

impl From<u64> for Seeds<'_> {
    fn from(seed: u64) -> Self {
        Seeds::Shared { seed, first_game: 0 }
    }
}

impl Seeds<'_> {
    /// Returns the stream of the game at an index of the batch.
    ///
    /// # Panics
    /// Panics if there is no seed for this game.
    pub fn stream(&self, index: usize) -> Stream {
        match *self {
            Seeds::Shared { seed, first_game } => {
                Stream::new(seed, first_game.wrapping_add(index as u64))
            }
            Seeds::Each(seeds) => Stream::new(seeds[index], 0),
        }
    }
}

/// Returns a seed from the operating system.
///
/// # Panics
/// Panics if the operating system has no source of random numbers.
#[cfg(feature = "std")]
pub fn entropy() -> u64 {
    getrandom::u64().expect("the operating system provides random numbers")
}

/// Computes one block of Philox 4×32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2,
/// 3").
#[inline]
const fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    let mut round = 0;
    while round < 10 {
        let one = 0xd251_1f53 * counter[0] as u64;
        let other = 0xcd9e_8d57 * counter[2] as u64;
        counter = [
            (other >> 32) as u32 ^ counter[1] ^ key[0],
            other as u32,
            (one >> 32) as u32 ^ counter[3] ^ key[1],
            one as u32,
        ];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
        round += 1;
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers that the authors publish with Random123.
    #[test]
    fn philox_matches_the_published_test_vectors() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            philox([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            philox(
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0]
            ),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn skipped_numbers_count_as_drawn() {
        let (mut one, mut other) = (Stream::new(1, 2), Stream::new(1, 2));
        for _ in 0..5 {
            one.next();
        }
        other.skip(5);
        assert_eq!((one, one.drawn()), (other, 5));
        assert_eq!(one.next(), other.next());
    }

    #[test]
    fn below_is_uniform() {
        let mut stream = Stream::new(1, 2);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[stream.below(7)] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }
}
