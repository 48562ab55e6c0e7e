//! Bots that play the games of a batch.

use std::any::Any;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use fourfold_bots::kung_fu::{self, RealTimeBot};
use fourfold_bots::{Budget, Level, Situation, ThinkError};
use fourfold_env::{DescribedBatch, MoveRequest, Options, Player, Stream, make};
use fourfold_kung_fu::Game;
use fourfold_learned::kung_fu::INTERVAL;
use fourfold_learned::{LEARNED, Model};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::errors::{ToPython, unknown};
use crate::games::{BotRules, all_levels, bot_rules};
use crate::interrupt::interruptible;

/// The number of positions that are searched in about a millisecond, or in ten in the slowest game.
const LONG_CALL_NODES: u64 = 100;

/// The prefix of the folder of a model, where a level is expected.
const FOLDER: &str = "learned:";

/// How many positions a model evaluates for a move, unless the caller says otherwise.
const MODEL_NODES: u64 = 128;

/// The levels of a game, including the model that comes with the package if it can play with these options.
fn levels(batch: &dyn DescribedBatch) -> PyResult<&'static [Level]> {
    let shipped = fourfold_learned::shipped(&table_id(batch));
    match shipped.map(|model| suited(model, batch)).transpose()? {
        Some(model) if model.can_play(batch) => Ok(fourfold_learned::levels(&table_id(batch))),
        _ => levels_without_model(batch),
    }
}

fn levels_without_model(batch: &dyn DescribedBatch) -> PyResult<&'static [Level]> {
    Ok(match bot_rules(batch)? {
        BotRules::Turns(rules) => rules.levels(),
        BotRules::RealTime { .. } => &kung_fu::LEVELS,
    })
}

