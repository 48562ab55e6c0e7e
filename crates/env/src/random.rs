//! Counter-based random streams: any element of a stream can be computed directly, on any thread or
//! device, with the same result (Philox 4×32, ten rounds).

/// The random stream of a game. It depends only on the seed, the index of the game, and the count
/// of numbers drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

    /// Restores a stream from its parts.
    pub(crate) const fn resume(seed: u64, game: u64, drawn: u64) -> Stream {
        Stream { seed, game, drawn }
    }

    pub(crate) const fn parts(self) -> [u64; 3] {
        [self.seed, self.game, self.drawn]
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
        ((self.next() as u128 * bound as u128) >> 64) as usize
    }
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
    fn below_is_uniform() {
        let mut stream = Stream::new(1, 2);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[stream.below(7)] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }
}
