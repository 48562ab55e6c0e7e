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
