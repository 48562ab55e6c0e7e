//! Positions from random play, for tests and benchmarks.

use fourfold_common::SplitMix64;

use crate::Position;

/// Returns the positions of a game of uniformly random legal placements, beginning with
/// `start`. The same seed gives the same game on every machine.
///
/// ```
/// use fourfold_blokus::{Position, Variant, random_walk};
/// assert!(random_walk(Position::start(Variant::DUO), 7).count() > 15);
/// ```
pub fn random_walk(start: Position, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = SplitMix64::new(seed);
    core::iter::successors(Some(start), move |position| {
        let legal = position.legal_moves();
        let index = rng.next().checked_rem(legal.len() as u64)?;
        Some(position.after(legal[index as usize]))
    })
}
