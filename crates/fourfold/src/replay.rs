//! `fourfold replay`: replaying recorded games.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use fourfold_common::join;
use fourfold_kung_fu::{Outcome, Replay};
use fourfold_table::Table;
use fourfold_table::game_file::FileGame;

use crate::board;
use crate::eprint_line;
use crate::game_files::Games;
use crate::show::kung_fu_board;

/// Replay recorded games of any kind and print how they end.
///
/// Every move is checked against the rules; a game with an illegal one is reported, and the exit
/// status is then 1. Prints `end PLY winner white`, `end PLY draw` or `end PLY unfinished` for each
/// game, and in kung fu chess the tick and the numbers of the winners: `end TICK winner 1+3`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold replay game.pgn
  fourfold replay --events kung-fu-7kq2m9x4t0ab.json
  fourfold replay --boards game.pgn4            print the board after every move
  fourfold replay --animate --delay 300 games.pgn --game 3")]
pub(crate) struct Arguments {
    /// The file, in any format that `fourfold show` reads; `-` reads standard input.
    file: PathBuf,
    /// Replay only this game, counted from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Also print all moves or, in kung fu chess, all events.
    #[arg(long)]
    events: bool,
    /// Also print the board after every move or, in kung fu chess, on every tick with an event.
    #[arg(long)]
    boards: bool,
    /// Show the same boards one after another in the same place of the terminal.
    #[arg(long, conflicts_with = "boards")]
    animate: bool,
    /// How long each board of an animation is shown, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 700)]
    delay: u64,
    /// Reject games and positions that deviate from the standard. Otherwise everything before the first
    /// error is read.
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut games = Games::open(&arguments.file, arguments.game, arguments.strict)?;
    let name = arguments.file.display();
    let mut screen = Screen {
        out: io::BufWriter::new(io::stdout().lock()),
        // Without a terminal there is nothing to draw over.
        delay: (arguments.animate && io::stdout().is_terminal())
            .then(|| Duration::from_millis(arguments.delay)),
        drawn: 0,
    };
    let mut problems = false;
    let bar = games.bar();
    while let Some(game) = games.next()? {
        if game.number > 1 && arguments.game.is_none() {
            writeln!(screen.out, "game {}", game.number)?;
        }
        if let Some(replay) = game.replay().filter(|_| game.problems.is_empty()) {
            replay_real_time(&mut screen, replay, arguments)?;
        } else if let Some(table) = game.table() {
            replay_turns(&mut screen, table, arguments)?;
        }
        for problem in &game.problems {
            problems = true;
            screen.out.flush()?;
            let game = place(&game);
            bar.suspend(|| eprint_line(&format!("fourfold: {name}: {game}{problem}")));
        }
    }
    screen.out.flush()?;
    bar.finish_and_clear();
    Ok(if problems { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns the number of a game in its file, for messages.
fn place(game: &FileGame) -> String {
    if game.replay().is_some() { String::new() } else { format!("game {}: ", game.number) }
}

/// Where boards are drawn.
struct Screen<W: Write> {
    out: W,
    /// How long each board is shown. `None` if they are printed below each other.
    delay: Option<Duration>,
    /// The number of lines of the last board.
    drawn: usize,
}

impl<W: Write> Screen<W> {
    fn draw(&mut self, text: &str) -> io::Result<()> {
        if let Some(delay) = self.delay {
            if self.drawn > 0 {
                write!(self.out, "\x1b[{}A\x1b[J", self.drawn)?;
            }
            self.drawn = text.lines().count();
            write!(self.out, "{text}")?;
            self.out.flush()?;
            std::thread::sleep(delay);
            return Ok(());
        }
        writeln!(self.out, "{text}")
    }
}

fn replay_turns<W: Write>(
    screen: &mut Screen<W>,
    mut table: Box<dyn Table>,
    arguments: &Arguments,
) -> anyhow::Result<()> {
    let last = table.ply();
    screen.drawn = 0;
    for ply in 0..=last {
        if !arguments.events && !arguments.boards && !arguments.animate {
            break;
        }
        table.jump(ply)?;
        let seats = table.seats();
        let event = table.played().last().map_or("start".to_owned(), |played| {
            format!("{ply} {} {}", seats[played.seat.index()], played.text)
        });
        if arguments.boards || arguments.animate {
            let board = board::scene(&table.scene(), board::has_colors());
            screen.draw(&format!("{event}\n\n{board}"))?;
        } else if ply > 0 {
            writeln!(screen.out, "{event}")?;
        }
    }
    let seats = table.seats();
    let result = match table.outcome() {
        None => "unfinished".to_owned(),
        Some(outcome) if outcome.winners.is_empty() => "draw".to_owned(),
        Some(outcome) => {
            format!("winner {}", join(outcome.winners.iter().map(|seat| seats[seat.index()]), "+"))
        }
    };
    writeln!(screen.out, "end {last} {result}")?;
    Ok(())
}

fn replay_real_time<W: Write>(
    screen: &mut Screen<W>,
    replay: &Replay,
    arguments: &Arguments,
) -> anyhow::Result<()> {
    let seeker = replay.seeker()?;
    let game = seeker.last();
    if arguments.boards || arguments.animate {
        let events = seeker.events().iter().map(|event| event.tick);
        let actions = replay.actions.iter().map(|(tick, _)| *tick);
        let ticks: BTreeSet<u64> = events.chain(actions).chain([0, game.now()]).collect();
        for tick in ticks {
            let shown = seeker.seek(tick);
            let happened = seeker.events().iter().filter(|event| event.tick == tick);
            let lines: String = happened.map(|event| game.text(event) + "\n").collect();
            let lines = if lines.is_empty() { format!("t{tick}\n") } else { lines };
            screen.draw(&format!("{lines}\n{}", kung_fu_board(&shown)))?;
        }
    } else if arguments.events {
        for event in seeker.events() {
            writeln!(screen.out, "{}", game.text(event))?;
        }
    }
    let result = match game.outcome() {
        None => "unfinished".to_owned(),
        Some(Outcome::Draw) => "draw".to_owned(),
        Some(Outcome::Win(players)) => format!("winner {}", join(players.iter(), "+")),
    };
    writeln!(screen.out, "end {} {result}", game.now())?;
    Ok(())
}
