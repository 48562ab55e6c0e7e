//! `fourfold analyze`: analysis of chess positions.

mod write;

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use clap::{Args, ValueEnum};
use fourfold_table::study::{
    self, FactSelection, ItemLocation, Source, SourceKind, UnknownFact, parallel_map,
};
use indicatif::ProgressBar;

use crate::{eprint_line, perft, progress};
use write::{Located, json_line};

/// Analyze chess positions: attacked, hanging, pinned, skewered and en prise pieces, pawn structure
/// and forks.
///
/// The facts are defined in docs/analysis.md. The input is a FEN, a file with a FEN on each line,
/// or a file of PGN games, of which every position is analyzed. JSON and CSV give the number of the
/// game, counted from 1, and of plies played, counted from 0.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold analyze 'r3k3/2N5/8/8/6b1/7P/8/4K3 b - - 0 1'
  fourfold analyze --format csv --facts hanging,en_prise games.pgn > tactics.csv
  fourfold analyze --threads 4 positions.fen | jq -c '[.fen, .white.forks]'
  zcat games.pgn.gz | fourfold analyze --format json - > facts.jsonl")]
pub(crate) struct Arguments {
    /// A FEN, or a file of FENs or PGN games; `-` reads standard input.
    #[arg(value_name = "FEN|FILE", default_value = "-")]
    input: String,
    /// The output format; by default a board for a single FEN, and JSON lines for a file.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The facts to compute, separated by commas: pieces, attacked, hanging, pinned, pinned_pawns,
    /// skewered, developed, pawns, outposts, en_prise, forks, material, mobility, king_ring, see,
    /// x_rays, attack_map. By default all up to forks.
    #[arg(long, value_name = "FACTS")]
    facts: Option<FactSelection>,
    /// The number of threads; by default the number of cores.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Stop at the first line or game that cannot be read. By default, the moves of a game before an
    /// error are kept, and other notations than the standard's are accepted.
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A board with marks and a table, for reading.
    Board,
    /// One JSON object on each line.
    Json,
    /// Comma-separated values with a header line.
    Csv,
}

/// Compares a line of JSON written by this command with the facts found now, and returns the number
/// of facts in it.
pub(crate) fn compare(line: &str) -> Result<usize, String> {
    let expected: serde_json::Value =
        serde_json::from_str(line).map_err(|error| format!("is not JSON: {error}"))?;
    let fen = expected["fen"].as_str().ok_or("has no \"fen\"")?;
    let mut names: Vec<&str> = Vec::new();
    for side in ["white", "black"] {
        names.extend(expected[side].as_object().into_iter().flatten().map(|(name, _)| &name[..]));
    }
    names.extend(expected.get("attack_map").map(|_| "attack_map"));
    let chosen: FactSelection =
        names.join(",").parse().map_err(|error: UnknownFact| error.to_string())?;
    let position = study::position(fen).map_err(|error| error.to_string())?;
    let got: serde_json::Value =
        serde_json::from_str(&json_line(&(position, ItemLocation::Only), &chosen))
            .map_err(|error| format!("internal error: the analysis is not JSON: {error}"))?;
    for side in ["white", "black", "attack_map"] {
        let (expected, got) = (&expected[side], &got[side]);
        if let Some(name) = names.iter().find(|name| expected[**name] != got[**name]) {
            let (expected, got) = (&expected[*name], &got[*name]);
            return Err(format!("{side} {name}: expected {expected}, got {got}"));
        }
        if side == "attack_map" && expected != got {
            return Err(format!("attack_map: expected {expected}, got {got}"));
        }
    }
    Ok(names.len())
}

/// The number of positions analyzed together.
const CHUNK: usize = 4096;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let source = match &arguments.input[..] {
        "-" => Source::stream("standard input", Box::new(io::stdin()), None)
            .context("cannot read standard input")?,
        input => Source::open(input)?,
    };
    let source = if arguments.strict { source.strict() } else { source };
    let format = arguments.format.unwrap_or(match source.kind() {
        SourceKind::Fen => Format::Board,
        SourceKind::Lines | SourceKind::Games => Format::Json,
    });
    let facts = arguments.facts.clone().unwrap_or_default();
    let threads = arguments.threads.map_or_else(perft::cores, NonZeroUsize::get);
    let single = source.kind() == SourceKind::Fen;
    let of_games = source.kind() == SourceKind::Games;
    let started = Instant::now();
    // A progress bar would get in the way of output on the same terminal.
    let bar = match source.bytes() {
        Some(bytes) if !io::stdout().is_terminal() => progress::bytes(bytes),
        _ => ProgressBar::hidden(),
    };
    let mut out = io::stdout().lock();
    if format == Format::Csv {
        writeln!(out, "{}", write::csv_head(&facts, of_games))?;
    }
    let (mut count, mut bad) = (0_u64, 0_u64);
    let mut chunk = Vec::with_capacity(CHUNK);
    // Analyzes positions on all threads and writes them in order.
    let mut write = |chunk: &mut Vec<Located>| -> io::Result<()> {
        count += chunk.len() as u64;
        for text in parallel_map(threads, chunk, |positions| text(positions, format, &facts)) {
            out.write_all(text.as_bytes())?;
        }
        chunk.clear();
        Ok(())
    };
    for item in source {
        match item.position() {
            Ok(position) => chunk.push((position, item.at)),
            Err(fault) => {
                bad += 1;
                bar.suspend(|| eprint_line(&format!("fourfold: {fault}")));
                if arguments.strict {
                    break;
                }
            }
        }
        if chunk.len() == CHUNK {
            write(&mut chunk)?;
            bar.set_position(item.bytes);
        }
    }
    write(&mut chunk)?;
    bar.finish_and_clear();
    if !single || bad > 0 {
        let seconds = started.elapsed().as_secs_f64().max(1e-9);
        let speed = (count as f64 / seconds) as u64;
        eprint_line(&format!("{count} positions, {speed} positions/s, {bad} unreadable"));
    }
    let failed = bad > 0 && (arguments.strict || count == 0);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns analyzed positions in an output format, each with a line break at its end.
fn text(positions: &[Located], format: Format, facts: &FactSelection) -> String {
    let line = match format {
        Format::Board => write::board,
        Format::Json => json_line,
        Format::Csv => write::csv_line,
    };
    positions.iter().map(|position| line(position, facts) + "\n").collect()
}
