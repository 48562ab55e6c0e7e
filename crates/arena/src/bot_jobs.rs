//! Runs bots in the background, and cancels them when their move is no longer needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fourfold_bots::{Bot, Budget, Level, Situation};
use fourfold_table::Table;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The maximum time a bot thinks about a move.
const LONGEST_THOUGHT: Duration = Duration::from_secs(1);

/// Returns how long a bot may think with `left` milliseconds on its clock, or without a clock.
pub(crate) fn time_to_think(left: Option<u64>) -> Duration {
    let share = left.map_or(LONGEST_THOUGHT, |left| Duration::from_millis(left / 40));
    share.min(LONGEST_THOUGHT)
}

/// A flag that is set on drop, when nobody is waiting for the result anymore.
#[derive(Default)]
pub(crate) struct StopOnDrop(pub(crate) Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The code of a move that is being computed by one task. Dropping it cancels the computation.
pub(crate) type Thinking = JoinSet<Option<String>>;

/// A bot with a position to think about.
pub(crate) struct BotJob {
    bot: Box<dyn Bot>,
    start: String,
    moves: Vec<String>,
    nodes: u64,
}

impl BotJob {
    /// Creates a bot of this level, with a random seed derived from `seed_text`. Returns `None` if the
    /// game has no such bot.
    pub(crate) fn new(table: &dyn Table, level: &Level, seed_text: &str) -> Option<BotJob> {
        let seed =
            seed_text.bytes().fold(0, |seed: u64, byte| seed.rotate_left(7) ^ u64::from(byte));
        let bot = fourfold_bots::make(table.game(), level.id, seed)?;
        let (start, moves) = table.situation();
        Some(BotJob { bot, start, moves, nodes: level.nodes })
    }

    /// Limits the number of search nodes.
    pub(crate) fn at_most(self, nodes: u64) -> BotJob {
        BotJob { nodes: self.nodes.min(nodes), ..self }
    }

    /// Returns the code of the bot's move, after at most `time`.
    pub(crate) async fn think(self, time: Duration) -> Option<String> {
        let BotJob { mut bot, start, moves, nodes } = self;
        let stop = StopOnDrop::default();
        let flag = Arc::clone(&stop.0);
        let mut work = tokio::task::spawn_blocking(move || {
            let budget = Budget::nodes(nodes).with_stop(&flag);
            bot.think(&Situation { start: &start, moves: &moves }, budget)
        });
        let thought = match timeout(time, &mut work).await {
            Ok(thought) => thought,
            Err(_) => {
                drop(stop);
                work.await
            }
        };
        let thought = thought.inspect_err(|error| tracing::error!(%error, "a bot failed")).ok()?;
        let thought = thought.inspect_err(|error| tracing::error!(%error, "a bot found no move"));
        Some(thought.ok()?.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_time_is_a_fortieth_of_the_clock() {
        assert_eq!(time_to_think(None), Duration::from_secs(1));
        assert_eq!(time_to_think(Some(3_600_000)), Duration::from_secs(1));
        assert_eq!(time_to_think(Some(4_000)), Duration::from_millis(100));
        assert_eq!(time_to_think(Some(0)), Duration::ZERO);
    }
}
