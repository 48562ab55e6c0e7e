//! Legal actions: stored as a short list, output as a mask in one of several formats.
//!
//! Only a few dozen out of thousands of actions are legal, so each game stores a list: it fills two
//! cache lines where a mask would fill ten, sampling from it is a single lookup, and a mask is
//! written only once, into the caller's buffer. Games list actions in any order; whatever leaves the
//! batch is in ascending order, so that all back ends agree.

/// The count that means that all actions are allowed, as in a finished game.
const ALL: u32 = u32::MAX;

/// Runs of up to this many actions are written with wide stores.
const LONG_RUN: usize = 16;

/// The number of actions up to which a bit set of that size finds the action with a rank.
const SMALL: usize = 80 * 64;

/// The legal actions of one player.
#[derive(Clone, Copy, Debug)]
pub struct Legal<'a> {
    /// The count, then the actions.
    row: &'a [u32],
    actions: usize,
}

impl<'a> Legal<'a> {
    pub(crate) fn new(row: &'a [u32], actions: usize) -> Legal<'a> {
        Legal { row, actions }
    }

    /// Returns whether every action is allowed, as in a finished game.
    #[inline]
    pub fn is_all(self) -> bool {
        self.row[0] == ALL
    }

    /// Returns the number of legal actions.
    #[inline]
    pub fn count(self) -> usize {
        if self.is_all() { self.actions } else { self.row[0] as usize }
    }

    /// Returns whether an action is legal.
    #[inline]
    pub fn contains(self, action: usize) -> bool {
        action < self.actions && (self.is_all() || self.listed().contains(&(action as u32)))
    }

    /// Returns the `nth` legal action in ascending order, where `nth` is less than the count.
    #[inline(always)]
    pub fn nth(self, nth: usize) -> usize {
        if self.is_all() {
            return nth;
        }
        if self.actions <= SMALL {
            nth_set::<{ SMALL / 64 }>(self.listed(), nth)
        } else {
            nth_in_bucket(self.listed(), nth, self.actions)
        }
    }

    /// Iterates over the legal actions in the order in which the game generated them.
    pub fn iter(self) -> impl Iterator<Item = usize> + 'a {
        let listed = if self.is_all() { &[] } else { self.listed() };
        let all = if self.is_all() { 0..self.actions } else { 0..0 };
        listed.iter().map(|&id| id as usize).chain(all)
    }

    #[inline]
    fn listed(self) -> &'a [u32] {
        &self.row[1..1 + self.row[0] as usize]
    }

    /// Writes one bit per action, lowest bit first, padded with zeros.
    #[inline]
    pub(crate) fn write_packed(self, out: &mut [u8]) {
        if self.is_all() {
            out.fill(0xff);
            if let (Some(last), 1..) = (out.last_mut(), self.actions % 8) {
                *last = (1 << (self.actions % 8)) - 1;
            }
            return;
        }
        out.fill(0);
        for &action in self.listed() {
            out[action as usize / 8] |= 1 << (action % 8);
        }
    }

    /// Writes one `bool` per action.
    #[inline]
    pub(crate) fn write_bools(self, out: &mut [bool]) {
        out.fill(self.is_all());
        if !self.is_all() {
            for &action in self.listed() {
                out[action as usize] = true;
            }
        }
    }

    /// Writes the actions in ascending order, padded with −1, and returns their number. If all
    /// actions are allowed, fills the row with the first of them.
    #[inline]
    pub(crate) fn write_indices(self, out: &mut [i32]) -> i32 {
        if self.is_all() {
            out.iter_mut().zip(0..).for_each(|(out, action)| *out = action);
            return out.len() as i32;
        }
        let listed = self.listed();
        let (used, rest) = out.split_at_mut(listed.len());
        match listed.len() {
            _ if self.actions > i16::MAX as usize => sort(listed, used),
            0..=16 => sort_few::<16>(listed, used),
            17..=32 => sort_few::<32>(listed, used),
            33..=48 => sort_few::<48>(listed, used),
            49..=64 => sort_few::<64>(listed, used),
            _ => sort(listed, used),
        }
        rest.fill(-1);
        listed.len() as i32
    }
}

/// Returns the `nth` id in ascending order, by way of a bit set.
// Other ways execute fewer instructions, but mispredict more branches.
#[inline(always)]
fn nth_set<const WORDS: usize>(listed: &[u32], mut nth: usize) -> usize {
    let mut words = [0u64; WORDS];
    for &id in listed {
        words[id as usize / 64 % WORDS] |= 1 << (id % 64);
    }
    for (index, &word) in words.iter().enumerate() {
        let count = word.count_ones() as usize;
        if nth < count {
            let rest = (0..nth).fold(word, |rest, _| rest & (rest - 1));
            return 64 * index + rest.trailing_zeros() as usize;
        }
        nth -= count;
    }
    0
}

