//! Perft: counting the leaves of the game tree.

use core::hint::black_box;
use core::marker::PhantomData;
use core::ops::ControlFlow;

use fourfold_common::cpu::{self, Cpu, Work};

use crate::movegen::Generator;
use crate::side::{Black, Side, White};
use crate::sink::{Count, Each};
use crate::{Color, Position};

/// Returns the number of sequences of exactly `depth` legal moves.
///
/// Moves on the last ply are counted, not played; [`perft_by_playing`] plays them too.
///
/// ```
/// use fourfold_chess::{Position, perft};
/// assert_eq!(perft(&Position::start(), 3), 8902);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match position.turn() {
        Color::White => cpu::dispatch(Perft::<White, false>::new(position, depth)),
        Color::Black => cpu::dispatch(Perft::<Black, false>::new(position, depth)),
    }
}

/// Returns the same number as [`perft`], or `None` if `stop` returns true meanwhile. It is called
/// before each subtree of depth 2.
pub fn perft_with_stop(position: &Position, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= 2 {
        return (!stop()).then(|| perft(position, depth));
    }
    let mut leaves = 0;
    for &mv in &position.legal_moves() {
        leaves += perft_with_stop(&position.after(mv), depth - 1, stop)?;
    }
    Some(leaves)
}

/// Returns the same number as [`perft`], but plays the moves on the last ply too.
pub fn perft_by_playing(position: &Position, depth: u32) -> u64 {
    match position.turn() {
        Color::White => cpu::dispatch(Perft::<White, true>::new(position, depth)),
        Color::Black => cpu::dispatch(Perft::<Black, true>::new(position, depth)),
    }
}

/// The search below a position with side `S` to move. If `PLAY_LAST_PLY`, moves on the last
/// ply are played too.
struct Perft<'a, S, const PLAY_LAST_PLY: bool> {
    position: &'a Position,
    depth: u32,
    side: PhantomData<S>,
}

impl<'a, S, const PLAY_LAST_PLY: bool> Perft<'a, S, PLAY_LAST_PLY> {
    #[inline(always)]
    fn new(position: &'a Position, depth: u32) -> Self {
        Perft { position, depth, side: PhantomData }
    }
}

impl<S: Side, const PLAY_LAST_PLY: bool> Work for Perft<'_, S, PLAY_LAST_PLY> {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Perft { position, depth, .. } = self;
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        if depth == 1 && !PLAY_LAST_PLY {
            let mut count = Count(0);
            let _ = Generator::<S, C>::new(position, cpu).generate(&mut count);
            return count.0 as u64;
        }
        let _ = Generator::<S, C>::new(position, cpu).generate(&mut Each(|mv| {
            let mut child = *position;
            child.advance::<S>(mv);
            leaves += if depth == 1 {
                // Keeps the compiler from optimizing the played move away.
                black_box(&child);
                1
            } else {
                cpu.dispatch(Perft::<S::Them, PLAY_LAST_PLY>::new(&child, depth - 1))
            };
            ControlFlow::Continue(())
        }));
        leaves
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::random_walk;

    #[test]
    fn perft_can_be_stopped() {
        for position in random_walk(Position::start(), 1).take(200).step_by(40) {
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
