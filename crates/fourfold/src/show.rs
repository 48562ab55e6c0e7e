//! `fourfold show`: the games and positions of a file.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::Args;
use fourfold_common::{capitalize, join};
use fourfold_draw::Look;
use fourfold_table::game_file::FileGame;
use fourfold_table::{Table, kung_fu};

use crate::board::{self, Board};
use crate::game_files::{Games, movetext};

/// Show a file of any game: the players, the board, the moves, the result and any problems.
///
/// Reads PGN, PGN4, Blokus SGF, replays of kung fu chess, and lists of FEN, EPD, FEN4 or Blokus
/// positions. The content decides the format. A file with several games is shown as a list. The exit
/// status is 1 if there is a problem in the file.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold show game.pgn
  fourfold show games.pgn --game 12 --ply 30    the position after 30 plies of a game
  fourfold show --tick 500 replay.json          kung fu chess on tick 500
  curl -s https://lichess.org/game/export/q7ZvsdUF | fourfold show -")]
pub(crate) struct Arguments {
    /// The file; `-` reads standard input.
    file: PathBuf,
    /// The number of the game to show, counted from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Show the position after this many plies instead of the last one.
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Kung fu chess: show the board on this tick instead of the last one.
    #[arg(long, value_name = "N", conflicts_with = "ply")]
    tick: Option<u64>,
    /// Reject games and positions that deviate from the standard. Otherwise everything before the first
    /// error is read.
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut games = Games::open(&arguments.file, arguments.game, arguments.strict)?;
    let format = games.reader().format();
    let Some(first) = games.next()? else {
        bail!("{}: {format} without a game", arguments.file.display());
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut problems = !first.problems.is_empty();
    let place = (arguments.ply, arguments.tick);
    match games.next()? {
        None => show(&mut out, &first, place)?,
        Some(_) if place != (None, None) => bail!("--ply and --tick require --game"),
        Some(second) => {
            let bar = games.bar();
            bar.suspend(|| list_head(&mut out, &first))?;
            let mut next = Some(first);
            let mut following = Some(second);
            while let Some(game) = next {
                problems |= !game.problems.is_empty();
                bar.suspend(|| list(&mut out, &game))?;
                next = match following.take() {
                    Some(game) => Some(game),
                    None => games.next()?,
                };
            }
        }
    }
    games.bar().finish_and_clear();
    out.flush()?;
    Ok(if problems { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn list_head(out: &mut impl Write, game: &FileGame) -> io::Result<()> {
    if game.format.has_moves() {
        writeln!(out, "  game  result   plies  players")
    } else {
        writeln!(out, "  game  position")
    }
}

/// Writes a game as a line of a list.
fn list(out: &mut impl Write, game: &FileGame) -> io::Result<()> {
    let number = game.number;
    if game.format.has_moves() {
        let result = game.result().filter(|result| result.len() <= 7).unwrap_or_default();
        let players = join(game.players(), " – ");
        let line = format!("{number:>6}  {result:7}  {:>5}  {players}", game.plies());
        writeln!(out, "{}", line.trim_end())?;
    } else if let Some(start) = game.start() {
        writeln!(out, "{number:>6}  {start}")?;
    }
    for problem in &game.problems {
        writeln!(out, "{number:>6}  problem: {problem}")?;
    }
    Ok(())
}

/// Writes a game in full. `place` is the ply or the tick to show.
fn show(
    out: &mut impl Write,
    game: &FileGame,
    place: (Option<usize>, Option<u64>),
) -> anyhow::Result<()> {
    let players = join(game.players().iter().filter(|name| **name != "?"), " – ");
    let format = game.format;
    let title = if players.is_empty() { format.to_string() } else { players };
    writeln!(out, "{}\n", bold(&title))?;
    let known = |(_, value): &&(String, String)| !value.is_empty() && !value.starts_with('?');
    let tags: Vec<_> = game.tags().iter().filter(known).collect();
    let width = tags.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in &tags {
        writeln!(out, "  {name:width$}  {value}")?;
    }
    if !tags.is_empty() {
        writeln!(out)?;
    }
    if let Some(table) = game.table() {
        ensure!(place.1.is_none(), "--tick is for kung fu chess: use --ply for games with turns");
        show_table(out, table, place.0)?;
    } else if game.replay().is_some() {
        ensure!(place.0.is_none(), "--ply is for games with turns: use --tick for kung fu chess");
        show_replay(out, game, place.1)?;
    }
    for problem in &game.problems {
        writeln!(out, "Problem: {problem}")?;
    }
    Ok(())
}

fn show_table(
    out: &mut impl Write,
    mut table: Box<dyn Table>,
    ply: Option<usize>,
) -> anyhow::Result<()> {
    if let Some(ply) = ply {
        table.jump(ply).context("--ply")?;
    }
    let scene = table.scene();
    writeln!(out, "{}", board::scene(&scene, board::has_colors()))?;
    if !table.played().is_empty() {
        writeln!(out, "{}\n", movetext(table.played(), 80))?;
    }
    let seats = table.seats();
    if !scene.scores.is_empty() {
        let scores = seats.iter().zip(&scene.scores);
        writeln!(
            out,
            "Points: {}",
            join(scores.map(|(seat, score)| format!("{seat} {score}")), ", ")
        )?;
    }
    match (table.outcome(), table.acting().first()) {
        (Some(outcome), _) => writeln!(out, "{}", capitalize(&outcome.text))?,
        (None, Some(seat)) => {
            let check = if scene.check.is_empty() { "" } else { ", in check" };
            let name = seats.get(seat.index()).copied().unwrap_or_default();
            writeln!(out, "{} to move{check}", capitalize(name))?;
        }
        (None, None) => {}
    }
    writeln!(out, "{}", table.position())?;
    Ok(())
}

fn show_replay(out: &mut impl Write, game: &FileGame, tick: Option<u64>) -> anyhow::Result<()> {
    let Some(replay) = game.replay() else { return Ok(()) };
    writeln!(out, "Rules: {}", replay.rules)?;
    writeln!(out, "{} actions, {} ticks\n", replay.actions.len(), replay.end)?;
    // Otherwise the problem is reported with the others.
    let Ok(seeker) = replay.seeker() else { return Ok(()) };
    let last = seeker.last().now();
    ensure!(tick.is_none_or(|tick| tick <= last), "--tick: the last tick is {last}");
    let shown = tick.map_or(*seeker.last(), |tick| seeker.seek(tick));
    write!(out, "{}", kung_fu_board(&shown))?;
    match game.outcome() {
        Some(outcome) if shown.outcome().is_some() => {
            writeln!(out, "\n{}", capitalize(&outcome.text))?;
        }
        _ => writeln!(out, "\nTick {}", shown.now())?,
    }
    Ok(())
}

/// Returns the board of a game of kung fu chess, with a legend if pieces are moving or resting.
pub(crate) fn kung_fu_board(game: &fourfold_kung_fu::Game) -> String {
    let picture = kung_fu::picture(game, Look::default());
    let names: Vec<&str> = kung_fu::seats(&game.rules()).iter().map(|seat| seat.name).collect();
    let mut text = Board::of(&picture, &names).text(board::has_colors());
    let legend =
        [(!picture.flights.is_empty(), "~ moving"), (!picture.rests.is_empty(), "* resting")];
    let legend: Vec<&str> =
        legend.iter().filter(|(some, _)| *some).map(|(_, name)| *name).collect();
    if !legend.is_empty() {
        text.push_str(&format!("\n     {}\n", legend.join("  ")));
    }
    text
}

fn bold(text: &str) -> String {
    if board::has_colors() { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}
