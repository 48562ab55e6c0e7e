//! Bots that play the games of a batch.

use std::any::Any;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use fourfold_bots::kung_fu::{self, RealTimeBot};
use fourfold_bots::{Budget, Level, Line, Rules, Score, Situation, ThinkError};
use fourfold_env::{DescribedBatch, MoveRequest, Options, Player, Stream, make};
use fourfold_kung_fu::Game;
use fourfold_learned::kung_fu::INTERVAL;
use fourfold_learned::{LEARNED, Model};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::board::Table;
use crate::errors::{ToPython, unknown};
use crate::games::{BotRules, all_levels, bot_rules};
use crate::interrupt::interruptible;

/// The number of positions that are searched in about a millisecond, or in ten in the slowest game.
const LONG_CALL_NODES: u64 = 100;

/// How often the flag that stops a search is checked while its time is limited.
const POLL: Duration = Duration::from_millis(20);

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
    movetime: Option<Duration>,
}

/// A player of a rollout: its level, node budget and seconds per move.
pub(crate) type RolloutPlayer = (String, Option<u64>, Option<f64>);

/// What a bot may spend on a move, instead of the node budget of its level.
#[derive(Clone, Copy)]
struct Limits {
    nodes: Option<u64>,
    movetime: Option<Duration>,
}

impl Limits {
    fn new(nodes: Option<u64>, seconds: Option<f64>) -> PyResult<Limits> {
        let movetime = seconds.map(Duration::try_from_secs_f64).transpose();
        let movetime = movetime.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Limits { nodes, movetime })
    }

    /// Returns the node budget. A time per move replaces that of the level.
    fn nodes_or(self, own: u64) -> u64 {
        self.nodes.unwrap_or(if self.movetime.is_some() { u64::MAX } else { own })
    }
}

impl BotPlayer {
    /// Makes a bot for the games of a batch.
    fn new(batch: &dyn DescribedBatch, name: &str, limits: Limits) -> PyResult<BotPlayer> {
        BotPlayer::with_model(batch, name, limits, load(name)?)
    }

    /// Does the same with the model of the bot, if it has one.
    fn with_model(
        batch: &dyn DescribedBatch,
        name: &str,
        limits: Limits,
        model: Option<Model>,
    ) -> PyResult<BotPlayer> {
        let rules = bot_rules(batch)?;
        let movetime = limits.movetime;
        if movetime.is_some() && matches!(rules, BotRules::RealTime { .. }) {
            return Err(PyValueError::new_err("movetime is only for turn-based games"));
        }
        let game = table_id(batch);
        if let Some(model) = model {
            if model.game() != game {
                let own = model.environment();
                let message = format!("a model for {own} cannot play {}", batch.id());
                return Err(PyValueError::new_err(message));
            }
            let nodes = limits.nodes_or(MODEL_NODES);
            let engine = Engine::Model(suited(&model, batch)?);
            return Ok(BotPlayer { rules, engine, nodes, movetime });
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
        let nodes = limits.nodes_or(level.nodes);
        let shipped = fourfold_learned::shipped(&game).filter(|_| level.id == LEARNED);
        let engine = match shipped {
            Some(model) => Engine::Model(suited(model, batch)?),
            None => Engine::Level(level, index as u8),
        };
        Ok(BotPlayer { rules, engine, nodes, movetime })
    }

    /// Makes one bot per player. Random players of turn-based games are `None`, because the batch
    /// can draw their actions without a record of the game.
    pub(crate) fn all(
        batch: &dyn DescribedBatch,
        players: &[RolloutPlayer],
    ) -> PyResult<Vec<Option<BotPlayer>>> {
        let seated = players.iter().map(|(name, nodes, seconds)| {
            let seated = BotPlayer::new(batch, name, Limits::new(*nodes, *seconds)?)?;
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
        if self.movetime.is_some() {
            return true;
        }
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
        with_time_limit(bot.movetime, stop, |stop| StoppableBot { bot, stop }.choose_until(request))
    }
}

impl StoppableBot<'_> {
    fn choose_until(&self, request: &MoveRequest<'_>) -> Result<Option<String>, String> {
        let &StoppableBot { bot, stop } = self;
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

/// Does work with a flag that is set when the time is up, or when `stop` is set.
fn with_time_limit<T>(
    time: Option<Duration>,
    stop: &AtomicBool,
    work: impl FnOnce(&AtomicBool) -> T,
) -> T {
    let Some(time) = time else { return work(stop) };
    let (flag, began) = (AtomicBool::new(false), Instant::now());
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        let flag = &flag;
        scope.spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                let left = time.saturating_sub(began.elapsed());
                // Nothing is ever sent: the channel is disconnected when the work is done.
                let waited = waiting.recv_timeout(left.min(POLL));
                if left.is_zero() || waited == Err(RecvTimeoutError::Disconnected) {
                    break;
                }
            }
            flag.store(true, Ordering::Relaxed);
        });
        let result = work(flag);
        drop(done);
        result
    })
}

