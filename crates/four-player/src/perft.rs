//! Perft: counting the leaves of the game tree.

use alloc::vec;
use core::hint::black_box;

use fourfold_common::cpu::{self, Cpu, Work};

use crate::{MateTiming, Mode, Move, MoveList, Position};

/// Returns the number of sequences of exactly `depth` legal moves. Draw rules are ignored.
///
/// Moves on the last ply are counted, not played; [`perft_by_playing`] plays them too. How players
/// without a legal move are handled depends on [`Rules::mate_timing`](crate::Rules::mate_timing).
///
/// ```
/// use fourfold_four_player::{StartPosition, Position, Rules, perft};
/// let start = Position::start(StartPosition::Modern, Rules::default());
/// assert_eq!(perft(&start, 3), 7800);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    count::<false>(position, depth)
}

/// Returns the same number as [`perft`], or `None` if `stop` returns true meanwhile. It is called
/// before each subtree of depth 2.
pub fn perft_with_stop(position: &Position, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= 2 {
        return (!stop()).then(|| perft(position, depth));
    }
    let list = position.legal_moves();
    if list.is_empty() {
        return match skip_stuck_players(position) {
            Some(settled) => perft_with_stop(&settled, depth, stop),
            None => Some(0),
        };
    }
    let immediate = eliminates_immediately(position);
    let mut leaves = 0;
    for &mv in &list {
        leaves += perft_with_stop(&child(position, mv, immediate), depth - 1, stop)?;
    }
    Some(leaves)
}

/// Returns the same number as [`perft`], but plays the moves on the last ply too.
pub fn perft_by_playing(position: &Position, depth: u32) -> u64 {
    count::<true>(position, depth)
}

fn count<const PLAY_LAST_PLY: bool>(position: &Position, depth: u32) -> u64 {
    let mut lists = vec![MoveList::new(); depth as usize];
    cpu::dispatch(Perft::<PLAY_LAST_PLY> { position, lists: &mut lists })
}

/// The search below one position. The number of lists is the remaining depth.
struct Perft<'a, const PLAY_LAST_PLY: bool> {
    position: &'a Position,
    lists: &'a mut [MoveList],
}

impl<const PLAY_LAST_PLY: bool> Work for Perft<'_, PLAY_LAST_PLY> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Perft { position, lists } = self;
        if lists.is_empty() {
            return 1;
        }
        if lists.len() == 1 && !PLAY_LAST_PLY {
            let count = position.count_legal();
            return if count > 0 {
                count as u64
            } else {
                without_stuck_players::<PLAY_LAST_PLY, C>(position, lists, cpu)
            };
        }
        position.legal_moves_into(&mut lists[0]);
        if lists[0].is_empty() {
            return without_stuck_players::<PLAY_LAST_PLY, C>(position, lists, cpu);
        }
        let immediate = eliminates_immediately(position);
        let (list, lists) = lists.split_at_mut(1);
        let mut leaves = 0;
        for &mv in &list[0] {
            let child = child(position, mv, immediate);
            leaves += if lists.is_empty() {
                // Keeps the compiler from optimizing the last ply away.
                black_box(&child);
                1
            } else {
                cpu.dispatch(Perft::<PLAY_LAST_PLY> { position: &child, lists })
            };
        }
        leaves
    }
}

/// Returns whether players are eliminated as soon as they are mated.
#[inline(always)]
fn eliminates_immediately(position: &Position) -> bool {
    let rules = position.rules();
    rules.mate_timing == MateTiming::Immediate && rules.mode == Mode::FreeForAll
}

/// Returns the position after a move, ignoring draw rules.
#[inline(always)]
fn child(position: &Position, mv: Move, immediate: bool) -> Position {
    // Copying is faster than unmaking the move.
    let mut child = *position;
    child.advance(mv);
    if immediate {
        child.eliminate_mated(position.turn());
    }
    child
}

/// Returns the position in which players without a legal move have been eliminated and skipped, or
/// `None` if there are no more moves.
fn skip_stuck_players(position: &Position) -> Option<Position> {
    let mut settled = *position;
    settled.eliminate_stuck();
    // With `MateTiming::Off`, nobody is eliminated and the turn does not change.
    (settled.ending().is_none() && settled.turn() != position.turn()).then_some(settled)
}

/// Counts the leaves when the player to move has no legal move. Eliminated players are skipped.
#[cold]
fn without_stuck_players<const PLAY_LAST_PLY: bool, C: Cpu>(
    position: &Position,
    lists: &mut [MoveList],
    cpu: C,
) -> u64 {
    skip_stuck_players(position)
        .map_or(0, |settled| cpu.dispatch(Perft::<PLAY_LAST_PLY> { position: &settled, lists }))
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::{Rules, StartPosition, random_walk};

    #[test]
    fn perft_can_be_stopped() {
        for (seed, words) in (0..).zip(["", "off", "teams", "immediate", "immediate walking-king"])
        {
            let start = Position::start(StartPosition::Modern, Rules::parse(words).expect("words"));
            for position in random_walk(start, seed).take(500).step_by(50) {
                let calls = Cell::new(0);
                let stop_after = |most| {
                    calls.set(0);
                    perft_with_stop(&position, 4, &|| calls.replace(calls.get() + 1) == most)
                };
                assert_eq!(stop_after(u64::MAX), Some(perft(&position, 4)), "{position}");
                let all = calls.get();
                if all == 0 {
                    continue;
                }
                assert_eq!((stop_after(all / 2), calls.get()), (None, all / 2 + 1));
            }
        }
    }
}
