//! Chess analysis: a single pass over the pieces, alone, with exchanges, with forks, and with
//! everything; and the same facts computed group by group, each in its own pass.

mod separate;

use std::hint::black_box;

use fourfold_analysis::{Analysis, FactGroups, SideFacts};
use fourfold_chess::{Color, Position, random_walk};

use crate::comparison::{Candidate, Comparison, WorkloadSize};
use separate::{GROUPS, Group, Sides};

/// Returns all analysis workloads.
pub(super) fn comparisons(size: WorkloadSize) -> Vec<Comparison> {
    let count = if size == WorkloadSize::Quick { 200 } else { 20_000 };
    let positions = positions(count);
    let groups = [
        ("one pass", FactGroups::ONE_PASS),
        ("with exchanges", FactGroups { exchanges: true, ..FactGroups::ONE_PASS }),
        ("with forks", FactGroups { forks: true, ..FactGroups::ONE_PASS }),
        ("everything", FactGroups::ALL),
    ];
    let together = Comparison::new(
        "analysis",
        "positions",
        groups.map(|(name, facts)| analyzing(name, facts, positions.clone())).into(),
    );
    for position in &positions {
        let (ours, theirs) =
            (Analysis::with(position, FactGroups::ONE_PASS), apart(position, &GROUPS));
        for color in Color::ALL {
            assert_eq!(ours.side(color), &theirs[color as usize], "{}", position.fen());
        }
    }
    let mut candidates = vec![
        analyzing("one pass", FactGroups::ONE_PASS, positions.clone()),
        separately("separate passes", &GROUPS, positions.clone()),
    ];
    for group in &GROUPS {
        candidates.push(separately(group.0, std::slice::from_ref(group), positions.clone()));
    }
    let apart = Comparison::new("analysis by group", "positions", candidates);
    let fens: Vec<String> = positions.iter().map(Position::fen).collect();
    let read = Comparison::new(
        "analysis from FENs",
        "positions",
        vec![reading("FEN parsing", false, fens.clone()), reading("with one pass", true, fens)],
    );
    vec![together, apart, read]
}

/// Returns positions from all phases of random games.
fn positions(count: usize) -> Vec<Position> {
    let walks = (0..).flat_map(|seed| random_walk(Position::start(), seed).take(160).step_by(3));
    walks.take(count).collect()
}

fn analyzing(name: &'static str, facts: FactGroups, positions: Vec<Position>) -> Candidate {
    Candidate::new(name, move || {
        for position in &positions {
            black_box(Analysis::with(black_box(position), facts));
        }
        positions.len() as u64
    })
}

fn separately(name: &'static str, groups: &'static [Group], all: Vec<Position>) -> Candidate {
    Candidate::new(name, move || {
        for position in &all {
            black_box(apart(black_box(position), groups));
        }
        all.len() as u64
    })
}

fn reading(name: &'static str, analyses: bool, fens: Vec<String>) -> Candidate {
    Candidate::new(name, move || {
        for fen in &fens {
            let position = Position::from_fen(black_box(fen)).expect("a valid FEN");
            if analyses {
                black_box(Analysis::with(&position, FactGroups::ONE_PASS));
            }
            black_box(position);
        }
        fens.len() as u64
    })
}

/// Computes the facts of some groups, one group after the other.
fn apart(position: &Position, groups: &[Group]) -> Sides {
    let mut sides = [SideFacts::default(), SideFacts::default()];
    for (_, fill) in groups {
        fill(position, &mut sides);
    }
    sides
}
