//! The setup of a match, and the order in which its games are played.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, ensure};
use fourfold_common::SplitMix64;
use fourfold_kung_fu::Rules;
use fourfold_table::capitalize;

use crate::clock::Clock;
use crate::openings::{self, Opening};
use crate::play::{self, Effort, Limits, POLL, Played};
use crate::player::{MatchPlayer, Player, TimeLimits};
use crate::real_time;

/// The options of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The id of the game: one of [`fourfold_bots::games`].
    pub game: String,
    /// Words that change the rules of kung fu chess, such as `lightning`.
    pub rules: Option<String>,
    /// The node budget per move for all players, instead of the budgets of their levels.
    pub nodes: Option<u64>,
    /// The thinking time per move for all players. It replaces the node budgets.
    pub movetime: Option<Duration>,
    /// Whether times are CPU times: of the thread of a bot, and of the process of an engine. Only Linux can
    /// measure them.
    pub cputime: bool,
    /// How long after a decision a bot's order is given in a real-time game, rounded up to whole ticks. People
    /// need about 250 milliseconds to react.
    pub reaction: Duration,
    /// The number of random moves in an opening of a turn-based game; by default two per seat.
    pub plies: Option<usize>,
    /// A file of openings for a turn-based game, one per line, instead of random ones. They are played in
    /// their order, and again from the first after the last.
    pub openings: Option<PathBuf>,
    /// The seed of the openings and the bots.
    pub seed: u64,
}

impl Options {
    /// Returns the default options for a game, with the seed 1.
    pub fn new(game: &str) -> Options {
        Options {
            game: game.to_owned(),
            rules: None,
            nodes: None,
            movetime: None,
            cputime: false,
            reaction: Duration::ZERO,
            plies: None,
            openings: None,
            seed: 1,
        }
    }
}

/// An option that does not fit the game or the players. Callers that have other names for the
/// options can downcast an error to this.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// [`Options::rules`] for a turn-based game.
    #[error("rules is only for kung-fu and kung-fu-12x12, not {game}")]
    Rules {
        /// The id of the game.
        game: String,
    },
    /// [`Options::movetime`] for a real-time game.
    #[error("movetime is only for turn-based games")]
    Movetime,
    /// [`Options::reaction`] for a turn-based game.
    #[error("reaction is only for real-time games, not {game}")]
    Reaction {
        /// The id of the game.
        game: String,
    },
    /// [`Options::openings`] for a real-time game.
    #[error("openings is only for turn-based games")]
    Openings,
    /// Neither [`Options::nodes`] nor [`Options::movetime`], with a UCI engine.
    #[error("a UCI engine needs nodes or movetime")]
    NoBudget,
}

/// A match between bots.
#[derive(Debug)]
pub struct Match {
    game: String,
    /// The rules of a real-time game.
    rules: Option<Rules>,
    players: Vec<Player>,
    names: Vec<String>,
    nodes: Vec<u64>,
    limits: TimeLimits,
    /// The ticks between the decision of a bot and its order.
    reaction: u64,
    plies: usize,
    /// The openings; if there are none, they are random.
    openings: Vec<Opening>,
    seats: usize,
    seed: u64,
}

impl Match {
    /// Sets up a match. A player is a level of the game (`master`), a level with another node
    /// budget per move (`expert@20000`), a network in a folder (`learned:FOLDER`, `learned:FOLDER@400`), or in chess any
    /// UCI engine (`uci:COMMAND?option=value&option=value`), in four-player chess in teams one that speaks the
    /// dialect of 4pchess, or in Blokus any GTP engine (`gtp:COMMAND`). Engines are started by [`play_all`](Match::play_all).
    ///
    /// # Errors
    /// Returns an error if a player or an option is invalid, or if there are fewer than two players
    /// or more players than seats.
    pub fn new(players: &[String], options: Options) -> anyhow::Result<Match> {
        let Options {
            game,
            rules,
            nodes: fixed,
            movetime,
            cputime,
            reaction,
            plies,
            openings,
            seed,
        } = options;
        let rules = real_time::rules(&game, rules.as_deref())?;
        let seats = match rules {
            Some(rules) => {
                ensure!(movetime.is_none(), OptionError::Movetime);
                ensure!(openings.is_none(), OptionError::Openings);
                rules.players.len()
            }
            None => {
                ensure!(reaction.is_zero(), OptionError::Reaction { game });
                play::opening(&game, 0, seed)?.seats().len()
            }
        };
        let count = players.len();
        ensure!(count >= 2, "expected at least 2 players, got {count}");
        ensure!(count <= seats, "expected at most {seats} players for {game}, got {count}");
        ensure!(fixed.is_none() || movetime.is_none(), "expected nodes or movetime, got both");
        ensure!(fixed != Some(0), "expected at least 1 node per move, got 0");
        ensure!(movetime != Some(Duration::ZERO), "expected a movetime above 0, got 0");
        ensure!(plies.is_none() || openings.is_none(), "expected plies or openings, got both");
        if cputime {
            // Where it cannot be measured, no game should begin.
            Clock::Thread.start()?;
        }
        let names = unique(players);
        let parse = |text: &String| Player::parse(text, &game);
        let players: Vec<Player> = players.iter().map(parse).collect::<anyhow::Result<_>>()?;
        let nodes = |player: &Player| fixed.or_else(|| player.nodes());
        let nodes: Vec<Option<u64>> = players.iter().map(nodes).collect();
        ensure!(movetime.is_some() || nodes.iter().all(Option::is_some), OptionError::NoBudget);
        let openings = openings.map(|path| openings::read(&path, &game)).transpose()?;
        Ok(Match {
            openings: openings.unwrap_or_default(),
            game,
            rules,
            players,
            names,
            nodes: nodes.into_iter().map(|nodes| nodes.unwrap_or(u64::MAX)).collect(),
            limits: TimeLimits { movetime, cputime },
            reaction: real_time::ticks(reaction),
            plies: plies.unwrap_or(2 * seats),
            seats,
            seed,
        })
    }

