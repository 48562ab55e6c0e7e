//! Bots that play the games of a batch.

use fourfold_bots::kung_fu::{self, RealTimeBot};
use fourfold_bots::{Budget, Level, Rules, Situation, ThinkError};
use fourfold_chess::Variant;
use fourfold_env::blokus::{Classic, Duo};
use fourfold_env::chess::Chess;
use fourfold_env::four_player::FourPlayer;
use fourfold_env::kung_fu::{Eight, Twelve};
use fourfold_env::{AnyBatch, Asked, Batch as Games, Game, Options, Player, Stream, make};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::errors::ToPython;

/// The rules that bots play by in a batch.
#[derive(Clone, Copy)]
enum Plays {
    /// A turn-based game.
    Turns(Rules),
    /// Kung fu chess, with `interval` ticks per step.
    Live { interval: u64 },
}

impl Plays {
    fn of(batch: &dyn AnyBatch) -> PyResult<Plays> {
        fn rules<G: Game>(batch: &dyn AnyBatch) -> Option<&G::Rules> {
            batch.as_any().downcast_ref::<Games<G>>().map(Games::rules)
        }
        let plays = if rules::<Chess>(batch).is_some() {
            Some(Plays::Turns(Rules::Chess(Variant::Standard)))
        } else if let Some(rules) = rules::<FourPlayer>(batch) {
            Some(Plays::Turns(Rules::FourPlayer(rules.play)))
        } else if let Some(rules) = rules::<Classic>(batch) {
            Some(Plays::Turns(Rules::Blokus(rules.variant())))
        } else if let Some(rules) = rules::<Duo>(batch) {
            Some(Plays::Turns(Rules::Blokus(rules.variant())))
        } else {
            let eight = rules::<Eight>(batch).map(|rules| rules.interval);
            let interval = eight.or_else(|| rules::<Twelve>(batch).map(|rules| rules.interval));
            interval.map(|interval| Plays::Live { interval: interval.into() })
        };
        plays.ok_or_else(|| PyValueError::new_err(format!("there are no bots for {}", batch.id())))
    }

    fn levels(self) -> &'static [Level] {
        match self {
            Plays::Turns(rules) => rules.levels(),
            Plays::Live { .. } => &kung_fu::LEVELS,
        }
    }
}

/// A bot for the games of a batch. Its engine is created anew for every move.
pub(crate) struct Seated {
    plays: Plays,
    /// The index of the level, counted from the weakest.
    number: usize,
    level: &'static Level,
    nodes: u64,
}

impl Seated {
    /// Makes a bot for the games of a batch. `nodes` replaces the level's own node budget.
    fn new(batch: &dyn AnyBatch, name: &str, nodes: Option<u64>) -> PyResult<Seated> {
        let plays = Plays::of(batch)?;
        let levels = plays.levels();
        let found = levels.iter().enumerate().find(|(_, level)| level.id == name);
        let (number, level) = found.ok_or_else(|| {
            let names: Vec<&str> = levels.iter().map(|level| level.id).collect();
            PyValueError::new_err(format!(
                "unknown level '{name}': expected one of {}",
                names.join(", ")
            ))
        })?;
        Ok(Seated { plays, number, level, nodes: nodes.unwrap_or(level.nodes) })
    }

    /// Makes one bot per player. Random players of turn-based games are `None`, because the batch
    /// can draw their actions without a record of the game.
    pub(crate) fn all(
        batch: &dyn AnyBatch,
        players: &[(String, Option<u64>)],
    ) -> PyResult<Vec<Option<Seated>>> {
        let seated = players.iter().map(|(name, nodes)| {
            let seated = Seated::new(batch, name, *nodes)?;
            let reads = seated.level.id != "random" || matches!(seated.plays, Plays::Live { .. });
            Ok(reads.then_some(seated))
        });
        seated.collect()
    }

    /// Returns the order of a player in a step. Bots pause between orders. Here they act in
    /// randomly chosen steps instead, so that the rate of orders is the same as with one step per
    /// tick.
    fn order(&self, asked: &Asked<'_>, interval: u64) -> Option<String> {
        let eight = asked.game.downcast_ref::<Eight>().map(|state| state.game());
        let game = eight.or_else(|| Some(asked.game.downcast_ref::<Twelve>()?.game()))?;
        let mut chance = Stream::new(asked.chance, 0);
        let number = u8::try_from(self.number).unwrap_or(u8::MAX);
        let mut fighter = RealTimeBot::new(chance.next(), number).with_nodes(self.nodes);
        if chance.next() % fighter.pause().max(1) >= interval {
            return None;
        }
        let player = game.rules().seats.iter().nth(asked.seat)?;
        let order = fighter.think(game, player)?;
        Some(format!("{}->{},{}", game.name(order.piece), order.to.row(), order.to.column()))
    }
}

impl Player for Seated {
    fn choose(&self, asked: &Asked<'_>) -> Result<Option<String>, String> {
        let rules = match self.plays {
            Plays::Turns(rules) => rules,
            Plays::Live { interval } => {
                return Ok(Some(self.order(asked, interval).unwrap_or_else(|| "wait".to_owned())));
            }
        };
        let bot = rules.make(self.level.id, asked.chance);
        let mut bot = bot.ok_or_else(|| format!("unknown level '{}'", self.level.id))?;
        let situation = Situation { start: asked.start, moves: asked.moves };
        match bot.think(&situation, Budget::nodes(self.nodes)) {
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
    fn new(game: &str, level: String, seed: u64, nodes: Option<u64>) -> PyResult<Bot> {
        Seated::new(&*one(game)?, &level, nodes)?;
        Ok(Bot { level, nodes, stream: Stream::new(seed, 0) })
    }

    fn act(
        &mut self,
        py: Python<'_>,
        mut batch: PyRefMut<'_, Batch>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        mut out: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let batch = &mut *batch.inner;
        let seated = Seated::new(batch, &self.level, self.nodes)?;
        let mask = mask.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
        let out = out.as_slice_mut()?;
        let seed = self.stream.next();
        py.detach(|| batch.ask(&seated, seed, mask, out)).map_err(ToPython::to_python)
    }
}

/// Makes an environment with one game, in the mode that has all levels.
fn one(game: &str) -> PyResult<Box<dyn AnyBatch>> {
    let given: &[(&str, &str)] = if game == "four_player" { &[("mode", "teams")] } else { &[] };
    make(game, given, 1, Options::default()).map_err(ToPython::to_python)
}

/// The levels of a game, the weakest first: name, description, and node budget per move.
#[pyfunction]
pub(crate) fn bot_levels(game: &str) -> PyResult<Vec<(&'static str, &'static str, u64)>> {
    let levels = Plays::of(&*one(game)?)?.levels();
    Ok(levels.iter().map(|level| (level.id, level.about, level.nodes)).collect())
}
