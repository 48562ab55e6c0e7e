//! `fourfold convert`: game files in other formats.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::Args;
use clap::builder::PossibleValuesParser;
use fourfold_table::game_file::{ConvertError, Target};

use crate::eprint_line;
use crate::game_files::Games;

/// Convert a game file to another format of the same game.
///
/// Chess: pgn, fen and epd (every position on a line), uci (the command `position`) and json (a line
/// for each game). Four-player chess: pgn4, fen4 and json. Blokus: sgf, positions and json. Kung fu
/// chess: json and binary replays. Converting to the same format normalizes the file. Problems are
/// reported on standard error, and the exit status is then 1.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold convert games.pgn --to fen > positions.fen
  fourfold convert games.pgn --to json | jq -r .tags.White
  fourfold convert replay.json --to binary --out replay.kfr
  fourfold convert game.blksgf --to sgf         normalize a file")]
pub(crate) struct Arguments {
    /// The file; `-` reads standard input.
    file: PathBuf,
    /// The format to convert to.
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(Target::ALL.map(Target::name)))]
    to: String,
    /// The file to write, instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Leave out games and positions that deviate from the standard. Otherwise everything before the
    /// first problem is converted.
    #[arg(long)]
    strict: bool,
    /// Convert only this game, counted from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Some(target) = Target::from_name(&arguments.to) else {
        bail!("unknown format '{}'", arguments.to);
    };
    let mut games = Games::open(&arguments.file, arguments.game, arguments.strict)?;
    let is_text = target != Target::Binary || arguments.out.is_some();
    ensure!(is_text || !io::stdout().is_terminal(), "the binary format requires --out FILE");
    let name = arguments.file.display();
    let bar = games.bar();
    let (mut out, mut written, mut problems) = (None, 0_u64, false);
    while let Some(game) = games.next()? {
        for problem in &game.problems {
            problems = true;
            bar.suspend(|| {
                eprint_line(&format!("fourfold: {name}: game {}: {problem}", game.number))
            });
        }
        if arguments.strict && !game.problems.is_empty() {
            continue;
        }
        let bytes = match game.convert(target) {
            Ok(bytes) => bytes,
            // Why it cannot be read was just reported.
            Err(ConvertError::Unreadable) => continue,
            Err(error) => return Err(error.into()),
        };
        // The file is created only if there is something to write.
        let out = match &mut out {
            Some(out) => out,
            empty => empty.insert(create(&arguments.file, arguments.out.as_deref())?),
        };
        if written > 0 && matches!(target, Target::Pgn | Target::Pgn4) {
            writeln!(out)?;
        }
        out.write_all(&bytes)?;
        written += 1;
    }
    if let Some(mut out) = out {
        out.flush()?;
    }
    bar.finish_and_clear();
    ensure!(written > 0 || problems, "{name}: {} without a game", games.reader().format());
    Ok(if problems { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns what to write to. The input is still being read, so it must be another file.
fn create(input: &Path, out: Option<&Path>) -> anyhow::Result<Box<dyn Write>> {
    let Some(out) = out else { return Ok(Box::new(io::BufWriter::new(io::stdout().lock()))) };
    let same =
        matches!((input.canonicalize(), out.canonicalize()), (Ok(one), Ok(other)) if one == other);
    ensure!(!same, "--out must not be the file that is converted");
    let file = File::create(out).with_context(|| format!("cannot write {}", out.display()))?;
    Ok(Box::new(io::BufWriter::new(file)))
}
