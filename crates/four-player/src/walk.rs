//! Positions from random play, for tests and benchmarks.

use fourfold_board::Keys;

use crate::{MoveList, Position};

/// The positions of a game of uniformly random legal moves, the start first: the same for the same
/// seed, on every machine. It knows no repetition.
///
/// ```
/// use fourfold_four_player::{Opening, Position, Rules, random_walk};
/// let start = Position::start(Opening::Modern, Rules::default());
/// assert_eq!(random_walk(start, 7).take(40).count(), 40);
/// ```
pub fn random_walk(start: Position, seed: u64) -> impl Iterator<Item = Position> {
    let mut keys = Keys::new(seed);
    let mut list = MoveList::new();
    std::iter::successors(Some(start), move |position| {
        position.legal_moves_into(&mut list);
        let index = keys.next().checked_rem(list.len() as u64)?;
        Some(position.after(list[index as usize]))
    })
}
