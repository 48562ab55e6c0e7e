//! `fourfold perft`: counting the leaves of a game's tree.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use clap::{Args, ValueEnum};
use fourfold_chess::{Position, Setup, Variant};
use indicatif::{HumanCount, ProgressBar};

use crate::progress;

/// Count the move sequences of a given length.
///
/// Prints `nodes N` on standard output, time and nodes per second on standard error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold perft 6
  fourfold perft --divide 2 --fen 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
  fourfold perft 5 --chess960 --fen 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1'")]
pub(crate) struct Arguments {
    /// How many plies.
    #[arg(value_parser = clap::value_parser!(u32).range(..=30))]
    depth: u32,
    /// Which game.
    #[arg(long, value_enum, default_value = "chess")]
    game: GameName,
    /// Where to start, instead of the game's own start.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Castle as in Chess960.
    #[arg(long)]
    chess960: bool,
    /// Show the count after each first move.
    #[arg(long)]
    divide: bool,
    /// How many threads count; by default as many as there are cores.
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
}

/// The games whose trees can be counted.
#[derive(Clone, Copy, ValueEnum)]
enum GameName {
    Chess,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let root = match arguments.game {
        GameName::Chess => chess(arguments)?,
    };
    let threads = arguments.threads.map_or_else(cores, std::num::NonZeroUsize::get);
    let started = Instant::now();
    let parts = divide(&root, arguments.depth, threads, &|tasks| progress::bar(tasks, "subtrees"));
    let seconds = started.elapsed().as_secs_f64();
    let nodes = match arguments.depth {
        0 => 1,
        _ => parts.iter().map(|(_, nodes)| nodes).sum(),
    };
    let mut out = std::io::stdout().lock();
    if arguments.divide {
        for (mv, nodes) in &parts {
            writeln!(out, "{mv}: {nodes}")?;
        }
    }
    writeln!(out, "nodes {nodes}")?;
    let speed = (nodes as f64 / seconds.max(1e-9)) as u64;
    eprintln!("{seconds:.3} s, {} nodes/s, {threads} thread(s)", HumanCount(speed));
    Ok(ExitCode::SUCCESS)
}

fn chess(arguments: &Arguments) -> anyhow::Result<Position> {
    let variant = if arguments.chess960 { Variant::Chess960 } else { Variant::Standard };
    Ok(match &arguments.fen {
        Some(fen) => Position::from_fen_in(fen, variant)?,
        None => Setup { variant, ..Setup::start() }.validate()?,
    })
}

/// As many threads as can run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// What counting asks of a game.
pub(crate) trait Tree: Sized + Sync {
    /// The positions after each legal move, with the moves' names, sorted by them.
    fn children(&self) -> Vec<(String, Self)>;

    /// The number of move sequences of exactly this length.
    fn perft(&self, depth: u32) -> u64;
}

impl Tree for Position {
    fn children(&self) -> Vec<(String, Position)> {
        let name = |mv: fourfold_chess::Move| mv.uci(self.variant());
        let moves = self.legal_moves();
        let mut children: Vec<_> = moves.iter().map(|&mv| (name(mv), self.after(mv))).collect();
        children.sort_by(|(one, _), (other, _)| one.cmp(other));
        children
    }

    fn perft(&self, depth: u32) -> u64 {
        fourfold_chess::perft(self, depth)
    }
}

/// The count below each first move, worked out by several threads; nothing at depth 0. `bar` makes
/// a progress bar for a number of subtrees.
pub(crate) fn divide<T: Tree + Send>(
    root: &T,
    depth: u32,
    threads: usize,
    bar: &dyn Fn(u64) -> ProgressBar,
) -> Vec<(String, u64)> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let (names, children): (Vec<String>, Vec<T>) = root.children().into_iter().unzip();
    if depth < 2 {
        let counts = children.iter().map(|child| child.perft(depth));
        return names.into_iter().zip(counts).collect();
    }
    // Subtrees two plies down are many enough to keep all threads busy to the end.
    let tasks: Vec<(usize, T)> = children
        .iter()
        .enumerate()
        .flat_map(|(first, child)| child.children().into_iter().map(move |(_, task)| (first, task)))
        .collect();
    let counts: Vec<AtomicU64> = names.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let bar = bar(tasks.len() as u64);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(tasks.len()) {
            scope.spawn(|| {
                while let Some((first, task)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    counts[*first].fetch_add(task.perft(depth - 1), Ordering::Relaxed);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    names.into_iter().zip(counts.into_iter().map(AtomicU64::into_inner)).collect()
}
