//! Chess: fourfold, cozy-chess and shakmaty.

use std::hint::black_box;
use std::rc::Rc;

use fourfold_chess::{MAX_MOVES, Position, random_walk};
use fourfold_common::SplitMix64;
use fourfold_env::chess::labels::LABELS;

use crate::adapters::Engine;
use crate::comparison::{Candidate, Comparison, WorkloadSize, pick};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The maximum length of random games, which would not end with bare kings without draw rules.
const MAX_PLIES: u32 = 200;

/// Makes a candidate of each chess crate.
macro_rules! every_crate {
    ($workload:ident($($argument:expr),*)) => {
        vec![
            $workload::<Position>($($argument),*),
            $workload::<cozy_chess::Board>($($argument),*),
            $workload::<shakmaty::Chess>($($argument),*),
        ]
    };
}

/// Returns all chess workloads.
pub(super) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    let quick = size == WorkloadSize::Quick;
    let (less, plies) = if quick { (2, 10_000) } else { (0, 500_000) };
    let mut comparisons = Vec::new();
    for (name, fen, depth) in [("start", START, 6 - less), ("kiwipete", KIWIPETE, 5 - less)] {
        let bulk = format!("chess perft bulk {name} {depth}");
        comparisons.push(Comparison::new(bulk, "nodes", every_crate!(perft_bulk(fen, depth))));
        let full = format!("chess perft full {name} {}", depth - 1);
        comparisons.push(Comparison::new(full, "nodes", every_crate!(perft_full(fen, depth - 1))));
    }
    let fens = Rc::new(positions(if quick { 100 } else { 2000 }));
    let (all, marked) = (Clearing::All, Clearing::Marked);
    let others = [
        ("chess legal moves", "moves", every_crate!(generation(&fens))),
        ("chess play every move", "moves", every_crate!(playing(&fens))),
        ("chess random games", "steps", every_crate!(random_games(plies))),
        ("chess random games with mask", "steps", every_crate!(masked_games(plies, all))),
        (
            "chess random games with mask, cleared where set",
            "steps",
            every_crate!(masked_games(plies, marked)),
        ),
    ];
    comparisons
        .extend(others.map(|(name, unit, candidates)| Comparison::new(name, unit, candidates)));
    comparisons
}

fn perft_bulk<E: Engine>(fen: &str, depth: u32) -> Candidate {
    let root = E::from_fen(fen);
    Candidate::new(E::NAME, move || black_box(&root).bulk(depth))
}

fn perft_full<E: Engine>(fen: &str, depth: u32) -> Candidate {
    let root = E::from_fen(fen);
    Candidate::new(E::NAME, move || black_box(&root).full(depth))
}

/// Returns FENs from all phases of random games.
fn positions(count: usize) -> Vec<String> {
    let walks = (0..).flat_map(|seed| {
        random_walk(Position::start(), seed).take(120).skip(seed as usize % 11).step_by(11)
    });
    walks
        .filter(|position| position.has_legal_move())
        .map(|position| position.fen())
        .take(count)
        .collect()
}

fn generation<E: Engine>(fens: &Rc<Vec<String>>) -> Candidate {
    let positions: Vec<E> = fens.iter().map(|fen| E::from_fen(fen)).collect();
    let mut list = E::List::default();
    Candidate::new(E::NAME, move || {
        let mut moves = 0;
        for _ in 0..20 {
            moves += positions.iter().map(|position| position.list(&mut list) as u64).sum::<u64>();
        }
        moves
    })
}

fn playing<E: Engine>(fens: &Rc<Vec<String>>) -> Candidate {
    let listed = |position: E| {
        let mut list = E::List::default();
        let count = position.list(&mut list);
        (position, list, count)
    };
    let positions: Vec<(E, E::List, usize)> =
        fens.iter().map(|fen| listed(E::from_fen(fen))).collect();
    Candidate::new(E::NAME, move || {
        let mut moves = 0;
        for _ in 0..20 {
            for (position, list, count) in &positions {
                for index in 0..*count {
                    let mut child = position.clone();
                    child.play(list, index);
                    black_box(&child);
                }
                moves += *count as u64;
            }
        }
        moves
    })
}

fn random_games<E: Engine>(steps: u64) -> Candidate {
    let start = E::from_fen(START);
    let mut list = E::List::default();
    Candidate::new(E::NAME, move || {
        let mut rng = SplitMix64::new(1);
        let (mut position, mut plies) = (start.clone(), 0);
        for _ in 0..steps {
            let count = position.list(&mut list);
            if count == 0 || plies == MAX_PLIES {
                (position, plies) = (start.clone(), 0);
                continue;
            }
            position.play(&list, pick(&mut rng, count));
            plies += 1;
        }
        black_box(&position);
        steps
    })
}

/// How the mask of the previous step is cleared.
#[derive(Clone, Copy)]
enum Clearing {
    /// Clears all 4672 bytes.
    All,
    /// Clears only the bytes that were set.
    Marked,
}

fn masked_games<E: Engine>(steps: u64, clearing: Clearing) -> Candidate {
    let start = E::from_fen(START);
    let mut list = E::List::default();
    let mut mask = Box::new([0u8; LABELS]);
    let mut marked: Vec<u16> = Vec::with_capacity(MAX_MOVES);
    Candidate::new(E::NAME, move || {
        let mut rng = SplitMix64::new(1);
        let (mut position, mut plies) = (start.clone(), 0);
        for _ in 0..steps {
            let count = match clearing {
                Clearing::All => {
                    mask.fill(0);
                    position.list_and_mark(&mut list, |label| mask[label as usize] = 1)
                }
                Clearing::Marked => {
                    marked.iter().for_each(|&label| mask[label as usize] = 0);
                    marked.clear();
                    position.list_and_mark(&mut list, |label| {
                        mask[label as usize] = 1;
                        marked.push(label);
                    })
                }
            };
            black_box(&mask);
            if count == 0 || plies == MAX_PLIES {
                (position, plies) = (start.clone(), 0);
                continue;
            }
            position.play(&list, pick(&mut rng, count));
            plies += 1;
        }
        steps
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that all crates do the same work: the same moves, with the same labels.
    #[test]
    fn all_crates_mark_the_same_labels() {
        fn marked<E: Engine>(fen: &str) -> Vec<u16> {
            let (position, mut list) = (E::from_fen(fen), E::List::default());
            let mut marked = Vec::new();
            let count = position.list_and_mark(&mut list, |label| marked.push(label));
            assert_eq!((count, position.list(&mut list)), (marked.len(), marked.len()), "{fen}");
            marked.sort();
            marked
        }
        for fen in positions(500).iter().map(String::as_str).chain([START, KIWIPETE]) {
            let ours = marked::<Position>(fen);
            assert_eq!(ours, marked::<cozy_chess::Board>(fen), "{fen}");
            assert_eq!(ours, marked::<shakmaty::Chess>(fen), "{fen}");
        }
    }
}
