//! `fourfold perft`: counting the leaves of game trees.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::{HumanCount, ProgressBar};

use crate::games::{GAMES, Tree};
use crate::{eprint_line, progress};

/// The largest depth accepted. The tree of chess already has 10⁴⁰ leaves at this depth.
pub(crate) const MAX_DEPTH: u32 = 30;

/// Count the move sequences of a given length.
///
/// Prints `nodes N` on standard output, and the time and nodes per second on standard error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold perft 6
  fourfold perft 3 --divide --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1'
  fourfold perft 5 --chess960 --fen '1rk1r3/8/8/8/8/8/8/1RK1R3 w BEbe - 0 1'
  fourfold perft 5 --game four-player --setup modern --mode teams
  fourfold perft 4 --game four-player --rules immediate
  fourfold perft 3 --game blokus-duo")]
pub(crate) struct Arguments {
    /// The number of plies.
    #[arg(value_parser = clap::value_parser!(u32).range(..=MAX_DEPTH as i64))]
    depth: u32,
    /// The game.
    #[arg(long, default_value = GAMES[0].name, value_parser = PossibleValuesParser::new(GAMES.iter().map(|game| game.name)))]
    game: String,
    /// The start position, instead of the usual one: a FEN, a FEN4 for four-player chess, or a
    /// position or variant for Blokus.
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Option<String>,
    /// Chess: use Chess960 castling.
    #[arg(long)]
    pub(crate) chess960: bool,
    /// Four-player chess: the arrangement of kings and queens [default: modern].
    #[arg(long, value_name = "SETUP", conflicts_with = "fen", value_parser = SETUPS)]
    pub(crate) setup: Option<String>,
    /// Four-player chess: free-for-all or two against two [default: ffa].
    #[arg(long, value_parser = MODES)]
    pub(crate) mode: Option<String>,
    /// Four-player chess: rules in words as in docs/rules/four-player.md, such as what happens to
    /// players without a legal move [default: off: the line ends there].
    #[arg(long, value_name = "WORDS")]
    pub(crate) rules: Option<String>,
    /// Print the count after each first move.
    #[arg(long)]
    divide: bool,
    /// The number of threads; by default the number of cores.
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
}

pub(crate) const SETUPS: [&str; 5] = ["modern", "classic", "by", "byg", "rg"];
const MODES: [&str; 2] = ["ffa", "teams"];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let root = root(arguments)?;
    let threads = arguments.threads.map_or_else(cores, std::num::NonZeroUsize::get);
    let started = Instant::now();
    let bar = |subtrees| progress::bar(subtrees, "subtrees");
    let counted = count(&root, arguments.depth, threads, u64::MAX, &bar);
    let seconds = started.elapsed().as_secs_f64();
    let Counted { nodes, parts } = counted;
    let mut out = std::io::stdout().lock();
    if arguments.divide {
        for (mv, nodes) in &parts {
            writeln!(out, "{mv}: {nodes}")?;
        }
    }
    writeln!(out, "nodes {nodes}")?;
    let speed = (nodes as f64 / seconds.max(1e-9)) as u64;
    eprint_line(&format!("{seconds:.3} s, {} nodes/s, {threads} thread(s)", HumanCount(speed)));
    Ok(ExitCode::SUCCESS)
}

fn root(arguments: &Arguments) -> anyhow::Result<Tree> {
    let given = [
        ("--chess960", arguments.chess960),
        ("--setup", arguments.setup.is_some()),
        ("--mode", arguments.mode.is_some()),
        ("--rules", arguments.rules.is_some()),
    ];
    let mut given = given.iter().filter_map(|(option, given)| given.then_some(option));
    let Some(game) = GAMES.iter().find(|game| game.name == arguments.game) else {
        bail!("perft does not support the game '{}'", arguments.game);
    };
    if let Some(option) = given.find(|option| !game.options.contains(option)) {
        let owner = GAMES.iter().find(|game| game.options.contains(option));
        bail!("{option} requires --game {}", owner.map_or("", |game| game.name));
    }
    (game.root)(arguments)
}

/// Returns the number of threads that can run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// The result of counting.
pub(crate) struct Counted {
    /// The number of sequences, or some number above the limit if there are more.
    pub(crate) nodes: u64,
    /// The number of sequences for each first move; empty at depth 0.
    pub(crate) parts: Vec<(String, u64)>,
}

/// Counts on several threads, and stops soon after finding more than `limit` sequences. `bar` makes
/// a progress bar for a number of subtrees.
pub(crate) fn count(
    root: &Tree,
    depth: u32,
    threads: usize,
    limit: u64,
    bar: &dyn Fn(u64) -> ProgressBar,
) -> Counted {
    let Some(depth) = depth.checked_sub(1) else { return Counted { nodes: 1, parts: Vec::new() } };
    let mut children = root.children();
    children.sort_by(|(one, _), (other, _)| one.cmp(other));
    let (names, children): (Vec<String>, Vec<Tree>) = children.into_iter().unzip();
    // There are enough subtrees two plies down to keep all threads busy to the end.
    let tasks: Vec<(usize, u32, Tree)> = match depth.checked_sub(1) {
        Some(rest) if rest > 0 => children
            .iter()
            .enumerate()
            .flat_map(|(first, child)| {
                child.children().into_iter().map(move |(_, task)| (first, rest, task))
            })
            .collect(),
        _ => children.into_iter().enumerate().map(|(first, child)| (first, depth, child)).collect(),
    };
    let parts: Vec<AtomicU64> = names.iter().map(|_| AtomicU64::new(0)).collect();
    let (next, total) = (AtomicUsize::new(0), AtomicU64::new(0));
    let bar = bar(tasks.len() as u64);
    let work = || {
        while let Some((first, depth, task)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            count_below(task, *depth, &parts[*first], &total, limit);
            bar.inc(1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(tasks.len()) {
            // It still works with fewer threads, only slower.
            let spawned = std::thread::Builder::new().spawn_scoped(scope, work);
            if spawned.is_err() {
                break;
            }
        }
        work();
    });
    bar.finish_and_clear();
    let parts = parts.into_iter().map(AtomicU64::into_inner);
    Counted { nodes: total.into_inner(), parts: names.into_iter().zip(parts).collect() }
}

/// Counts the sequences below a position and adds them to its part and to the total. Deep trees are
/// counted in parts, so that the limit is checked in between.
fn count_below(task: &Tree, depth: u32, part: &AtomicU64, total: &AtomicU64, limit: u64) {
    const AT_ONCE: u32 = 5;
    if total.load(Ordering::Relaxed) > limit {
        return;
    }
    if depth > AT_ONCE {
        for (_, child) in task.children() {
            count_below(&child, depth - 1, part, total, limit);
        }
        return;
    }
    let nodes = task.perft(depth);
    part.fetch_add(nodes, Ordering::Relaxed);
    total.fetch_add(nodes, Ordering::Relaxed);
}
