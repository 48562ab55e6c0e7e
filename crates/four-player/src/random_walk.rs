//! Positions from random play, for tests and benchmarks.

use fourfold_common::SplitMix64;

use crate::{MoveList, Position};

/// Returns the positions of a game of uniformly random legal moves, beginning with `start`. The
/// same seed gives the same game on every machine. Draws by repetition are not detected.
///
/// ```
/// use fourfold_four_player::{StartPosition, Position, Rules, random_walk};
/// let start = Position::start(StartPosition::Modern, Rules::default());
/// assert_eq!(random_walk(start, 7).take(40).count(), 40);
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
