//! Perft: counting the leaves of the game tree.

use alloc::vec;
use core::hint::black_box;

use fourfold_common::cpu::{self, Cpu, Work};

use crate::{MateTiming, Mode, MoveList, Position};

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
        let immediate = position.rules().mate_timing == MateTiming::Immediate
            && position.rules().mode == Mode::FreeForAll;
        let us = position.turn();
        let (list, lists) = lists.split_at_mut(1);
        let mut leaves = 0;
        for &mv in &list[0] {
            // Copying is faster than unmaking the move.
            let mut child = *position;
            child.advance(mv);
            if immediate {
                child.eliminate_mated(us);
            }
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

/// Counts the leaves when the player to move has no legal move. Eliminated players are skipped.
#[cold]
fn without_stuck_players<const PLAY_LAST_PLY: bool, C: Cpu>(
    position: &Position,
    lists: &mut [MoveList],
    cpu: C,
) -> u64 {
    let mut settled = *position;
    settled.eliminate_stuck();
    // With `MateTiming::Off`, nobody is eliminated and the turn does not change.
    if settled.ending().is_some() || settled.turn() == position.turn() {
        return 0;
    }
    cpu.dispatch(Perft::<PLAY_LAST_PLY> { position: &settled, lists })
}
