//! The position history that repetition rules need.

use bytemuck::{Pod, Zeroable};
use fourfold_common::cpu;

/// How many keys to prefetch: there is usually a capture or a pawn move before there are more.
const USUAL: usize = 16;

/// The keys of the positions since the last irreversible move, the current one last: at most the
/// latest `WORDS - 1`.
///
/// The last word is their number. Words between are 0, so that equal histories have equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct History<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> History<WORDS> {
    pub(crate) const NONE: History<WORDS> = History([0; WORDS]);

    const CAPACITY: usize = WORDS - 1;

    #[inline(always)]
    fn len(&self) -> usize {
        self.0[Self::CAPACITY] as usize
    }

    /// Returns whether this is a history whose latest position has a key.
    pub(crate) fn is_valid(&self, current: u64) -> bool {
        let len = self.len();
        (1..=Self::CAPACITY).contains(&len)
            && self.0[len - 1] == current
            && self.0[len..Self::CAPACITY].iter().all(|&key| key == 0)
    }

    /// Prefetches as many keys as there usually are.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        cpu::prefetch(&self.0[..WORDS.min(USUAL)]);
        cpu::prefetch(&self.0[Self::CAPACITY..]);
    }

    /// Forgets all positions, because none of them can recur.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        let len = self.len();
        self.0[..len].fill(0);
        self.0[Self::CAPACITY] = 0;
    }

    /// Adds the key of the new current position.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64) {
        let mut len = self.len();
        if len == Self::CAPACITY {
            self.0.copy_within(1..len, 0);
            len -= 1;
        }
        self.0[len] = key;
        self.0[Self::CAPACITY] = len as u64 + 1;
    }

    /// Returns how often the next position, which has not been pushed yet, has occurred before. The
    /// same player is to move only every `players` plies, so the other positions are skipped.
    #[inline(always)]
    pub(crate) fn count(&self, key: u64, players: usize) -> usize {
        if cpu::IS_GPU {
            return self.count_in_groups(key, players);
        }
        let earlier = self.0[..self.len()].iter().rev();
        earlier.skip(players - 1).step_by(players).filter(|&&other| other == key).count()
    }

    /// Does the same with several loads at once, because a GPU waits for each.
    #[inline(always)]
    pub(crate) fn count_in_groups(&self, key: u64, players: usize) -> usize {
        const GROUP: usize = 8;
        let (mut end, mut count) = (self.len(), 0);
        while end >= players {
            let keys: [u64; GROUP] = core::array::from_fn(|step| {
                let index = end.wrapping_sub((step + 1) * players);
                self.0[if index < Self::CAPACITY { index } else { Self::CAPACITY - 1 }]
            });
            for (step, &other) in keys.iter().enumerate() {
                count += usize::from(other == key && end >= (step + 1) * players);
            }
            end = end.saturating_sub(GROUP * players);
        }
        count
    }

    /// Returns the keys, the latest first.
    pub(crate) fn latest_first(&self) -> impl Iterator<Item = u64> {
        self.0[..self.len()].iter().rev().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_alike_one_by_one_and_in_groups() {
        for players in 1..=4 {
            let mut history = History::<41>::NONE;
            for step in 0..200u64 {
                let key = step * step % 7;
                let count = history.count(key, players);
                assert_eq!(history.count_in_groups(key, players), count, "{step} of {players}");
                history.push(key);
            }
        }
    }
}
