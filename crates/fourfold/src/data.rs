//! `fourfold data`: exporting and importing the arena's database.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};

use crate::arena::default_data;
use crate::eprint_line;

/// Export the arena's games, guests and ratings to a text file, or import them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold data export backup.jsonl                 everything, also while the arena is running
  fourfold data export - | gzip > backup.jsonl.gz
  fourfold data import --data new.db backup.jsonl   into a new database file

The text has one JSON object per line. It contains hashes of the cookies that identify guests: keep it
as safe as the database itself.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write everything in a database file as JSON lines. The arena may be running.
    Export {
        /// The database file [default: arena.db in your data directory].
        #[arg(long, value_name = "FILE")]
        data: Option<PathBuf>,
        /// The text file to write, which must not exist; - for standard output.
        file: PathBuf,
    },
    /// Read an export into a new database file. The arena must not be running with it.
    Import {
        /// The database file, which must be new or empty [default: arena.db in your data directory].
        #[arg(long, value_name = "FILE")]
        data: Option<PathBuf>,
        /// The text file to read; - for standard input.
        file: PathBuf,
    },
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Export { data, file } => export(&database(data.as_deref())?, file)?,
        Command::Import { data, file } => import(&database(data.as_deref())?, file)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn database(data: Option<&Path>) -> anyhow::Result<PathBuf> {
    let data = data.map(Path::to_owned).or_else(default_data);
    data.context("no home directory found: pass a file with --data")
}

fn export(data: &Path, file: &Path) -> anyhow::Result<()> {
    let games = if file == Path::new("-") {
        fourfold_arena::export(data, &mut BufWriter::new(io::stdout().lock()))?
    } else {
        let out = File::options().write(true).create_new(true).open(file);
        let out = out.with_context(|| format!("cannot write {}", file.display()))?;
        let mut out = BufWriter::new(out);
        let games = fourfold_arena::export(data, &mut out)
            .and_then(|games| out.flush().map(|()| games).map_err(Into::into));
        // An incomplete export would only be noticed when it is needed.
        games.inspect_err(|_| drop(std::fs::remove_file(file)))?
    };
    eprint_line(&format!("exported {games} games from {}", data.display()));
    Ok(())
}

fn import(data: &Path, file: &Path) -> anyhow::Result<()> {
    let games = if file == Path::new("-") {
        fourfold_arena::import(data, &mut io::stdin().lock())?
    } else {
        let text = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
        let games = fourfold_arena::import(data, &mut BufReader::new(text));
        games.with_context(|| format!("cannot import {}", file.display()))?
    };
    eprint_line(&format!("imported {games} games into {}", data.display()));
    Ok(())
}
