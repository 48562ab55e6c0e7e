//! Moves of bots in turn-based games, and hints.

use std::sync::Arc;
use std::time::Duration;

use fourfold_bots::{Budget, Level, Situation};
use fourfold_table::Table;
use tokio::task::JoinSet;

use crate::guest::GuestId;
use crate::hub::Hub;

/// The maximum time a bot thinks about a move.
const LONGEST_THOUGHT: Duration = Duration::from_secs(1);

/// Returns how long a bot may think with `left` milliseconds on its clock, or without a clock.
pub(crate) fn time_to_think(left: Option<u64>) -> Duration {
    let share = left.map_or(LONGEST_THOUGHT, |left| Duration::from_millis(left / 40));
    share.min(LONGEST_THOUGHT)
}

/// The code of a move that is being computed by one task. Dropping it cancels the computation.
pub(crate) type Thinking = JoinSet<Option<String>>;

/// A bot with a position to think about. The bot itself, whose tables may be large, is created by
/// the thread on which it thinks.
pub(crate) struct BotJob {
    game: &'static str,
    level: &'static str,
    seed: u64,
    start: String,
    moves: Vec<String>,
    nodes: u64,
}

impl BotJob {
    /// Creates a job for a bot of this level of the game, with a random seed derived from
    /// `seed_text`.
    pub(crate) fn new(table: &dyn Table, level: &'static Level, seed_text: &str) -> BotJob {
        let seed =
            seed_text.bytes().fold(0, |seed: u64, byte| seed.rotate_left(7) ^ u64::from(byte));
        let (start, moves) = table.situation();
        let (game, level, nodes) = (table.game(), level.id, level.nodes);
        BotJob { game, level, seed, start, moves, nodes }
    }

    /// Limits the number of search nodes.
    pub(crate) fn at_most(self, nodes: u64) -> BotJob {
        BotJob { nodes: self.nodes.min(nodes), ..self }
    }

    /// Returns the code of the bot's move, after at most `time` of thinking once it is the turn of
    /// the game's owner.
    pub(crate) async fn think(
        self,
        hub: Arc<Hub>,
        owner: GuestId,
        time: Duration,
    ) -> Option<String> {
        let BotJob { game, level, seed, start, moves, nodes } = self;
        let thought = hub.bots.run(owner, time, move |stop| {
            let mut bot = fourfold_learned::make(game, level, seed)?;
            let budget = Budget::nodes(nodes).with_stop(stop);
            Some(bot.think(&Situation { start: &start, moves: &moves }, budget))
        });
        let thought = thought.await??;
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