    /// Returns the names of the players. Repeated names are numbered.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Plays the games with these indices on several threads, at least one, and passes them to
    /// `take` in order until it returns true or `stop` becomes true. Each opening takes one game
    /// for every player, so a complete match starts and ends at a multiple of the number of
    /// players.
    ///
    /// A game being played ends early when `stop` becomes true, but a UCI engine with a time per
    /// move uses that time first.
    ///
    /// # Errors
    /// Returns the first error of `take`, or an error if a game cannot be played: an engine fails,
    /// or there is no opening of that many moves.
    pub fn play_all(
        &self,
        games: Range<usize>,
        threads: usize,
        stop: &AtomicBool,
        mut take: impl FnMut(Played) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        let (next, enough) = (AtomicUsize::new(games.start), AtomicBool::new(false));
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            // Ends the games that are still being played when this function returns.
            let _ending = SetOnDrop(&enough);
            for _ in 0..threads.max(1).min(games.len()) {
                let sender = sender.clone();
                let (next, enough, end) = (&next, &enough, games.end);
                let work = move || {
                    let ready = |player| MatchPlayer::new(player, &self.game, self.limits);
                    let mut players: Vec<MatchPlayer<'_>> =
                        self.players.iter().map(ready).collect();
                    while !enough.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= end {
                            break;
                        }
                        let played = self.play_one(index, &mut players, enough);
                        if sender.send((index, played)).is_err() {
                            break;
                        }
                    }
                };
                std::thread::Builder::new()
                    .spawn_scoped(scope, work)
                    .context("cannot start a thread")?;
            }
            drop(sender);
            let (mut waiting, mut due) = (BTreeMap::new(), games.start);
            while !stop.load(Ordering::Relaxed) {
                let (index, played) = match receiver.recv_timeout(POLL) {
                    Ok(received) => received,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                waiting.insert(index, played);
                while let Some(played) = waiting.remove(&due) {
                    due += 1;
                    if take(played?)? {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })
    }

    /// Plays the game with this index. Each opening is played once for every rotation of the
    /// players among the seats.
    fn play_one(
        &self,
        index: usize,
        players: &mut [MatchPlayer<'_>],
        stop: &AtomicBool,
    ) -> anyhow::Result<Played> {
        let count = self.players.len();
        let (round, turned) = (index / count, index % count);
        let seed_for = |what: u64| SplitMix64::new(SplitMix64::new(self.seed).next() ^ what).next();
        let seats: Vec<usize> = (0..self.seats).map(|seat| (seat + turned) % count).collect();
        if let Some(rules) = self.rules {
            let bot = |(seat, &player): (usize, &usize)| {
                let seed = seed_for(((index * self.seats + seat) as u64 + 1) << 32);
                let (player, nodes) = (&self.players[player], self.nodes[player]);
                real_time::make_bot(player, &self.game, &rules, nodes, seed)
            };
            let bots = seats.iter().enumerate().map(bot).collect::<anyhow::Result<Vec<_>>>();
            let clock = if self.limits.cputime { Clock::Thread } else { Clock::Wall };
            let played = real_time::play(rules, &mut bots?, clock, self.reaction, stop)
                .with_context(|| format!("game {}", index + 1))?;
            return Ok(by_player(played, &seats, count));
        }
        let mut table = match round.checked_rem(self.openings.len()) {
            Some(opening) => self.openings[opening].table(&self.game)?,
            None => play::opening(&self.game, self.plies, seed_for(round as u64))?,
        };
        let labels: Vec<String> = table.seats().iter().map(|name| capitalize(name)).collect();
        for (label, &player) in labels.iter().zip(&seats) {
            // Not every file format has tags for player names.
            let _ = table.set_tag(label, &self.names[player]);
        }
        let _ = table.set_tag("Round", &(index + 1).to_string());
        let (mut bots, mut clocks) = (Vec::new(), Vec::new());
        for (number, player) in players.iter_mut().enumerate() {
            let seed = seed_for(((index * count + number) as u64 + 1) << 32);
            let (bot, clock) = player.bot(seed)?;
            bots.push(bot);
            clocks.push(clock);
        }
        let limits = Limits { nodes: &self.nodes, movetime: self.limits.movetime, clocks: &clocks };
        let played = play::play(table, &mut bots, &seats, limits, stop)
            .with_context(|| format!("game {}", index + 1))?;
        Ok(by_player(played, &seats, count))
    }
}

/// Sets a flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(players: &[&str], options: Options) -> anyhow::Result<Match> {
        let players: Vec<String> = players.iter().copied().map(str::to_owned).collect();
        Match::new(&players, options)
    }