/// Returns a model for the games of a batch, which may have another speed than those that it was trained with.
fn suited(model: &Model, batch: &dyn DescribedBatch) -> PyResult<Model> {
    let BotRules::RealTime { speed, .. } = bot_rules(batch)? else { return Ok(model.clone()) };
    let model = fourfold_learned::kung_fu::at_speed(model, speed);
    model.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The id of a game in `fourfold-table`.
fn table_id(batch: &dyn DescribedBatch) -> String {
    let id = batch.id();
    id.rsplit_once("-v").map_or(&*id, |(name, _)| name).replace('_', "-")
}

/// Returns the model of a bot given as `learned:FOLDER`.
fn load(name: &str) -> PyResult<Option<Model>> {
    let Some(folder) = name.strip_prefix(FOLDER) else { return Ok(None) };
    let model = Model::load(Path::new(folder));
    model.map(Some).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What chooses the moves of a bot.
enum Engine {
    /// A level, with its index, counted from the weakest.
    Level(&'static Level, u8),
    /// A network.
    Model(Model),
}

/// A bot for the games of a batch. Its engine is created anew for every move.
pub(crate) struct BotPlayer {
    rules: BotRules,
    engine: Engine,
    nodes: u64,
}

impl BotPlayer {
    /// Makes a bot for the games of a batch. `nodes` replaces the level's own node budget.
    fn new(batch: &dyn DescribedBatch, name: &str, nodes: Option<u64>) -> PyResult<BotPlayer> {
        BotPlayer::with_model(batch, name, nodes, load(name)?)
    }

    /// Does the same with the model of the bot, if it has one.
    fn with_model(
        batch: &dyn DescribedBatch,
        name: &str,
        nodes: Option<u64>,
        model: Option<Model>,
    ) -> PyResult<BotPlayer> {
        let rules = bot_rules(batch)?;
        let game = table_id(batch);
        if let Some(model) = model {
            if model.game() != game {
                let own = model.environment();
                let message = format!("a model for {own} cannot play {}", batch.id());
                return Err(PyValueError::new_err(message));
            }
            let nodes = nodes.unwrap_or(MODEL_NODES);
            return Ok(BotPlayer { rules, engine: Engine::Model(suited(&model, batch)?), nodes });
        }
        // Whether the model can play is not looked up for every move of another level.
        let mut known = levels_without_model(batch)?;
        if known.iter().all(|level| level.id != name) {
            known = levels(batch)?;
        }
        let found = known.iter().position(|level| level.id == name);
        let index = found.ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|level| level.id).collect();
            unknown("unknown level", name, &names)
        })?;
        let level = &known[index];
        let nodes = nodes.unwrap_or(level.nodes);
        let shipped = fourfold_learned::shipped(&game).filter(|_| level.id == LEARNED);
        let engine = match shipped {
            Some(model) => Engine::Model(suited(model, batch)?),
            None => Engine::Level(level, index as u8),
        };
        Ok(BotPlayer { rules, engine, nodes })
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
            let is_random =
                matches!(seated.engine, Engine::Level(level, _) if level.id == "random");
            let reads = !is_random || real_time;
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
        let nodes = match self.engine {
            // These levels look only at their legal moves. Their budget is just an upper limit.
            Engine::Level(level, _) if matches!(level.id, "random" | "greedy") => 1,
            Engine::Level(..) => self.nodes,
            Engine::Model(_) => LONG_CALL_NODES,
        };
        nodes.saturating_mul(moves as u64) >= LONG_CALL_NODES
    }

    /// Returns the order of a player in a step. Bots pause between orders. Here they act in
    /// randomly chosen steps instead, so that the rate of orders is the same as with one step per
    /// tick.
    fn order(
        &self,
        request: &MoveRequest<'_>,
        level_index: u8,
        interval: u64,
        game: fn(&dyn Any) -> Option<&Game>,
    ) -> Option<String> {
        let game = game(request.game)?;
        let mut chance = Stream::new(request.seed, 0);
        let mut bot = RealTimeBot::new(chance.next(), level_index).with_nodes(self.nodes);
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
        let budget = Budget::nodes(bot.nodes).with_stop(stop);
        let (level, level_index) = match &bot.engine {
            Engine::Level(level, index) => (level, *index),
            Engine::Model(model) => {
                // Where steps are shorter than in training, it waits in some, as levels do.
                if let BotRules::RealTime { interval, .. } = bot.rules
                    && Stream::new(request.seed, 0).next() % INTERVAL >= interval
                {
                    return Ok(Some("wait".to_owned()));
                }
                let chosen = model.choose(request.game, request.player, request.seed, budget);
                return match chosen {
                    None => Err("the model was trained with other options of the game".to_owned()),
                    Some(Ok(chosen)) => Ok(Some(chosen.code)),
                    Some(Err(ThinkError::Over { .. })) => Ok(None),
                    Some(Err(error)) => Err(error.to_string()),
                };
            }
        };
        let rules = match bot.rules {
            BotRules::Turns(rules) => rules,
            BotRules::RealTime { interval, game, .. } => {
                let order = bot.order(request, level_index, interval, game);
                return Ok(Some(order.unwrap_or_else(|| "wait".to_owned())));
            }
        };
        let engine = rules.make(level.id, request.seed);
        let mut engine = engine.ok_or_else(|| format!("unknown level '{}'", level.id))?;
        let situation = Situation { start: request.start, moves: request.moves };
        match engine.think(&situation, budget) {
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
    /// The model, if the level is a folder.
    model: Option<Model>,
    nodes: Option<u64>,
    /// Advances with every call.
    stream: Stream,
}

#[pymethods]
impl Bot {
    #[new]
    fn new(game: &str, level: String, seed: u64, nodes: Option<u64>, calls: u64) -> PyResult<Bot> {
        let model = load(&level)?;
        BotPlayer::with_model(&*one(game, &level)?, &level, nodes, model.clone())?;
        let mut stream = Stream::new(seed, 0);
        stream.skip(calls);
        Ok(Bot { level, model, nodes, stream })
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
        let seated = BotPlayer::with_model(batch, &self.level, self.nodes, self.model.clone())?;
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

    /// Evaluates all games of a batch with the network: logits, for each player who acts in each game, and values.
    fn evaluate(&self, py: Python<'_>, batch: PyRef<'_, Batch>) -> PyResult<(Vec<f32>, Vec<f32>)> {
        let game = table_id(&*batch.inner);
        let shipped = fourfold_learned::shipped(&game).filter(|_| self.level == LEARNED);
        let Some(model) = self.model.as_ref().or(shipped) else {
            let message = format!("the level {} has no network", self.level);
            return Err(PyValueError::new_err(message));
        };
        let batch = &*batch.inner;
        let model = suited(model, batch)?;
        let found = py.detach(|| model.evaluate(batch));
        let found = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((found.logits, found.values))
    }
}

/// Makes an environment with one game, in a mode that has the level.
fn one(game: &str, level: &str) -> PyResult<Box<dyn DescribedBatch>> {
    // Networks are trained with the default mode; that of `all_levels` has all other levels.
    let options = if level == LEARNED { &[] } else { all_levels(game) };
    make(game, options, 1, Options::default()).map_err(ToPython::to_python)
}

/// The ratings of the levels of a game with its default options, the weakest first.
#[pyfunction]
pub(crate) fn bot_ratings(game: &str) -> PyResult<Vec<(&'static str, u32)>> {
    let batch = make(game, &[], 1, Options::default()).map_err(ToPython::to_python)?;
    Ok(levels(&*batch)?.iter().map(|level| (level.id, level.rating)).collect())
}

/// Returns the name of the game of the model in a folder.
#[pyfunction]
pub(crate) fn model_game(folder: &str) -> PyResult<String> {
    let model = Model::load(Path::new(folder));
    let model = model.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(model.environment().to_owned())
}

/// The levels of a game, the weakest first: name, description, and node budget per move.
#[pyfunction]
pub(crate) fn bot_levels(game: &str) -> PyResult<Vec<(&'static str, &'static str, u64)>> {
    let mut found = levels(&*one(game, "")?)?.to_vec();
    let learned = levels(&*one(game, LEARNED)?)?.iter().filter(|level| level.id == LEARNED);
    if found.iter().all(|level| level.id != LEARNED) {
        found.extend(learned.cloned());
    }
    Ok(found.iter().map(|level| (level.id, level.about, level.nodes)).collect())
}
