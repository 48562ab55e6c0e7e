//! Playing a single turn-based game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use fourfold_bots::{Bot, BotMove, Budget, Situation};
use fourfold_common::SplitMix64;
use fourfold_table::{ChessTable, Declaration, Seat, Table};

use crate::clock::{Clock, Stopwatch};

/// The maximum number of plies. Longer games are drawn.
const MAX_PLIES: usize = 4000;

/// How often a stop flag is checked by threads that wait.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// The result of a game, by seat or by player.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The places, where 1 is the best. Those who tie get the mean of their places.
    pub places: Vec<f64>,
    /// The game as a file, in the notation of the game.
    pub file: String,
    /// How much each player has searched.
    pub effort: Vec<Effort>,
}

/// How much a player has searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// The number of positions searched.
    pub nodes: u64,
    /// The number of moves chosen.
    pub moves: u64,
    /// The time taken to choose them: what has passed, or the CPU time.
    pub time: Duration,
}

impl Effort {
    pub(crate) fn add(&mut self, other: Effort) {
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.moves = self.moves.saturating_add(other.moves);
        self.time = self.time.saturating_add(other.time);
    }
}

/// Sets up a table with an opening of random moves. The same seed gives the same opening.
pub(crate) fn opening(game: &str, plies: usize, seed: u64) -> anyhow::Result<Box<dyn Table>> {
    let mut rng = SplitMix64::new(seed);
    'start: for _ in 0..100 {
        let mut table: Box<dyn Table> = match game {
            "chess960" => {
                let table = ChessTable::chess960((rng.next() % 960) as u16);
                Box::new(table.ok_or_else(|| anyhow!("unknown start position"))?)
            }
            _ => fourfold_table::make(game)?,
        };
        for _ in 0..plies {
            let Some(&seat) = table.acting().first() else { continue 'start };
            let choices = table.choices(seat);
            let Some(index) = rng.next().checked_rem(choices.len() as u64) else {
                continue 'start;
            };
            table.play_as(seat, &choices[index as usize].code)?;
        }
        if table.outcome().is_none() {
            return Ok(table);
        }
    }
    Err(anyhow!("found no opening of {plies} random moves in {game} that does not end the game"))
}

/// What players may spend on a move.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    /// The node budget of each player, which applies unless there is a time per move.
    pub(crate) nodes: &'a [u64],
    pub(crate) movetime: Option<Duration>,
    /// The clock of each player.
    pub(crate) clocks: &'a [Clock],
}

/// Plays a game to its end. `seats` has the index of the player in each seat. Fails when `stop` becomes
/// true.
pub(crate) fn play(
    mut table: Box<dyn Table>,
    bots: &mut [&mut dyn Bot],
    seats: &[usize],
    limits: Limits<'_>,
    stop: &AtomicBool,
) -> anyhow::Result<Played> {
    let mut effort = vec![Effort::default(); table.seats().len()];
    while table.outcome().is_none() {
        let Some(&seat) = table.acting().first() else { break };
        if table.claimable().is_some() && table.declare(Declaration::Claim(seat)).is_ok() {
            continue;
        }
        if table.ply() >= MAX_PLIES {
            table.declare(Declaration::Draw)?;
            break;
        }
        let player = seats[seat.index()];
        let (start, moves) = table.situation();
        let situation = Situation { start: &start, moves: &moves };
        let watch = limits.clocks[player].start()?;
        let thought = match limits.movetime {
            Some(time) => think_for(bots[player], &situation, time, &watch, stop)?,
            None => {
                let budget = Budget::nodes(limits.nodes[player]).with_stop(stop);
                bots[player].think(&situation, budget)?
            }
        };
        ensure!(!stop.load(Ordering::Relaxed), "stopped");
        let spent = Effort { nodes: thought.nodes, moves: 1, time: watch.elapsed()? };
        effort[seat.index()].add(spent);
        table.play_as(seat, &thought.code).with_context(|| {
            format!("player {} chose the illegal move '{}'", player + 1, thought.code)
        })?;
    }
    Ok(Played { places: places(table.as_ref()), file: table.export(), effort })
}

/// Asks a bot for a move, and stops it when its time is up or `stop` becomes true.
fn think_for(
    bot: &mut dyn Bot,
    situation: &Situation<'_>,
    time: Duration,
    watch: &Stopwatch,
    stop: &AtomicBool,
) -> anyhow::Result<BotMove> {
    let time_is_up = AtomicBool::new(false);
    let (done, waiting) = channel::<()>();
    let flag = &time_is_up;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                // A clock that cannot be read ends the search, and the caller reports it.
                let left =
                    watch.elapsed().map_or(Duration::ZERO, |spent| time.saturating_sub(spent));
                // Nothing is ever sent: the channel is disconnected when the bot is done.
                let waited = waiting.recv_timeout(left.min(POLL));
                if left.is_zero() || waited == Err(RecvTimeoutError::Disconnected) {
                    break;
                }
            }
            flag.store(true, Ordering::Relaxed);
        });
        let thought = bot.think(situation, Budget::nodes(u64::MAX).with_stop(&time_is_up));
        drop(done);
        Ok(thought?)
    })
}

/// Returns the places of the seats: winners first, then by score in games that have one.
fn places(table: &dyn Table) -> Vec<f64> {
    let winners = table.outcome().map_or_else(Vec::new, |outcome| outcome.winners);
    let scene = table.scene();
    let count = table.seats().len();
    let key = |seat: usize| {
        let won = winners.contains(&Seat::new(seat as u8));
        (won, scene.scores.get(seat).copied().unwrap_or(0))
    };
    let keys: Vec<(bool, i32)> = (0..count).map(key).collect();
    ranks(&keys)
}

/// Ranks values from the highest, which gets 1. Equal values get the mean of their places.
pub(crate) fn ranks<T: PartialOrd>(keys: &[T]) -> Vec<f64> {
    let place = |own: &T| {
        let above = keys.iter().filter(|other| *other > own).count();
        let equal = keys.iter().filter(|other| *other == own).count();
        above as f64 + (equal as f64 + 1.0) / 2.0
    };
    keys.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_players_share_places() {
        assert_eq!(ranks(&[3, 9, 3, 1]), [2.5, 1.0, 2.5, 4.0]);
        assert_eq!(ranks(&[(false, 7), (true, 2)]), [2.0, 1.0]);
        assert_eq!(ranks(&[0, 0, 0, 0]), [2.5; 4]);
    }

    #[test]
    fn openings_are_reproducible() {
        for game in fourfold_table::GAMES.iter().map(|info| info.id).chain(["chess960"]) {
            let [first, again] = [7, 7].map(|seed| opening(game, 8, seed).expect("an opening"));
            assert_eq!((first.position(), first.ply()), (again.position(), 8), "{game}");
            assert_ne!(first.position(), opening(game, 8, 8).expect("an opening").position());
        }
        assert!(opening("checkers", 2, 1).is_err());
    }
}