/// A line of a search: the score in points or as a mate in some moves, the winning chances, and the moves.
type ReportedLine = (Option<i32>, Option<i32>, f64, Vec<String>);

/// A move with details of the search: its code, the positions searched, the depth, the seconds, and the best lines.
type Report = (String, u64, u32, f64, Vec<ReportedLine>);

fn reported(line: Line) -> ReportedLine {
    let chances = f64::from(line.score.winning_chances()) / 1000.0;
    let (points, mate) = match line.score {
        Score::Points(points) => (Some(points), None),
        Score::Mate(moves) => (None, Some(moves)),
        Score::WinningChances(_) => (None, None),
    };
    (points, mate, chances, line.codes)
}

/// A bot of some level, for the games of a batch.
#[pyclass(module = "fourfold._core")]
pub(crate) struct Bot {
    game: String,
    level: String,
    /// The model, if the level is a folder.
    model: Option<Model>,
    limits: Limits,
    /// Advances with every call.
    stream: Stream,
}

#[pymethods]
impl Bot {
    #[new]
    fn new(
        game: String,
        level: String,
        seed: u64,
        nodes: Option<u64>,
        movetime: Option<f64>,
        calls: u64,
    ) -> PyResult<Bot> {
        let (model, limits) = (load(&level)?, Limits::new(nodes, movetime)?);
        BotPlayer::with_model(&*one(&game, &level)?, &level, limits, model.clone())?;
        let mut stream = Stream::new(seed, 0);
        stream.skip(calls);
        Ok(Bot { game, level, model, limits, stream })
    }

    /// Chooses a move on a board, whose moves so far the bot knows, and reports up to `lines` lines.
    fn think(&mut self, py: Python<'_>, table: PyRef<'_, Table>, lines: usize) -> PyResult<Report> {
        let rules = table.bot_rules();
        let (start, moves) = table.situation();
        drop(table);
        let game = match rules {
            Rules::Chess(_) => "chess",
            Rules::FourPlayer(_) => "four_player",
            Rules::Blokus(_) => "blokus",
        };
        if self.game.trim_end_matches("_duo") != game {
            let message = format!("a bot for {} cannot play on a board of {game}", self.game);
            return Err(PyValueError::new_err(message));
        }
        // An interrupted call leaves the bot as it was.
        let mut stream = self.stream;
        let seed = stream.next();
        let shipped = fourfold_learned::shipped(&self.game.replace('_', "-"));
        let shipped = shipped.filter(|_| self.level == LEARNED);
        let (mut engine, own) = match self.model.as_ref().or(shipped) {
            Some(model) => (model.bot(seed), MODEL_NODES),
            None => {
                let levels = rules.levels();
                let level = levels.iter().find(|level| level.id == self.level);
                let engine =
                    level.and_then(|level| Some((rules.make(level.id, seed)?, level.nodes)));
                engine.ok_or_else(|| {
                    let names: Vec<&str> = levels.iter().map(|level| level.id).collect();
                    unknown("unknown level", &self.level, &names)
                })?
            }
        };
        let Limits { movetime, .. } = self.limits;
        let nodes = self.limits.nodes_or(own);
        let began = Instant::now();
        let thought = interruptible(py, |stop| {
            with_time_limit(movetime, stop, |stop| {
                let budget = Budget { lines, ..Budget::nodes(nodes).with_stop(stop) };
                engine.think(&Situation { start: &start, moves: &moves }, budget)
            })
        })?;
        let seconds = began.elapsed().as_secs_f64();
        let thought = thought.map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.stream = stream;
        let lines = thought.lines.into_iter().map(reported).collect();
        Ok((thought.code, thought.nodes, thought.depth, seconds, lines))
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
        let seated = BotPlayer::with_model(batch, &self.level, self.limits, self.model.clone())?;
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
