//! Four-player chess: only fourfold, because the other implementations are separate programs. The
//! `env` module measures the environment and its mask formats.

use std::hint::black_box;

use fourfold_common::SplitMix64;
use fourfold_four_player::{
    MateTiming, MoveList, Position, Rules, StartPosition, perft, perft_by_playing, random_walk,
};

use crate::comparison::{Candidate, Comparison, WorkloadSize, pick};

/// Returns all workloads for the rules of four-player chess.
pub(super) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    let quick = size == WorkloadSize::Quick;
    let depth = if quick { 4 } else { 6 };
    let counting = Rules { mate_timing: MateTiming::Off, ..Rules::FREE_FOR_ALL };
    let start = Position::start(StartPosition::Modern, counting);
    let bulk = Candidate::new("fourfold", move || perft(black_box(&start), depth));
    let full = Candidate::new("fourfold", move || perft_by_playing(black_box(&start), depth - 1));
    let positions = positions(if quick { 100 } else { 2000 });
    vec![
        Comparison::new(format!("four-player perft bulk modern {depth}"), "leaves", vec![bulk]),
        Comparison::new(
            format!("four-player perft full modern {}", depth - 1),
            "leaves",
            vec![full],
        ),
        Comparison::new(
            "four-player legal moves",
            "moves",
            vec![counting_moves(positions.clone()), listing_moves(positions)],
        ),
        Comparison::new(
            "four-player random games",
            "steps",
            vec![random_games(if quick { 2_000 } else { 200_000 })],
        ),
    ]
}

/// Returns positions from all phases of random games.
fn positions(count: usize) -> Vec<Position> {
    let start = Position::start(StartPosition::Modern, Rules::FREE_FOR_ALL);
    let walks = (0..)
        .flat_map(|seed| random_walk(start, seed).take(400).skip(seed as usize % 17).step_by(17));
    walks.filter(|position| position.ending().is_none()).take(count).collect()
}

/// How often one run goes through the positions.
const REPEATS: u64 = 20;

fn counting_moves(positions: Vec<Position>) -> Candidate {
    Candidate::new("counted", move || {
        let count = |_| positions.iter().map(|position| position.count_legal()).sum::<usize>();
        (0..REPEATS).map(count).sum::<usize>() as u64
    })
}

fn listing_moves(positions: Vec<Position>) -> Candidate {
    let mut list = MoveList::new();
    Candidate::new("listed", move || {
        let mut moves = 0;
        for _ in 0..REPEATS {
            for position in &positions {
                position.legal_moves_into(&mut list);
                moves += black_box(&list).len() as u64;
            }
        }
        moves
    })
}

/// Whole plies: moves, points, eliminations, and draws other than by repetition.
fn random_games(steps: u64) -> Candidate {
    let start = Position::start(StartPosition::Modern, Rules::FREE_FOR_ALL);
    let mut list = MoveList::new();
    Candidate::new("fourfold", move || {
        let mut rng = SplitMix64::new(1);
        let mut position = start;
        for _ in 0..steps {
            position.legal_moves_into(&mut list);
            if list.is_empty() {
                position = start;
                continue;
            }
            position.play_unchecked(list[pick(&mut rng, list.len())]);
        }
        black_box(&position);
        steps
    })
}
