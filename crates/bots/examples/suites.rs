//! Measures the chess engine on test suites, with a second for each position, or finds mates for a
//! suite.
//!
//! `cargo run --release -p fourfold-bots --example suites [--milliseconds N] [--find-mates]`

#[path = "../tests/it/suites/mod.rs"]
mod suites;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use fourfold_bots::chess::{Engine, Report, Task};
use fourfold_bots::{Budget, Score};
use fourfold_chess::{History, Position, random_walk};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|word| word == "--find-mates") {
        return find_mates();
    }
    let given = arguments.iter().skip_while(|word| *word != "--milliseconds").nth(1);
    let time = Duration::from_millis(given.and_then(|text| text.parse().ok()).unwrap_or(1000));
    let (mut nodes, mut spent) = (0, Duration::ZERO);
    let mut measured = |position: &Position| {
        let began = Instant::now();
        let answer = think(position, time);
        nodes += answer.nodes;
        spent += began.elapsed();
        answer
    };
    let puzzles = suites::puzzles(include_str!("../../../data/chess/bratko-kopec.epd"));
    let mut solved = 0;
    for puzzle in &puzzles {
        let answer = measured(&puzzle.position);
        let found = answer.lines[0].moves[0];
        let right = puzzle.best.contains(&found);
        solved += usize::from(right);
        let verdict = if right { "solved" } else { "missed" };
        println!(
            "{} {verdict} {} at depth {}",
            puzzle.id,
            puzzle.position.san(found),
            answer.depth
        );
    }
    println!("Bratko-Kopec: {solved} of {}", puzzles.len());
    let mates = suites::mates(include_str!("../../../data/chess/mates.txt"));
    let mut solved = 0;
    for mate in &mates {
        solved += usize::from(
            measured(&mate.position).lines[0].score() == Score::Mate(mate.moves as i32),
        );
    }
    println!("mates: {solved} of {}", mates.len());
    println!("nodes/s: {:.0}", nodes as f64 / spent.as_secs_f64());
}

/// Searches a position for a fixed time.
fn think(position: &Position, time: Duration) -> Report {
    let stop = AtomicBool::new(false);
    let (done, waiting) = channel::<()>();
    let flag = &stop;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Nothing is ever sent: the wait ends with the time or with the search.
            let _ = waiting.recv_timeout(time);
            flag.store(true, Ordering::Relaxed);
        });
        let task = Task::new(Budget::nodes(u64::MAX).with_stop(&stop));
        let history = History::new(position);
        let answer =
            Engine::new(32 << 20).think(position, &history, &task, |_| ControlFlow::Continue(()));
        drop(done);
        answer
    })
}

/// Prints positions from random games with a mate in 1 to 4 moves and no quicker one.
fn find_mates() {
    let mut wanted = [10; 4];
    for seed in 0.. {
        if wanted == [0; 4] {
            return;
        }
        // At most one position of each game, and late ones: with few moves, everything can be
        // tried.
        for position in random_walk(Position::start(), seed).skip(60).step_by(7).take(40) {
            if position.ending().is_some() || position.count_legal() > 34 {
                continue;
            }
            let task = Task::new(Budget::nodes(40_000));
            let history = History::new(&position);
            let answer = Engine::new(1 << 20)
                .think(&position, &history, &task, |_| ControlFlow::Continue(()));
            let Score::Mate(moves @ 1..=4) = answer.lines[0].score() else { continue };
            let index = moves as usize - 1;
            let mut left = 150_000;
            let in_moves = suites::mates_in(&position, moves as u32, &mut left);
            let sooner = match moves {
                1 => Some(false),
                _ => suites::mates_in(&position, moves as u32 - 1, &mut left),
            };
            if wanted[index] > 0 && in_moves == Some(true) && sooner == Some(false) {
                wanted[index] -= 1;
                println!("{position} ; mate {moves}");
                break;
            }
        }
    }
}
