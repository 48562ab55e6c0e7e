//! A deterministic random number generator.

/// A SplitMix64 generator: the same seed gives the same numbers on every machine and in every
/// build. The Zobrist tables of the games are filled from it.
///
/// ```
/// use fourfold_common::SplitMix64;
/// static TABLE: [u64; 4] = SplitMix64::new(7).take();
/// assert_eq!(TABLE, SplitMix64::new(7).take());
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Creates a generator from a seed.
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { state: seed }
    }

    /// Returns the next random number.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut key = self.state;
        key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        key ^ (key >> 31)
    }

    /// Returns the next `N` random numbers, as an array for tables computed at compile time.
    pub const fn take<const N: usize>(mut self) -> [u64; N] {
        let mut keys = [0; N];
        let mut index = 0;
        while index < N {
            keys[index] = self.next();
            index += 1;
        }
        keys
    }
}
