//! The transposition table.
//!
//! The operating system provides its memory as zeros, which costs nothing until a page is written
//! to. The cost of creating a table for every move therefore depends on how many positions are
//! searched, not on its size.

use crate::bound::Bound;

/// A table of fixed size. Shallow and old entries are replaced first.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    /// Four entries of two words each: the key, and the packed entry.
    buckets: Vec<[u64; 8]>,
    age: u64,
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The code of the best move; 0 if there is none.
    pub(super) code: u16,
    pub(super) score: i32,
    /// The static evaluation.
    pub(super) eval: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
}

const BUCKET: usize = size_of::<[u64; 8]>();
const AGES: u64 = 64;
/// The age of a table that no search has used yet.
const NEW: u64 = 0;

impl TranspositionTable {
    /// Creates a table of about this many bytes.
    pub(super) fn new(bytes: usize) -> TranspositionTable {
        TranspositionTable { buckets: vec![[0; 8]; (bytes / BUCKET).max(1)], age: NEW }
    }

    /// Returns the size of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET
    }

    /// Starts another search, so that older entries are replaced first. Returns whether there was a
    /// search before.
    pub(super) fn new_search(&mut self) -> bool {
        let used = self.age != NEW;
        self.age = if self.age + 1 < AGES { self.age + 1 } else { NEW + 1 };
        used
    }

    /// Returns the entry of a position.
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        let slot = (0..4).find(|&slot| bucket[2 * slot] == key && bucket[2 * slot + 1] != 0)?;
        Some(unpack(bucket[2 * slot + 1]))
    }

    /// Stores an entry. A bound does not replace a much deeper entry of the same search.
    #[inline(always)]
    pub(super) fn put(&mut self, key: u64, mut entry: Entry) {
        let (index, age) = (self.index(key), self.age);
        let bucket = &mut self.buckets[index];
        let mut slot = 0;
        let mut least = i32::MAX;
        for candidate in 0..4 {
            let data = bucket[2 * candidate + 1];
            if bucket[2 * candidate] == key && data != 0 {
                slot = candidate;
                let known = unpack(data);
                let deeper = known.depth > entry.depth + 3 && data >> 58 == age;
                if deeper && entry.bound != Bound::Exact {
                    return;
                }
                if entry.code == 0 {
                    entry.code = known.code;
                }
                break;
            }
            let worth = match data {
                0 => i32::MIN,
                _ => unpack(data).depth - 4 * ((age + AGES - (data >> 58)) % AGES) as i32,
            };
            if worth < least {
                (slot, least) = (candidate, worth);
            }
        }
        bucket[2 * slot] = key;
        bucket[2 * slot + 1] = pack(entry, age);
    }

    /// Returns how many thousandths of the table hold entries of this search, estimated from a
    /// sample.
    pub(super) fn used(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let data = sample.iter().flat_map(|bucket| bucket.iter().skip(1).step_by(2));
        let fresh = data.filter(|&&data| data != 0 && data >> 58 == self.age).count();
        fresh * 1000 / (4 * sample.len())
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

#[inline(always)]
fn pack(entry: Entry, age: u64) -> u64 {
    u64::from(entry.code)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | (entry.bound as u64) << 56
        | age << 58
}

#[inline(always)]
fn unpack(data: u64) -> Entry {
    Entry {
        code: data as u16,
        score: i32::from((data >> 16) as u16 as i16),
        eval: i32::from((data >> 32) as u16 as i16),
        depth: i32::from((data >> 48) as u8),
        bound: match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

#[cfg(test)]
mod tests {
    use fourfold_common::SplitMix64;

    use super::*;

    fn entry(code: u16, score: i32, depth: i32, bound: Bound) -> Entry {
        Entry { code, score, eval: -score / 2, depth, bound }
    }

    #[test]
    fn stored_entries_are_found() {
        let mut table = TranspositionTable::new(1 << 16);
        let mut rng = SplitMix64::new(3);
        for index in 0..200 {
            let key = rng.next();
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][index % 3];
            let given =
                entry(index as u16 + 1, 320 * index as i32 - 32_000, index as i32 % 90, bound);
            table.put(key, given);
            assert_eq!(table.get(key), Some(given));
        }
        assert_eq!(table.get(rng.next()), None);
        assert!(table.used() > 0 && table.bytes() == 1 << 16);
    }

    #[test]
    fn replacement_prefers_deep_and_recent_entries() {
        let mut table = TranspositionTable::new(1);
        for (key, depth) in [(1, 9), (2, 3), (3, 7), (4, 8)] {
            table.put(key, entry(5, 10, depth, Bound::Lower));
        }
        table.put(5, entry(5, 10, 4, Bound::Lower));
        assert_eq!(table.get(2), None);
        assert!([1, 3, 4, 5].iter().all(|&key| table.get(key).is_some()));
        // A shallow bound does not replace a deep one, and an entry without a move keeps the known
        // one.
        table.put(1, entry(0, 90, 2, Bound::Upper));
        assert_eq!(table.get(1).map(|known| known.score), Some(10));
        table.put(1, entry(0, 90, 8, Bound::Upper));
        assert_eq!(table.get(1).map(|known| (known.score, known.code)), Some((90, 5)));
        for _ in 0..8 {
            table.new_search();
        }
        table.put(6, entry(5, 10, 0, Bound::Lower));
        assert!(table.get(6).is_some() && table.get(5).is_none());
        assert_eq!(table.used(), 250);
    }
}
