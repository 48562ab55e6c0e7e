//! `fourfold match`: matches between bots, and estimates of their strength.

mod play;
mod player;
mod real_time;
mod statistics;
mod tally;

use std::collections::BTreeMap;
use std::io::Write;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use fourfold_common::SplitMix64;
use fourfold_kung_fu::Rules;
use fourfold_table::capitalize;

use crate::{perft, progress};
use play::{Effort, Played};
use player::{MatchPlayer, Player};
use statistics::Sprt;
use tally::Standings;

/// Let bots play against each other and measure their strength.
///
/// A player is a level of the game (`master`), a level with another node budget per move
/// (`expert@20000`), or in chess any UCI engine (`uci:COMMAND?option=value&option=value`). Each
/// opening consists of random moves and is played once with every player in every seat. With node
/// budgets, the same seed gives the same games on any number of threads.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fourfold match club expert                    100 games of chess with the node budgets of the levels
  fourfold match master 'uci:stockfish?UCI_LimitStrength=true&UCI_Elo=2000' --movetime 100 --games 40
  fourfold match expert@50000 expert@40000 --games 2000 --sprt 0 20
  fourfold match --game blokus random greedy --games 20 --save games.sgf
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
    /// The number of random moves in an opening of a turn-based game; by default two per seat.
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
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
    /// The number of games played at once; by default the number of cores.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = &arguments.game[..];
    let rules = real_time::rules(game, arguments.rules.as_deref())?;
    let seats = match rules {
        Some(rules) => {
            ensure!(arguments.movetime.is_none(), "--movetime is only for turn-based games");
            rules.players.len()
        }
        None => play::opening(game, 0, arguments.seed)?.seats().len(),
    };
    let count = arguments.players.len();
    ensure!(count <= seats, "expected at most {seats} players for {game}, got {count}");
    let parse = |text: &String| Player::parse(text, game);
    let players: Vec<Player> =
        arguments.players.iter().map(parse).collect::<anyhow::Result<_>>()?;
    let movetime = arguments.movetime.map(|time| Duration::from_millis(time.get()));
    let fixed = arguments.nodes.map(NonZeroU64::get);
    let nodes = |player: &Player| fixed.or_else(|| player.nodes());
    let nodes: Vec<Option<u64>> = players.iter().map(nodes).collect();
    ensure!(
        movetime.is_some() || nodes.iter().all(Option::is_some),
        "a UCI engine needs --nodes or --movetime"
    );
    let sprt = match arguments.sprt.as_deref() {
        Some(&[lower, upper]) => {
            ensure!(count == 2, "--sprt needs exactly two players, got {count}");
            ensure!(lower < upper, "--sprt: ELO0 ({lower}) must be less than ELO1 ({upper})");
            Some(Sprt { lower, upper })
        }
        _ => None,
    };
    let bot_match = Match {
        game,
        rules,
        players: &players,
        nodes: nodes.into_iter().map(|nodes| nodes.unwrap_or(u64::MAX)).collect(),
        movetime,
        plies: arguments.plies.unwrap_or(2 * seats),
        seats,
        seed: arguments.seed,
    };
    let threads = arguments.threads.map_or_else(perft::cores, NonZeroUsize::get);
    let rounds = (arguments.games.get() as usize).div_ceil(count);
    let names = unique(&arguments.players);
    let mut standings = Standings::new(names.clone());
    let mut file = match &arguments.save {
        Some(path) => {
            let named = || format!("cannot write '{}'", path.display());
            Some(std::fs::File::create(path).with_context(named)?)
        }
        None => None,
    };
    bot_match.play_all(rounds * count, threads, &names, |played| {
        standings.add(played);
        if let Some(file) = &mut file {
            writeln!(file, "{}", played.file.trim_end())?;
            writeln!(file)?;
        }
        Ok(sprt.is_some_and(|test| test.verdict(standings.first()).is_some()))
    })?;
    let mut out = std::io::stdout().lock();
    write!(out, "{}", standings.table())?;
    if let Some(test) = sprt {
        write!(out, "{}", tally::sprt(test, standings.first()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Numbers repeated names to make them unique.
fn unique(names: &[String]) -> Vec<String> {
    let mut seen = BTreeMap::new();
    let numbered = |name: &String| {
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name.clone() } else { format!("{name} #{count}") }
    };
    names.iter().map(numbered).collect()
}

/// The setup of a match.
struct Match<'a> {
    game: &'a str,
    /// The rules of a real-time game.
    rules: Option<Rules>,
    players: &'a [Player],
    nodes: Vec<u64>,
    movetime: Option<Duration>,
    plies: usize,
    seats: usize,
    seed: u64,
}

impl Match<'_> {
    /// Plays games on several threads, and passes them to `take` in order until it returns true.
    fn play_all(
        &self,
        games: usize,
        threads: usize,
        names: &[String],
        mut take: impl FnMut(&Played) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        let bar = progress::bar(games as u64, "games");
        let (next, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = channel();
        let outcome = std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, games) {
                let sender = sender.clone();
                let (next, enough) = (&next, &enough);
                scope.spawn(move || {
                    let ready = |player| MatchPlayer::new(player, self.game, self.movetime);
                    let mut players: Vec<MatchPlayer<'_>> =
                        self.players.iter().map(ready).collect();
                    while !enough.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= games {
                            break;
                        }
                        let played = self.play_one(index, &mut players, names);
                        if sender.send((index, played)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut waiting, mut due) = (BTreeMap::new(), 0);
            for (index, played) in receiver {
                waiting.insert(index, played);
                while let Some(played) = waiting.remove(&due) {
                    let taken = played.and_then(|played| take(&played));
                    bar.inc(1);
                    due += 1;
                    if !matches!(taken, Ok(false)) {
                        enough.store(true, Ordering::Relaxed);
                        return taken.map(drop);
                    }
                }
            }
            Ok(())
        });
        bar.finish_and_clear();
        outcome
    }

    /// Plays the game with this index. Each opening is played once for every rotation of the
    /// players among the seats.
    fn play_one(
        &self,
        index: usize,
        players: &mut [MatchPlayer<'_>],
        names: &[String],
    ) -> anyhow::Result<Played> {
        let count = self.players.len();
        let (round, turned) = (index / count, index % count);
        let seed_for = |what: u64| SplitMix64::new(SplitMix64::new(self.seed).next() ^ what).next();
        let seats: Vec<usize> = (0..self.seats).map(|seat| (seat + turned) % count).collect();
        if let Some(rules) = self.rules {
            let bot = |(seat, &player): (usize, &usize)| {
                let seed = seed_for(((index * self.seats + seat) as u64 + 1) << 32);
                real_time::make_bot(&self.players[player], self.nodes[player], seed)
            };
            let bots = seats.iter().enumerate().map(bot).collect::<anyhow::Result<Vec<_>>>();
            let played = real_time::play(rules, &mut bots?)
                .with_context(|| format!("game {}", index + 1))?;
            return Ok(by_player(played, &seats, count));
        }
        let mut table = play::opening(self.game, self.plies, seed_for(round as u64))?;
        let labels: Vec<String> = table.seats().iter().map(|name| capitalize(name)).collect();
        for (label, &player) in labels.iter().zip(&seats) {
            // Not every file format has tags for player names.
            let _ = table.set_tag(label, &names[player]);
        }
        let _ = table.set_tag("Round", &(index + 1).to_string());
        let mut bots = Vec::new();
        for (number, player) in players.iter_mut().enumerate() {
            let seed = seed_for(((index * count + number) as u64 + 1) << 32);
            bots.push(player.bot(seed)?);
        }
        let played = play::play(table, &mut bots, &seats, &self.nodes, self.movetime)
            .with_context(|| format!("game {}", index + 1))?;
        Ok(by_player(played, &seats, count))
    }
}

/// Combines the results of the seats by player. A player may have several seats.
fn by_player(played: Played, seats: &[usize], count: usize) -> Played {
    let mut places = vec![0.0; count];
    let mut effort = vec![Effort::default(); count];
    for (seat, &player) in seats.iter().enumerate() {
        let own = seats.iter().filter(|&&other| other == player).count();
        places[player] += played.places[seat] / own as f64;
        effort[player].add(played.effort[seat]);
    }
    Played { places, effort, ..played }
}
