//! Perft: counting the leaves of the game tree.

use alloc::vec::Vec;

use fourfold_common::cpu::{self, Cpu, Work};

use crate::sink::{Count, Each};
use crate::{Placement, Position};

/// Returns the number of sequences of exactly `depth` legal placements.
///
/// Placements on the last ply are counted, not played.
///
/// ```
/// use fourfold_blokus::{Position, Variant, perft};
/// assert_eq!(perft(&Position::start(Variant::CLASSIC), 2), 3364);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    cpu::dispatch(Perft { position, depth })
}

/// Returns the same number as [`perft`], or `None` if `stop` returns true meanwhile. It is called
/// before each subtree of depth 2.
pub fn perft_with_stop(position: &Position, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= 2 {
        return (!stop()).then(|| perft(position, depth));
    }
    let mut leaves = 0;
    for placement in position.legal_moves() {
        leaves += perft_with_stop(&position.after(placement), depth - 1, stop)?;
    }
    Some(leaves)
}

struct Perft<'a> {
    position: &'a Position,
    depth: u32,
}

impl Work for Perft<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Perft { position, depth } = self;
        let (Some(rest), Some(color)) = (depth.checked_sub(1), position.turn()) else {
            return u64::from(depth == 0);
        };
        if rest == 0 {
            let mut count = Count(0);
            position.generate_inline(color, &mut count);
            return count.0;
        }
        let mut list: Vec<Placement> = Vec::new();
        position.generate_inline(color, &mut Each(|placement| list.push(placement)));
        let mut leaves = 0;
        for placement in list {
            let mut child = *position;
            child.play_unchecked(placement);
            leaves += cpu.dispatch(Perft { position: &child, depth: rest });
        }
        leaves
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::{Variant, random_walk};

    #[test]
    fn perft_can_be_stopped() {
        for position in random_walk(Position::start(Variant::DUO), 1).skip(8).step_by(3) {
            let calls = Cell::new(0);
            let stop_after = |most| {
                calls.set(0);
                perft_with_stop(&position, 3, &|| calls.replace(calls.get() + 1) == most)
            };
            assert_eq!(stop_after(u64::MAX), Some(perft(&position, 3)), "{position}");
            let all = calls.get();
            if all == 0 {
                continue;
            }
            assert_eq!((stop_after(all / 2), calls.get()), (None, all / 2 + 1));
        }
    }
}
