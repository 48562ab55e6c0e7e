//! Chess analysis: one pass over the men, with exchanges, with forks, and everything.

use std::hint::black_box;

use fourfold_chess::{Position, random_walk};
use fourfold_study::{Analysis, Facts};

use crate::contest::{Contest, Contestant, Effort};

/// All workloads of the analysis.
pub(crate) fn contests(effort: Effort) -> Vec<Contest> {
    let count = if effort == Effort::Quick { 200 } else { 20_000 };
    let positions = positions(count);
    let groups = [
        ("one pass", Facts::ONE_PASS),
        ("and exchanges", Facts { exchanges: true, ..Facts::ONE_PASS }),
        ("and forks", Facts { forks: true, ..Facts::ONE_PASS }),
        ("everything", Facts::ALL),
    ];
    vec![Contest {
        name: "study".to_owned(),
        unit: "positions",
        contestants: groups.map(|(name, facts)| analysing(name, facts, positions.clone())).into(),
    }]
}

/// Positions from all phases of random games.
fn positions(count: usize) -> Vec<Position> {
    let walks = (0..).flat_map(|seed| random_walk(Position::start(), seed).take(160).step_by(3));
    walks.take(count).collect()
}

fn analysing(name: &'static str, facts: Facts, positions: Vec<Position>) -> Contestant {
    Contestant::new(name, move || {
        for position in &positions {
            black_box(Analysis::with(black_box(position), facts));
        }
        positions.len() as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contest_runs() {
        for contest in contests(Effort::Quick) {
            contest.run(1);
        }
    }
}
