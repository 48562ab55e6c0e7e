//! Random choices that depend only on a seed.

use fourfold_common::SplitMix64;

/// Returns a random number below `count`.
pub(crate) fn below(rng: &mut SplitMix64, count: usize) -> usize {
    ((u128::from(rng.next()) * count as u128) >> 64) as usize
}

/// Returns an element chosen uniformly at random.
pub(crate) fn pick<T: Copy>(rng: &mut SplitMix64, elements: &[T]) -> T {
    elements[below(rng, elements.len())]
}

/// Returns a random number that depends on the seed of a handicap and on what it is drawn for.
pub(crate) fn draw(seed: u64, what: u64) -> u64 {
    SplitMix64::new(SplitMix64::new(seed).next() ^ what).next()
}

/// Returns the error that a handicap adds to the evaluation of a position: from `-limit` to `limit`.
#[inline(always)]
pub(crate) fn evaluation_error(seed: u64, limit: i32, key: u64) -> i32 {
    if limit == 0 {
        return 0;
    }
    let range = 2 * u64::from(limit.unsigned_abs()) + 1;
    (draw(seed, key) % range) as i32 - limit
}
