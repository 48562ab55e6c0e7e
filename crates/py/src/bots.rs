//! Bots that play the games of a batch.

use fourfold_bots::{Budget, Level, Rules, Situation, ThinkError};
use fourfold_chess::Variant;
use fourfold_env::blokus::{Classic, Duo};
use fourfold_env::chess::Chess;
use fourfold_env::four_player::FourPlayer;
use fourfold_env::{AnyBatch, Asked, Batch as Games, Game, Options, Player, Stream, make};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::errors::ToPython;

/// The rules that bots play by in a batch.
fn rules(batch: &dyn AnyBatch) -> PyResult<Rules> {
    fn of<G: Game>(batch: &dyn AnyBatch) -> Option<&G::Rules> {
        batch.as_any().downcast_ref::<Games<G>>().map(Games::rules)
    }
    let rules = if of::<Chess>(batch).is_some() {
        Some(Rules::Chess(Variant::Standard))
    } else if let Some(rules) = of::<FourPlayer>(batch) {
        Some(Rules::FourPlayer(rules.play))
    } else if let Some(rules) = of::<Classic>(batch) {
        Some(Rules::Blokus(rules.variant()))
    } else {
        of::<Duo>(batch).map(|rules| Rules::Blokus(rules.variant()))
    };
    rules.ok_or_else(|| {
        let message = format!(
            "bots cannot play {} in environments yet: everybody acts at once there, and its bots \
             are asked on every tick",
            batch.id(),
        );
        PyValueError::new_err(message)
    })
}

/// A level of some rules.
fn level(rules: Rules, name: &str) -> PyResult<&'static Level> {
    let levels = rules.levels();
    levels.iter().find(|level| level.id == name).ok_or_else(|| {
        let names: Vec<&str> = levels.iter().map(|level| level.id).collect();
        PyValueError::new_err(format!("level '{name}' is none of {}", names.join(", ")))
    })
}

/// One who plays by some rules; made anew for every move.
pub(crate) struct Seated {
    rules: Rules,
    level: &'static Level,
    nodes: u64,
}

impl Seated {
    /// For the games of a batch. Without a number of positions to look at, it is the level's.
    fn new(batch: &dyn AnyBatch, name: &str, nodes: Option<u64>) -> PyResult<Seated> {
        let rules = rules(batch)?;
        let level = level(rules, name)?;
        Ok(Seated { rules, level, nodes: nodes.unwrap_or(level.nodes) })
    }

    /// One for each seat; whoever plays at random need not read the game.
    pub(crate) fn all(
        batch: &dyn AnyBatch,
        players: &[(String, Option<u64>)],
    ) -> PyResult<Vec<Option<Seated>>> {
        let seated = players.iter().map(|(name, nodes)| {
            let seated = Seated::new(batch, name, *nodes)?;
            Ok((seated.level.id != "random").then_some(seated))
        });
        seated.collect()
    }
}

impl Player for Seated {
    fn choose(&self, asked: &Asked<'_>) -> Result<Option<String>, String> {
        let bot = self.rules.make(self.level.id, asked.chance);
        let mut bot = bot.ok_or_else(|| format!("there is no level '{}'", self.level.id))?;
        let situation = Situation { start: asked.start, moves: asked.moves };
        match bot.think(&situation, Budget::nodes(self.nodes)) {
            Ok(thought) => Ok(Some(thought.code)),
            // The environment plays on where the laws see a draw, as the seed's preset does in chess.
            Err(ThinkError::Over { .. }) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A bot of a level, for the games of a batch.
#[pyclass(module = "fourfold._core")]
pub(crate) struct Bot {
    level: String,
    nodes: Option<u64>,
    /// Moves on with every call.
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

/// An environment with one game, of the kind that has all levels.
fn one(game: &str) -> PyResult<Box<dyn AnyBatch>> {
    let given: &[(&str, &str)] = if game == "four_player" { &[("mode", "teams")] } else { &[] };
    make(game, given, 1, Options::default()).map_err(ToPython::to_python)
}

/// The levels of a game, the weakest first: names, how they play, and how many positions they look at.
#[pyfunction]
pub(crate) fn bot_levels(game: &str) -> PyResult<Vec<(&'static str, &'static str, u64)>> {
    let levels = rules(&*one(game)?)?.levels();
    Ok(levels.iter().map(|level| (level.id, level.about, level.nodes)).collect())
}