/// Returns the `nth` of a list of different ids below `bound`, in ascending order. Ids are counted in
/// 64 buckets, and only those of the right bucket are compared with all others.
#[inline(always)]
fn nth_in_bucket(listed: &[u32], nth: usize, bound: usize) -> usize {
    if listed.len() > u8::MAX as usize {
        return nth_counted(listed, nth, bound);
    }
    let shift = (usize::BITS - bound.leading_zeros()).saturating_sub(6);
    let bucket = |id: u32| (id >> shift) as usize % 64;
    let mut counts = [0u8; 64];
    for &id in listed {
        counts[bucket(id)] += 1;
    }
    let (mut found, mut before) = (0, 0);
    while found < 63 && before + counts[found] as usize <= nth {
        before += counts[found] as usize;
        found += 1;
    }
    let rank = |id: u32| listed.iter().filter(|&&other| other < id).count();
    let is_nth = |id: u32| bucket(id) == found && rank(id) == nth;
    listed.iter().find(|&&id| is_nth(id)).map_or(0, |&id| id as usize)
}

/// Returns the `nth` of a list of different ids below `bound`: the smallest that has more than `nth`
/// ids up to it.
fn nth_counted(listed: &[u32], nth: usize, bound: usize) -> usize {
    let (mut low, mut high) = (0, bound as u32 - 1);
    while low < high {
        let middle = low.midpoint(high);
        let up_to = listed.iter().filter(|&&id| id <= middle).count();
        if up_to > nth { high = middle } else { low = middle + 1 }
    }
    low as usize
}

/// Writes ids in ascending order.
fn sort(listed: &[u32], out: &mut [i32]) {
    out.iter_mut().zip(listed).for_each(|(out, &id)| *out = id as i32);
    out.sort_unstable();
}

/// Writes up to `N` ids, which fit into 15 bits, in ascending order. Counting how many are below each
/// takes half the time of sorting, because there are no branches to mispredict.
// Not inlined, because it is not vectorized inside of large functions.
#[inline(never)]
fn sort_few<const N: usize>(listed: &[u32], out: &mut [i32]) {
    let mut ids = [i16::MAX; N];
    ids.iter_mut().zip(listed).for_each(|(id, &listed)| *id = listed as i16);
    let mut ranks = [0i16; N];
    for lower in ids {
        for (rank, &id) in ranks.iter_mut().zip(&ids) {
            *rank += i16::from(lower < id);
        }
    }
    for (&id, rank) in listed.iter().zip(ranks) {
        out[rank as usize] = id as i32;
    }
}

/// Takes the legal actions of a player from a game, in any order.
pub trait ActionSink {
    /// Adds an action that was not added yet.
    ///
    /// # Panics
    /// May panic if there are more actions than [`Spec::max_legal`](crate::Spec::max_legal).
    fn push(&mut self, action: u32);

    /// Adds `count` consecutive actions, none of which was added yet.
    ///
    /// # Panics
    /// May panic if there are more actions than [`Spec::max_legal`](crate::Spec::max_legal).
    #[inline(always)]
    fn push_run(&mut self, first: u32, count: u32) {
        (first..first + count).for_each(|action| self.push(action));
    }

