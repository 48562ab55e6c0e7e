//! Fixed streams of keys for hashing positions.

/// A stream of well-mixed 64-bit keys that is the same on every machine and in every build
/// (SplitMix64). It fills the Zobrist tables of the games.
///
/// ```
/// use fourfold_board::Keys;
/// static TABLE: [u64; 4] = Keys::new(7).take();
/// assert_eq!(TABLE, Keys::new(7).take());
/// ```
#[derive(Clone, Debug)]
pub struct Keys {
    state: u64,
}

impl Keys {
    /// The stream that belongs to a seed.
    pub const fn new(seed: u64) -> Keys {
        Keys { state: seed }
    }

    /// The next key.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut key = self.state;
        key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        key ^ (key >> 31)
    }

    /// The first `N` keys of the rest of the stream.
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
