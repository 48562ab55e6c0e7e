//! The position history that repetition rules need.

use fourfold_common::cpu;

use crate::bytes::{Bytes, LoadError, put};

/// How many keys to prefetch: there is usually a capture or a pawn move before there are more.
const USUAL: usize = 16;

/// The keys of the positions since the last irreversible move, the current one last: at most the
/// latest `N`, where `N` is below 256.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct History<const N: usize> {
    keys: [u64; N],
    len: u8,
}

impl<const N: usize> History<N> {
    pub(crate) const NONE: History<N> = {
        assert!(N < 256, "the length must fit into a byte");
        History { keys: [0; N], len: 0 }
    };

    /// Prefetches as many keys as there usually are.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        cpu::prefetch(&self.keys[..N.min(USUAL)]);
        cpu::prefetch(std::slice::from_ref(&self.len));
    }

    /// Forgets all positions, because none of them can recur.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        // Unused keys are zero, so that the derived `PartialEq` works.
        self.keys[..self.len as usize].fill(0);
        self.len = 0;
    }

    /// Adds the key of the new current position.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64) {
        if self.len as usize == N {
            self.keys.copy_within(1.., 0);
            self.len -= 1;
        }
        self.keys[self.len as usize] = key;
        self.len += 1;
    }

    /// Returns how often the next position, which has not been pushed yet, has occurred before. The
    /// same player is to move only every `players` plies, so the other positions are skipped.
    #[inline(always)]
    pub(crate) fn count(&self, key: u64, players: usize) -> usize {
        let earlier = self.keys[..self.len as usize].iter().rev();
        earlier.skip(players - 1).step_by(players).filter(|&&other| other == key).count()
    }

    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        put(out, u64::from(self.len));
        self.keys[..self.len as usize].iter().for_each(|&key| put(out, key));
    }

    pub(crate) fn load(bytes: &mut Bytes<'_>) -> Result<History<N>, LoadError> {
        let mut history = History { len: bytes.below(N as u64 + 1)? as u8, ..History::NONE };
        for key in &mut history.keys[..history.len as usize] {
            *key = bytes.u64()?;
        }
        Ok(history)
    }
}