    /// Adds the actions of the bits that are set, `first` being that of the lowest bit.
    #[inline(always)]
    fn push_bits(&mut self, first: u32, mut bits: u64) {
        while bits != 0 {
            self.push(first + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

/// A list of legal actions, to be filled by a game.
pub(crate) struct LegalList<'a> {
    row: &'a mut [u32],
    /// The index of the next action; index 0 holds the count.
    next: usize,
}

impl<'a> LegalList<'a> {
    /// Creates an empty list.
    #[inline(always)]
    pub(crate) fn new(row: &'a mut [u32]) -> LegalList<'a> {
        LegalList { row, next: 1 }
    }

    #[cold]
    #[inline(never)]
    fn push_each(&mut self, first: u32, count: u32) {
        (first..first + count).for_each(|action| self.push(action));
    }

    /// Completes the list and returns the number of actions.
    #[inline(always)]
    pub(crate) fn close(self) -> usize {
        let count = self.next - 1;
        self.row[0] = count as u32;
        count
    }
}

impl ActionSink for LegalList<'_> {
    #[inline(always)]
    fn push(&mut self, action: u32) {
        self.row[self.next] = action;
        self.next += 1;
    }

    #[inline(always)]
    fn push_run(&mut self, first: u32, count: u32) {
        let room = self.row.get_mut(self.next..self.next.wrapping_add(LONG_RUN));
        match room.and_then(|room| room.as_mut_array::<LONG_RUN>()) {
            // Two wide stores are faster than a loop. What they write beyond the run is never read.
            Some(room) if count as usize <= LONG_RUN => {
                *room = core::array::from_fn(|index| first + index as u32);
                self.next += count as usize;
            }
            _ => self.push_each(first, count),
        }
    }
}

/// Marks all actions as allowed.
pub(crate) fn allow_all(row: &mut [u32]) {
    row[0] = ALL;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_leave_in_ascending_order() {
        let mut rng = fourfold_common::SplitMix64::new(1);
        let sizes = [(9, 9), (4672, 30), (4672, 40), (19_360, 64), (19_360, 70), (30_434, 900)];
        for (actions, most) in sizes.into_iter().chain([(102_400, 60)]) {
            for _ in 0..20 {
                let mut row = vec![0];
                while row.len() <= most {
                    let action = (rng.next() % actions) as u32;
                    if !row[1..].contains(&action) {
                        row.push(action);
                    }
                }
                row[0] = most as u32;
                let mut sorted = row[1..].to_vec();
                sorted.sort_unstable();
                let legal = Legal::new(&row, actions as usize);
                let chosen: Vec<u32> = (0..most).map(|nth| legal.nth(nth) as u32).collect();
                assert_eq!(chosen, sorted);
                let mut out = vec![0; most + 2];
                assert_eq!(legal.write_indices(&mut out), most as i32);
                let listed: Vec<i32> = sorted.iter().map(|&action| action as i32).collect();
                assert_eq!(out, [&listed[..], &[-1, -1]].concat());
            }
        }
    }

    #[test]
    fn push_run_equals_repeated_push() {
        for (room, runs) in [(60, [3, 16, 0, 20]), (19, [1, 2, 3, 12]), (40, [13, 13, 13, 0])] {
            let (mut one, mut other) = (vec![7; room], vec![9; room]);
            let (mut fast, mut plain) = (LegalList::new(&mut one), LegalList::new(&mut other));
            for (index, count) in runs.into_iter().enumerate() {
                let first = 100 * index as u32;
                fast.push_run(first, count);
                (first..first + count).for_each(|action| plain.push(action));
            }
            assert_eq!(fast.close(), plain.close());
            assert!(Legal::new(&one, 500).iter().eq(Legal::new(&other, 500).iter()));
        }
    }

    #[test]
    fn all_mask_formats_agree() {
        let mut row = [9; 20];
        let allowed = [193, 1, 127, 3, 192];
        let mut list = LegalList::new(&mut row);
        list.push(193);
        list.push_run(1, 1);
        list.push(127);
        list.push(3);
        list.push_run(192, 1);
        assert_eq!(list.close(), 5);
        let legal = Legal::new(&row, 197);
        assert_eq!(legal.iter().collect::<Vec<_>>(), allowed.map(|action| action as usize));
        let mut sorted = allowed.map(|action| action as usize);
        sorted.sort();
        assert!((0..300).filter(|&id| legal.contains(id)).eq(sorted));
        let mut bools = [true; 197];
        legal.write_bools(&mut bools);
        assert!((0..197).filter(|&id| bools[id]).eq(sorted));
        let mut packed = [0xff; 25];
        legal.write_packed(&mut packed);
        assert!((0..200).filter(|id| packed[id / 8] >> (id % 8) & 1 != 0).eq(sorted));
        let mut indices = [0; 7];
        assert_eq!(legal.write_indices(&mut indices), 5);
        assert_eq!(indices, [1, 3, 127, 192, 193, -1, -1]);

        allow_all(&mut row);
        let legal = Legal::new(&row, 197);
        assert!((0..300).filter(|&id| legal.contains(id)).eq(0..197));
        legal.write_bools(&mut bools);
        assert!(bools.iter().all(|&allowed| allowed));
        legal.write_packed(&mut packed);
        assert!((0..200).filter(|id| packed[id / 8] >> (id % 8) & 1 != 0).eq(0..197));
        assert_eq!(legal.write_indices(&mut indices), 7);
        assert_eq!(indices, [0, 1, 2, 3, 4, 5, 6]);
    }
}
