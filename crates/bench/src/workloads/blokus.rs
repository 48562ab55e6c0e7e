//! Blokus: the move generators compared with each other, and whole random games.

use std::hint::black_box;

use fourfold_blokus::{Placement, PlacementList, PlacementRows, Position, Variant, random_walk};
use fourfold_common::SplitMix64;
use fourfold_common::cpu::{self, Cpu, Work};

use self::reference_generators::{GENERATORS, Generate};
use crate::comparison::{Candidate, Comparison, WorkloadSize, pick};

#[path = "../../../blokus/tests/reference_generators/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod reference_generators;

/// Returns all Blokus workloads.
pub(super) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    let (walks, repeats) = if size == WorkloadSize::Quick { (2, 40) } else { (100, 10) };
    let mut comparisons = Vec::new();
    for variant in [Variant::CLASSIC, Variant::DUO] {
        for (phase, plies) in PHASES {
            comparisons.push(generators(variant, phase, plies, walks));
        }
        comparisons.push(generations(variant, walks, repeats));
        comparisons.push(first_found(variant, walks, repeats));
        comparisons
            .push(random_games(variant, if size == WorkloadSize::Quick { 20 } else { 1000 }));
    }
    comparisons
}

/// Phases of a game, by the number of pieces that the color to move has placed.
const PHASES: [(&str, std::ops::Range<usize>); 3] =
    [("early", 1..5), ("middle", 5..10), ("late", 10..21)];

/// Returns positions from random games in which the color to move has placed that many pieces.
fn positions(variant: Variant, walks: u64, placed: std::ops::Range<usize>) -> Vec<Position> {
    let walks = (0..walks).flat_map(|seed| random_walk(Position::start(variant), seed));
    let chosen = walks.filter(|position| {
        position.turn().is_some_and(|color| placed.contains(&position.placed(color)))
    });
    chosen.collect()
}

/// How often one run goes through the positions.
const REPEATS: u64 = 5;

/// All three generators, each collecting its placements in a list.
fn generators(
    variant: Variant,
    phase: &str,
    placed: std::ops::Range<usize>,
    walks: u64,
) -> Comparison {
    // The naive generator is slow.
    let positions = positions(variant, walks.div_ceil(20), placed);
    let by = |(name, generate): (&'static str, Generate)| {
        let positions = positions.clone();
        let mut list: Vec<Placement> = Vec::new();
        Candidate::new(name, move || {
            for _ in 0..REPEATS {
                for position in black_box(&positions) {
                    let Some(color) = position.turn() else { continue };
                    list.clear();
                    generate(position, color, &mut |placement| list.push(placement));
                    black_box(&list);
                }
            }
            REPEATS * positions.len() as u64
        })
    };
    Comparison::new(
        format!("blokus generators {variant} {phase}"),
        "generations",
        GENERATORS.into_iter().map(by).collect(),
    )
}

/// Full move generation for positions from whole random games.
fn generations(variant: Variant, walks: u64, repeats: u64) -> Comparison {
    let positions = positions(variant, walks, 0..21);
    let counted = {
        let positions = positions.clone();
        Candidate::new("counted", move || {
            let count = |position: &Position| position.count_legal();
            let legal: usize =
                (0..repeats).map(|_| positions.iter().map(count).sum::<usize>()).sum();
            black_box(legal);
            repeats * positions.len() as u64
        })
    };
    let mut list = PlacementList::default();
    let listed = Candidate::new("listed", move || {
        for _ in 0..repeats {
            for position in &positions {
                position.legal_moves_into(&mut list);
                black_box(&list);
            }
        }
        repeats * positions.len() as u64
    });
    Comparison::new(
        format!("blokus full generation {variant}"),
        "generations",
        vec![listed, counted],
    )
}

/// Finding any legal placement: the search stops at the first one.
fn first_found(variant: Variant, walks: u64, repeats: u64) -> Comparison {
    let positions = positions(variant, walks, 0..21);
    let fourfold = Candidate::new("fourfold", move || {
        for _ in 0..repeats {
            for position in &positions {
                black_box(position.turn().and_then(|color| position.any_legal_move(color)));
            }
        }
        repeats * positions.len() as u64
    });
    Comparison::new(format!("blokus first found {variant}"), "placements", vec![fourfold])
}

/// Whole games in which each placement is drawn uniformly from the legal ones.
fn random_games(variant: Variant, games: u64) -> Comparison {
    let fourfold =
        Candidate::new("fourfold", move || cpu::dispatch(RandomGames { variant, games }));
    Comparison::new(format!("blokus random games {variant}"), "games", vec![fourfold])
}

struct RandomGames {
    variant: Variant,
    games: u64,
}

impl Work for RandomGames {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> u64 {
        let mut rng = SplitMix64::new(1);
        let mut legal = PlacementRows::default();
        for _ in 0..self.games {
            let mut position = Position::start(self.variant);
            while let Some(color) = position.turn() {
                legal.clear();
                position.generate_inline(color, &mut legal);
                let Some(placement) = legal.nth(pick(&mut rng, legal.len())) else { break };
                position.play_unchecked(placement);
            }
            black_box(&position);
        }
        self.games
    }
}
