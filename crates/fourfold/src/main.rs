//! The `fourfold` command-line program.

mod analyze;
mod arena;
mod board;
mod case_lines;
mod cases;
mod convert;
mod data;
mod game_files;
mod games;
mod gtp;
mod kung_fu;
mod matches;
mod perft;
mod progress;
mod replay;
mod show;
mod uci;
mod verify;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Exact, very fast board-game environments: chess, four-player chess, Blokus and kung fu chess. Without a command, play in a browser.
#[derive(Parser)]
#[command(name = "fourfold", version, about, after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    arena: arena::Arguments,
}

const EXAMPLES: &str = "\
Examples:
  fourfold                                      play in a browser
  fourfold data export backup.jsonl             back up the games of the arena
  fourfold perft 6                              count move sequences of six plies
  fourfold perft 3 --divide --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1'
  fourfold perft 5 --game four-player --mode teams
  fourfold verify data/chess/classic.perft      check published counts
  fourfold analyze games.pgn > facts.jsonl      analyze every position
  fourfold show games.pgn                       show a game file of any game
  fourfold convert games.pgn --to fen           convert game files
  fourfold replay --boards game.sgf             replay a game move by move
  fourfold match club expert                    measure the strength of bots
  fourfold completions bash > fourfold.bash     shell completions";

#[derive(Subcommand)]
enum Command {
    /// Play in a browser: run the arena server until it is stopped.
    #[command(after_help = arena::EXAMPLES)]
    Arena(arena::Arguments),
    Data(data::Arguments),
    #[command(visible_alias = "analyse")]
    Analyze(analyze::Arguments),
    Perft(perft::Arguments),
    Verify(verify::Arguments),
    Show(show::Arguments),
    Convert(convert::Arguments),
    Replay(replay::Arguments),
    Match(matches::Arguments),
    Uci(uci::Arguments),
    Gtp(gtp::Arguments),
    /// Print completions for a shell.
    #[command(after_help = "Example:\n  fourfold completions zsh > ~/.zfunc/_fourfold")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(code) => code,
        // A closed pipe, as in `fourfold verify … | head`, is not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprint_line(&format!("fourfold: {error:#}"));
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        Some(Command::Arena(arguments)) => arena::run(&arguments),
        Some(Command::Data(arguments)) => data::run(&arguments),
        Some(Command::Analyze(arguments)) => analyze::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
        Some(Command::Verify(arguments)) => verify::run(&arguments),
        Some(Command::Show(arguments)) => show::run(&arguments),
        Some(Command::Convert(arguments)) => convert::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Match(arguments)) => matches::run(&arguments),
        Some(Command::Uci(arguments)) => uci::run(&arguments),
        Some(Command::Gtp(arguments)) => gtp::run(&arguments),
        Some(Command::Completions { shell }) => {
            // Generate into memory first, because the generator panics if the pipe is closed.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "fourfold", &mut script);
            io::stdout().write_all(&script)?;
            Ok(ExitCode::SUCCESS)
        }
        None => arena::run(&arguments.arena),
    }
}

/// Writes a line to standard error, ignoring errors.
pub(crate) fn eprint_line(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
