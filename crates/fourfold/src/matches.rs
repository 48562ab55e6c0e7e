//! `fourfold match`: matches between bots, and estimates of their strength.

use std::io::Write;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use fourfold_matches::{
    Interval, Match, OptionError, Options, PlayerResult, Sprt, Standings, Tally,
};
use serde_json::{Value, json};

use crate::{perft, progress};

/// Let bots play against each other and measure their strength.
///
/// A player is a level of the game (`master`), a level with another node budget per move
/// (`expert@20000`), a network trained by `python -m fourfold.train`, in its folder
/// (`learned:FOLDER`, `learned:FOLDER@400`), in chess any UCI engine
/// (`uci:COMMAND?option=value&option=value`), in four-player-teams one that speaks the dialect of 4pchess, or
/// in Blokus any GTP engine (`gtp:COMMAND`), which decides by itself how long it thinks. Each opening consists of random moves or comes from a
/// file, and is played once with every player in every seat. With node budgets, the same seed gives the same games on
/// any number of threads.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold match club expert                    100 games of chess with the node budgets of the levels
  fourfold match master 'uci:stockfish?UCI_LimitStrength=true&UCI_Elo=2000' --movetime 100 --games 40
  fourfold match learned:runs/chess@400 club    a network that evaluates 400 positions per move; 128 by default
  fourfold match expert@50000 expert@40000 --games 2000 --sprt 0 20
  fourfold match --game blokus random greedy --games 20 --save games.sgf
  fourfold match --game blokus-duo club 'gtp:pentobi-gtp --level 5 --nobook --noresign' --games 40
  fourfold match --game four-player-teams master 'uci:4pchess/cli?threads=1' --movetime 1000 --games 8
  fourfold match --game four-player master greedy greedy greedy --games 60    how often one bot comes first against three others
  fourfold match --game kung-fu --rules lightning master greedy --games 60")]
pub(crate) struct Arguments {
    /// The players: at least two, and at most one for each seat.
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    #[arg(long, default_value = "chess", help = format!("The game: one of {}", fourfold_bots::games().collect::<Vec<_>>().join(", ")))]
    game: String,
    /// Words that change the rules of kung fu chess: `lightning`, `teams`, `players=13`.
    #[arg(long, value_name = "WORDS")]
    rules: Option<String>,
    /// The number of games, rounded up so that every player gets every seat.
    #[arg(long, value_name = "N", default_value_t = const { NonZeroU32::new(100).unwrap() })]
    games: NonZeroU32,
    /// The node budget per move for all players, instead of the budgets of their levels.
    #[arg(long, value_name = "N", conflicts_with = "movetime")]
    nodes: Option<NonZeroU64>,
    /// The thinking time per move for all players, in milliseconds.
    #[arg(long, value_name = "MS")]
    movetime: Option<NonZeroU64>,
    /// Count times in CPU time: of the thread of a bot, and of the process of a program, without its children.
    /// On a busy machine, players with --movetime then get equal shares. Only on Linux.
    #[arg(long)]
    cputime: bool,
    /// Kung fu chess: give the orders of bots this many milliseconds after they were decided on, if they are still
    /// legal. People need about 250 milliseconds to react.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    reaction: u32,
    /// The number of random moves in an opening of a turn-based game; by default two per seat.
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Play the openings of a file instead of random ones: on each line a position (FEN, EPD, FEN4), moves from
    /// the usual start (`e2e4 c7c5`, `1. e4 c5`), or a position, `moves` and moves.
    #[arg(long, value_name = "FILE", conflicts_with = "plies")]
    openings: Option<PathBuf>,
    /// The seed of the openings and the bots.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop early by a sequential probability ratio test (SPRT) between two Elo differences for the
    /// first player.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Write the games to a file, one after the other, in the notation of the game.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Print the results as JSON: for each player the score, the Elo difference, the positions per second and
    /// the mean seconds per move.
    #[arg(long)]
    json: bool,
    /// The number of games played at once; by default the number of cores.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let count = arguments.players.len();
    let options = Options {
        game: arguments.game.clone(),
        rules: arguments.rules.clone(),
        nodes: arguments.nodes.map(NonZeroU64::get),
        movetime: arguments.movetime.map(|time| Duration::from_millis(time.get())),
        cputime: arguments.cputime,
        reaction: Duration::from_millis(arguments.reaction.into()),
        plies: arguments.plies,
        openings: arguments.openings.clone(),
        seed: arguments.seed,
    };
    let bot_match = Match::new(&arguments.players, options).map_err(with_option_names)?;
    let sprt = match arguments.sprt.as_deref() {
        Some(&[lower, upper]) => {
            ensure!(count == 2, "--sprt needs exactly two players, got {count}");
            let test = Sprt::new(lower, upper).with_context(|| {
                format!("--sprt: ELO0 ({lower}) must be less than ELO1 ({upper})")
            })?;
            Some(test)
        }
        _ => None,
    };
    let threads = arguments.threads.map_or_else(perft::cores, NonZeroUsize::get);
    let games = (arguments.games.get() as usize).next_multiple_of(count);
    let mut standings = Standings::new(bot_match.names().to_vec());
    let mut file = match &arguments.save {
        Some(path) => {
            let named = || format!("cannot write '{}'", path.display());
            Some(std::fs::File::create(path).with_context(named)?)
        }
        None => None,
    };
    let bar = progress::bar(games as u64, "games");
    let outcome = bot_match.play_all(0..games, threads, &AtomicBool::new(false), |played| {
        bar.inc(1);
        standings.add(&played);
        if let Some(file) = &mut file {
            writeln!(file, "{}", played.file.trim_end())?;
            writeln!(file)?;
        }
        Ok(sprt.is_some_and(|test| test.verdict(standings.first()).is_some()))
    });
    bar.finish_and_clear();
    outcome?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let sprt = sprt.map(|test| test.summary(standings.first()));
        let players: Vec<Value> = standings.results().into_iter().map(to_json).collect();
        let text = json!({ "players": players, "cputime": arguments.cputime, "sprt": sprt });
        writeln!(out, "{text:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(out, "{}", standings.table())?;
    if let Some(test) = sprt {
        writeln!(out, "{}", test.summary(standings.first()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the result of a player as JSON. Infinite Elo differences are `null`.
fn to_json(result: PlayerResult) -> Value {
    let interval =
        |Interval { low, value, high }| json!({ "value": value, "low": low, "high": high });
    let Tally { won, drawn, lost } = result.tally;
    json!({
        "name": result.name,
        "games": result.games,
        "mean_place": result.mean_place,
        "first": interval(result.first),
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "score": interval(result.share),
        "elo": interval(result.elo),
        "nodes_per_second": result.nodes_per_second,
        "seconds_per_move": result.seconds_per_move,
    })
}

/// Replaces the names of options in an error by those of the command line.
fn with_option_names(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref() {
        Some(OptionError::Rules { game }) => {
            anyhow!("--rules is only for kung-fu and kung-fu-12x12, not {game}")
        }
        Some(OptionError::Movetime) => anyhow!("--movetime is only for turn-based games"),
        Some(OptionError::Reaction { game }) => {
            anyhow!("--reaction is only for kung-fu and kung-fu-12x12, not {game}")
        }
        Some(OptionError::Openings) => anyhow!("--openings is only for turn-based games"),
        Some(OptionError::NoBudget) => anyhow!("a UCI engine needs --nodes or --movetime"),
        _ => error,
    }
}
