//! Positions from random play, for tests and benchmarks.

use fourfold_common::SplitMix64;

use crate::{MoveList, Position};

/// Returns the positions of a game of random legal moves, beginning with `start`. The same seed
/// gives the same game on every machine. The game ends only when there is no legal move; draws by
/// other rules are ignored.
///
/// ```
/// use fourfold_chess::{Position, random_walk};
/// let positions: Vec<Position> = random_walk(Position::start(), 7).take(40).collect();
/// assert_eq!(positions.len(), 40);
/// ```
pub fn random_walk(start: Position, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = SplitMix64::new(seed);
    let mut list = MoveList::new();
    core::iter::successors(Some(start), move |position| {
        position.legal_moves_into(&mut list);
        let index = rng.next().checked_rem(list.len() as u64)?;
        Some(position.after(list[index as usize]))
    })
}
