//! `fourfold replay`: replaying recorded games of kung fu chess.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use fourfold_common::join;
use fourfold_kung_fu::Outcome;
use fourfold_table::kung_fu::{read_bytes, read_text};

/// Replay a recorded game of kung fu chess and print how it ends.
///
/// Every order in the file is checked against the rules; an illegal order is an error. Prints
/// `end TICK winner 1+3`, `end TICK draw` or `end TICK unfinished`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold replay kung-fu-7kq2m9x4t0ab.json
  fourfold replay --events game.json            print all events")]
pub(crate) struct Arguments {
    /// The replay, in the arena's export format or in the binary format.
    file: PathBuf,
    /// Also print all events.
    #[arg(long)]
    events: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let name = arguments.file.display();
    let bytes = std::fs::read(&arguments.file).with_context(|| format!("cannot read {name}"))?;
    let replay = match std::str::from_utf8(&bytes) {
        Ok(text) => read_text(text),
        Err(_) => read_bytes(&bytes),
    };
    let replay = replay.with_context(|| format!("{name} is not a replay"))?;
    let seeker = replay.seeker().with_context(|| format!("cannot replay {name}"))?;
    let game = seeker.last();
    let mut out = io::BufWriter::new(io::stdout().lock());
    if arguments.events {
        for event in seeker.events() {
            writeln!(out, "{}", game.text(event))?;
        }
    }
    let result = match game.outcome() {
        None => "unfinished".to_owned(),
        Some(Outcome::Draw) => "draw".to_owned(),
        Some(Outcome::Win(players)) => format!("winner {}", join(players.iter(), "+")),
    };
    writeln!(out, "end {} {result}", game.now())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
