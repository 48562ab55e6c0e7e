//! Measures the chess engine on suites of positions, a second for each, and how soon it answers when it is told to stop;
//! or finds mates for a suite.
//!
//! `cargo run --release -p fourfold-bots --example suites [--milliseconds N] [--stops] [--find-mates]`

#[path = "../tests/suites/mod.rs"]
mod suites;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use fourfold_bots::chess::{Engine, Report, Task};
use fourfold_bots::{Budget, Score, Situation};
use fourfold_chess::{History, Position, random_walk};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|word| word == "--find-mates") {
        return find_mates();
    }
    if arguments.iter().any(|word| word == "--stops") {
        return stops();
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
    stops();
}

/// Positions that are hard on an engine: most moves, most queens, kings alone.
const ODD: [(&str, &str); 5] = [
    ("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
    ("18 queens", "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1"),
    ("open queens", "q3k2q/1q4q1/2q2q2/8/8/2Q2Q2/1Q4Q1/Q3K2Q w - - 0 1"),
    ("one pawn", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"),
    ("the start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
];

/// Prints the longest processor time that `master` has taken from the stop to its answer.
fn stops() {
    let mut games: Vec<(&str, &str, Vec<String>)> =
        ODD.iter().map(|&(name, fen)| (name, fen, Vec::new())).collect();
    // Of some random games the longest, as far as it goes on.
    if let Some(codes) = (0..50).map(random_game).max_by_key(Vec::len) {
        games.push(("a long game", ODD[ODD.len() - 1].1, codes));
    }
    for (name, start, moves) in &games {
        let situation = Situation { start, moves };
        // At different moments of the search.
        let times = [0, 1, 3, 10, 31, 57, 100, 170, 260, 400].map(Duration::from_millis);
        let worst = times.iter().filter_map(|&time| after_stop(&situation, time)).max();
        match worst {
            Some(worst) => {
                println!("stop, {name}: {:.2} ms of processor time", 1000.0 * worst.as_secs_f64())
            }
            None => println!("stop, {name}: not measured"),
        }
    }
}

/// The moves of a random game, two thirds of it.
fn random_game(seed: u64) -> Vec<String> {
    let walk: Vec<Position> = random_walk(Position::start(), seed).take(1000).collect();
    let mut history = History::new(&walk[0]);
    let mut codes = Vec::new();
    for pair in walk.windows(2) {
        let (before, after) = (pair[0], pair[1]);
        history.push(&after);
        let played = before.legal_moves().into_iter().find(|&mv| before.after(mv) == after);
        let Some(mv) = played.filter(|_| history.ending(&after).is_none()) else { break };
        codes.push(mv.uci(before.variant()));
    }
    codes.truncate(codes.len() * 2 / 3);
    codes
}

/// How much processor time a bot takes from the stop to its answer; nothing where the system does not tell or the answer
/// came before. A scheduler counts in ticks of a few milliseconds.
fn after_stop(situation: &Situation<'_>, time: Duration) -> Option<Duration> {
    let mut bot = fourfold_bots::make("chess", "master", 1)?;
    let stop = AtomicBool::new(false);
    let clock = Path::new("/proc").join(std::fs::read_link("/proc/thread-self").ok()?);
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        let (clock, stop) = (&clock, &stop);
        let told = scope.spawn(move || {
            let in_time = waiting.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            let spent = spent(clock);
            stop.store(true, Ordering::Relaxed);
            spent.filter(|_| in_time)
        });
        let answer = bot.think(situation, Budget::nodes(u64::MAX).until(stop));
        // The system settles a thread's account when it gives way.
        std::thread::yield_now();
        let end = spent(clock);
        drop(done);
        let told = told.join().ok()?;
        answer.ok()?;
        end?.checked_sub(told?)
    })
}

/// The processor time of a thread until now.
fn spent(thread: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Thinks for some time.
fn think(position: &Position, time: Duration) -> Report {
    let stop = AtomicBool::new(false);
    let (done, waiting) = channel::<()>();
    let flag = &stop;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // Nothing is ever sent: the wait ends with the time or with the thought.
            let _ = waiting.recv_timeout(time);
            flag.store(true, Ordering::Relaxed);
        });
        let task = Task::new(Budget::nodes(u64::MAX).until(&stop));
        let history = History::new(position);
        let answer =
            Engine::new(32 << 20).think(position, &history, &task, |_| ControlFlow::Continue(()));
        drop(done);
        answer
    })
}

/// Prints positions of random play in which there is a mate in 1 to 4 moves and no quicker one.
fn find_mates() {
    let mut wanted = [10; 4];
    for seed in 0.. {
        if wanted == [0; 4] {
            return;
        }
        // One of each game, late ones: with few moves everything can be tried.
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