    fn files(bot_match: &Match, games: Range<usize>, threads: usize) -> Vec<String> {
        let mut files = Vec::new();
        let played = bot_match.play_all(games, threads, &AtomicBool::new(false), |played| {
            files.push(played.file);
            Ok(false)
        });
        played.expect("games");
        files
    }

    #[test]
    fn ranges_of_games_are_parts_of_the_match() {
        for game in ["blokus-duo", "kung-fu"] {
            let bot_match = setup(&["greedy", "random"], Options::new(game)).expect("a match");
            let all = files(&bot_match, 0..5, 3);
            assert_eq!(all.len(), 5);
            assert_eq!(files(&bot_match, 0..2, 1), all[..2], "{game}");
            assert_eq!(files(&bot_match, 2..5, 2), all[2..], "{game}");
            assert!(files(&bot_match, 3..3, 2).is_empty());
        }
    }

    #[test]
    fn every_opening_is_played_from_every_seat() {
        let path = std::env::temp_dir().join(format!("fourfold-match-{}.txt", std::process::id()));
        std::fs::write(&path, "e2e4\nd2d4\n").expect("a file");
        let options = Options { openings: Some(path), ..Options::new("chess") };
        let bot_match = setup(&["greedy", "random"], options).expect("a match");
        let games = files(&bot_match, 0..6, 2);
        for (game, (white, first)) in games.iter().zip([
            ("greedy", "1. e4"),
            ("random", "1. e4"),
            ("greedy", "1. d4"),
            ("random", "1. d4"),
            ("greedy", "1. e4"),
            ("random", "1. e4"),
        ]) {
            assert!(game.contains(&format!("[White \"{white}\"]")), "{game}");
            assert!(game.contains(first), "{game}");
        }
    }

    #[test]
    fn games_end_when_stopped() {
        let long = Some(Duration::from_secs(3600));
        for options in [
            Options { nodes: Some(u64::MAX), ..Options::new("chess") },
            Options { movetime: long, ..Options::new("chess") },
            Options { nodes: Some(1000), ..Options::new("kung-fu") },
        ] {
            let bot_match = setup(&["master", "master"], options.clone()).expect("a match");
            let stop = AtomicBool::new(false);
            let mut taken = 0;
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(50));
                    stop.store(true, Ordering::Relaxed);
                });
                let played = bot_match.play_all(0..100_000, 2, &stop, |_| {
                    taken += 1;
                    Ok(false)
                });
                played.expect("stopping is not an error");
            });
            assert!(taken < 100_000, "{options:?}");
        }
    }

    #[test]
    fn errors_name_the_problem() {
        let chess = || Options::new("chess");
        let kung_fu = || Options::new("kung-fu");
        let second = Some(Duration::from_secs(1));
        let words = || Some("lightning".to_owned());
        for (players, options, error) in [
            (&["random"][..], chess(), "expected at least 2 players, got 1"),
            (&["random"; 3], chess(), "expected at most 2 players for chess, got 3"),
            (&["random"; 2], Options { nodes: Some(0), ..chess() }, "expected at least 1 node"),
            (
                &["random"; 2],
                Options { nodes: Some(1), movetime: second, ..chess() },
                "expected nodes or movetime, got both",
            ),
            (
                &["random"; 2],
                Options { movetime: Some(Duration::ZERO), ..chess() },
                "expected a movetime above 0, got 0",
            ),
            (&["random", "uci:x"], chess(), "a UCI engine needs nodes or movetime"),
            (
                &["random"; 2],
                Options { openings: Some("x".into()), plies: Some(2), ..chess() },
                "expected plies or openings, got both",
            ),
            (
                &["random"; 2],
                Options { openings: Some("x".into()), ..kung_fu() },
                "openings is only for turn-based games",
            ),
            (
                &["random"; 2],
                Options { reaction: Duration::from_millis(1), ..chess() },
                "reaction is only for real-time games, not chess",
            ),
            (
                &["random"; 2],
                Options { movetime: second, ..kung_fu() },
                "movetime is only for turn-based games",
            ),
            (
                &["random"; 2],
                Options { rules: words(), ..chess() },
                "rules is only for kung-fu and kung-fu-12x12, not chess",
            ),
        ] {
            let said = setup(players, options).expect_err(error).to_string();
            assert!(said.starts_with(error), "{said}");
        }
    }

    #[test]
    fn repeated_names_are_numbered() {
        let names = unique(&["a", "b", "a", "a"].map(str::to_owned));
        assert_eq!(names, ["a", "b", "a #2", "a #3"]);
    }
}
