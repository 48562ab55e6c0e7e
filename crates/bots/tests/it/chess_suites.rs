//! Positions with a known solution: mates verified by an exhaustive search, and the Bratko-Kopec
//! test.

use crate::suites;

use std::ops::ControlFlow;

use fourfold_bots::chess::{Engine, Report, Task};
use fourfold_bots::{Budget, Score};
use fourfold_chess::{History, Position};

use suites::{Mate, mates, mates_in, puzzles};

const MATES: &str = include_str!("../../../../data/chess/mates.txt");
const BRATKO_KOPEC: &str = include_str!("../../../../data/chess/bratko-kopec.epd");

fn think(position: &Position, nodes: u64) -> Report {
    let task = Task::new(Budget::nodes(nodes));
    let history = History::new(position);
    Engine::new(4 << 20).think(position, &history, &task, |_| ControlFlow::Continue(()))
}

#[test]
fn mate_suite_is_correct() {
    let mates = mates(MATES);
    for moves in 1..=4 {
        assert!(mates.iter().filter(|mate| mate.moves == moves).count() >= 8, "too few in {moves}");
    }
    for Mate { position, moves } in mates {
        let mut left = u64::MAX;
        assert_eq!(mates_in(&position, moves, &mut left), Some(true), "{position}");
        if moves > 1 {
            assert_eq!(mates_in(&position, moves - 1, &mut left), Some(false), "{position}");
        }
    }
}

#[test]
fn engine_finds_the_mates() {
    for Mate { position, moves } in mates(MATES) {
        let answer = think(&position, 150_000);
        assert_eq!(answer.lines[0].score(), Score::Mate(moves as i32), "{position}");
    }
}

#[test]
fn engine_solves_bratko_kopec_positions() {
    let puzzles = puzzles(BRATKO_KOPEC);
    assert_eq!(puzzles.len(), 24);
    let solved = puzzles.iter().filter(|puzzle| {
        let answer = think(&puzzle.position, 60_000);
        puzzle.best.contains(&answer.lines[0].moves[0])
    });
    // In a second the engine searches twenty times as many positions: see `--example suites`.
    let solved = solved.count();
    assert!(solved >= 8, "{solved} of 24");
}
