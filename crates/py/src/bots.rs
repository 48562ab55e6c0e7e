//! Bots that play the games of a batch.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};

use fourfold_bots::kung_fu::{self, RealTimeBot};
use fourfold_bots::{Budget, Level, Situation, ThinkError};
use fourfold_env::{DescribedBatch, MoveRequest, Options, Player, Stream, make};
use fourfold_kung_fu::Game;
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::errors::{ToPython, unknown};
use crate::games::{BotRules, all_levels, bot_rules};
use crate::interrupt::interruptible;

/// The number of positions that are searched in about a millisecond, or in ten in the slowest game.
const LONG_CALL_NODES: u64 = 100;

fn levels(rules: BotRules) -> &'static [Level] {
    match rules {
        BotRules::Turns(rules) => rules.levels(),
        BotRules::RealTime { .. } => &kung_fu::LEVELS,
    }
}

/// A bot for the games of a batch. Its engine is created anew for every move.
pub(crate) struct BotPlayer {
    rules: BotRules,
    /// The index of the level, counted from the weakest.
    level_index: u8,
    level: &'static Level,
    nodes: u64,
}

impl BotPlayer {
    /// Makes a bot for the games of a batch. `nodes` replaces the level's own node budget.
    fn new(batch: &dyn DescribedBatch, name: &str, nodes: Option<u64>) -> PyResult<BotPlayer> {
        let rules = bot_rules(batch)?;
        let levels = levels(rules);
        let found = levels.iter().position(|level| level.id == name);
        let index = found.ok_or_else(|| {
            let names: Vec<&str> = levels.iter().map(|level| level.id).collect();
            unknown("unknown level", name, &names)
        })?;
        let level = &levels[index];
        Ok(BotPlayer {
            rules,
            level_index: index as u8,
            level,
            nodes: nodes.unwrap_or(level.nodes),
        })
    }

    /// Makes one bot per player. Random players of turn-based games are `None`, because the batch
    /// can draw their actions without a record of the game.
    pub(crate) fn all(
        batch: &dyn DescribedBatch,
        players: &[(String, Option<u64>)],
    ) -> PyResult<Vec<Option<BotPlayer>>> {
        let seated = players.iter().map(|(name, nodes)| {
            let seated = BotPlayer::new(batch, name, *nodes)?;
            let real_time = matches!(seated.rules, BotRules::RealTime { .. });
            let reads = seated.level.id != "random" || real_time;
            Ok(reads.then_some(seated))
        });
        seated.collect()
    }

    /// Returns the bot as a player that can be stopped.
    pub(crate) const fn with_stop<'a>(&'a self, stop: &'a AtomicBool) -> StoppableBot<'a> {
        StoppableBot { bot: self, stop }
    }

    /// Returns whether choosing this many moves takes so long that it must be interruptible.
    fn takes_long(&self, moves: usize) -> bool {
        // These levels look only at their legal moves. Their budget is just an upper limit.
        let nodes = if matches!(self.level.id, "random" | "greedy") { 1 } else { self.nodes };
        nodes.saturating_mul(moves as u64) >= LONG_CALL_NODES
    }

    /// Returns the order of a player in a step. Bots pause between orders. Here they act in
    /// randomly chosen steps instead, so that the rate of orders is the same as with one step per
    /// tick.
    fn order(
        &self,
        request: &MoveRequest<'_>,
        interval: u64,
        game: fn(&dyn Any) -> Option<&Game>,
    ) -> Option<String> {
        let game = game(request.game)?;
        let mut chance = Stream::new(request.seed, 0);
        let mut bot = RealTimeBot::new(chance.next(), self.level_index).with_nodes(self.nodes);
        if chance.next() % bot.pause().max(1) >= interval {
            return None;
        }
        let player = game.rules().players.iter().nth(request.player)?;
        let order = bot.think(game, player)?;
        Some(format!("{}->{},{}", game.name(order.piece), order.to.row(), order.to.column()))
    }
}

/// A bot that fails to choose a move as soon as the flag is set.
pub(crate) struct StoppableBot<'a> {
    bot: &'a BotPlayer,
    stop: &'a AtomicBool,
}

impl Player for StoppableBot<'_> {
    fn choose(&self, request: &MoveRequest<'_>) -> Result<Option<String>, String> {
        let &StoppableBot { bot, stop } = self;
        if stop.load(Ordering::Relaxed) {
            return Err("stopped".to_owned());
        }
        let rules = match bot.rules {
            BotRules::Turns(rules) => rules,
            BotRules::RealTime { interval, game } => {
                let order = bot.order(request, interval, game);
                return Ok(Some(order.unwrap_or_else(|| "wait".to_owned())));
            }
        };
        let engine = rules.make(bot.level.id, request.seed);
        let mut engine = engine.ok_or_else(|| format!("unknown level '{}'", bot.level.id))?;
        let situation = Situation { start: request.start, moves: request.moves };
        match engine.think(&situation, Budget::nodes(bot.nodes).with_stop(stop)) {
            Ok(thought) => Ok(Some(thought.code)),
            // The environment may continue in positions that the rules score as a draw, as the
            // legacy preset does in chess.
            Err(ThinkError::Over { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A bot of some level, for the games of a batch.
#[pyclass(module = "fourfold._core")]
pub(crate) struct Bot {
    level: String,
    nodes: Option<u64>,
    /// Advances with every call.
    stream: Stream,
}

#[pymethods]
impl Bot {
    #[new]
    fn new(game: &str, level: String, seed: u64, nodes: Option<u64>, calls: u64) -> PyResult<Bot> {
        BotPlayer::new(&*one(game)?, &level, nodes)?;
        let mut stream = Stream::new(seed, 0);
        stream.skip(calls);
        Ok(Bot { level, nodes, stream })
    }

    /// The number of calls of `act` that drew from the bot's own stream.
    fn calls(&self) -> u64 {
        self.stream.drawn()
    }

    /// Chooses actions. With `games_streams`, randomness comes from the streams of the games, not
    /// from that of the bot.
    fn act(
        &mut self,
        py: Python<'_>,
        mut batch: PyRefMut<'_, Batch>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        games_streams: bool,
        mut out: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let batch = &mut *batch.inner;
        let seated = BotPlayer::new(batch, &self.level, self.nodes)?;
        let mask = mask.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
        let out = out.as_slice_mut()?;
        // An interrupted call leaves the bot as it was.
        let mut stream = self.stream;
        let seed = (!games_streams).then(|| stream.next());
        let takes_long = seated.takes_long(out.len());
        let mut act = |stop: &AtomicBool| batch.ask(&seated.with_stop(stop), seed, mask, out);
        let acted = if takes_long {
            interruptible(py, act)?
        } else {
            py.detach(|| act(&AtomicBool::new(false)))
        };
        self.stream = stream;
        acted.map_err(ToPython::to_python)
    }
}

/// Makes an environment with one game, in the mode that has all levels.
fn one(game: &str) -> PyResult<Box<dyn DescribedBatch>> {
    make(game, all_levels(game), 1, Options::default()).map_err(ToPython::to_python)
}

/// The levels of a game, the weakest first: name, description, and node budget per move.
#[pyfunction]
pub(crate) fn bot_levels(game: &str) -> PyResult<Vec<(&'static str, &'static str, u64)>> {
    let levels = levels(bot_rules(&*one(game)?)?);
    Ok(levels.iter().map(|level| (level.id, level.about, level.nodes)).collect())
}
