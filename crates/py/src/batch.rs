//! A batch of games that writes into buffers owned by Python.

use std::sync::atomic::Ordering;

use fourfold_env::chess::dialects::Dialect;
use fourfold_env::chess::labels::PLANE;
use fourfold_env::chess::{Chess, Rules};
use fourfold_env::{
    Action, Autoreset, DescribedBatch, Illegal, MaskRows, ObservationRows, Options, Outputs,
    Player, Rows, Seeds, Spec, ValueRows, make,
};
use half::f16;
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::blokus;
use crate::bots::{BotPlayer, RolloutPlayer, StoppableBot};
use crate::errors::{ToPython, choice, unknown};
use crate::games;
use crate::interrupt::interruptible;

/// A batch of games.
#[pyclass(module = "fourfold._core")]
pub(crate) struct Batch {
    pub(crate) inner: Box<dyn DescribedBatch>,
}

/// A flat array to be filled by a call.
type Out<'py, T> = Option<PyReadwriteArray1<'py, T>>;

fn rows<'a, T: Element>(
    array: &'a mut Out<'_, T>,
    width: usize,
    what: &str,
) -> PyResult<Rows<'a, T>> {
    let Some(array) = array else { return Ok(Rows::none()) };
    let data = array.as_slice_mut()?;
    if !data.len().is_multiple_of(width) {
        return Err(PyValueError::new_err(format!("expected {what} in rows of {width}")));
    }
    Ok(Rows::new(data, width))
}

/// A flat array that calls fill again and again.
type Buffer<T> = Option<Py<PyArray1<T>>>;

/// Declares a set of buffers, which Python makes once, and the same buffers borrowed for a call.
macro_rules! buffers {
    ($(#[$about:meta])* $name:ident, $borrowed:ident { $($field:ident: $value:ty,)+ }) => {
        $(#[$about])*
        #[pyclass(module = "fourfold._core", frozen)]
        pub(crate) struct $name {
            $($field: Buffer<$value>,)+
        }

        pub(crate) struct $borrowed<'py> {
            $($field: Out<'py, $value>,)+
        }

        #[pymethods]
        impl $name {
            /// Takes the arrays by name; those that are missing are not wanted.
            #[new]
            fn new(arrays: &Bound<'_, PyDict>) -> PyResult<$name> {
                Ok($name { $($field: buffer(arrays, stringify!($field))?,)+ })
            }
        }

        impl $name {
            pub(crate) fn borrow<'py>(&self, py: Python<'py>) -> PyResult<$borrowed<'py>> {
                Ok($borrowed { $($field: borrow(py, &self.$field)?,)+ })
            }
        }
    };
}

fn buffer<T: Element>(arrays: &Bound<'_, PyDict>, name: &str) -> PyResult<Buffer<T>> {
    let Some(array) = arrays.get_item(name)? else { return Ok(None) };
    Ok(Some(array.cast_into::<PyArray1<T>>()?.unbind()))
}

fn borrow<'py, T: Element>(py: Python<'py>, buffer: &Buffer<T>) -> PyResult<Out<'py, T>> {
    let Some(array) = buffer else { return Ok(None) };
    Ok(Some(array.bind(py).try_readwrite()?))
}

buffers! {
    /// The buffers for observations, at most one of them besides the scalars.
    ObservationBuffers, ObservationOut {
        packed: u8,
        bytes: u8,
        half: f16,
        float: f32,
        scalars: f32,
    }
}

buffers! {
    /// The buffers for masks, in at most one format.
    MaskBuffers, MaskOut {
        mask_bits: u8,
        mask_bools: bool,
        mask_counts: i32,
        mask_indices: i32,
    }
}

buffers! {
    /// The other buffers of a step.
    ResultBuffers, ResultOut {
        rewards: f32,
        scores: f32,
        alive: bool,
        terminated: bool,
        truncated: bool,
        current_player: i32,
        winner: i32,
        ending: i32,
        move_valid: bool,
        order_refused: bool,
    }
}

impl ObservationOut<'_> {
    /// Returns the buffers as rows of `views` observations each.
    fn rows(&mut self, spec: &Spec, views: usize) -> PyResult<ObservationRows<'_>> {
        let layout = &spec.observation;
        let [packed, width, scalars] =
            [layout.packed_bytes(), layout.values(), layout.scalars].map(|width| views * width);
        let values = if self.packed.is_some() {
            ValueRows::Packed(rows(&mut self.packed, packed, "observation")?)
        } else if self.bytes.is_some() {
            ValueRows::Bytes(rows(&mut self.bytes, width, "observation")?)
        } else if self.half.is_some() {
            ValueRows::Half(rows(&mut self.half, width, "observation")?)
        } else if self.float.is_some() {
            ValueRows::Float(rows(&mut self.float, width, "observation")?)
        } else {
            ValueRows::None
        };
        Ok(ObservationRows { values, scalars: rows(&mut self.scalars, scalars, "scalars")? })
    }
}

/// The buffers of a step, as Python passes them.
pub(crate) type StepBuffers<'a, 'py> = (
    &'a Bound<'py, ResultBuffers>,
    &'a Bound<'py, MaskBuffers>,
    &'a Bound<'py, ObservationBuffers>,
);

/// The buffers of a step, borrowed for a call.
pub(crate) struct StepOut<'py> {
    results: ResultOut<'py>,
    masks: MaskOut<'py>,
    observation: ObservationOut<'py>,
}

impl<'py> StepOut<'py> {
    pub(crate) fn new((results, masks, observation): StepBuffers<'_, 'py>) -> PyResult<Self> {
        let py = results.py();
        Ok(StepOut {
            results: results.get().borrow(py)?,
            masks: masks.get().borrow(py)?,
            observation: observation.get().borrow(py)?,
        })
    }

    pub(crate) fn outputs(&mut self, spec: &Spec) -> PyResult<Outputs<'_>> {
        let (masks, players) = (spec.mask_rows(), spec.players);
        let (results, given) = (&mut self.results, &mut self.masks);
        let mask = if given.mask_bits.is_some() {
            MaskRows::Packed(rows(&mut given.mask_bits, masks * spec.mask_bytes(), "mask")?)
        } else if given.mask_bools.is_some() {
            MaskRows::Bool(rows(&mut given.mask_bools, masks * spec.actions, "mask")?)
        } else {
            MaskRows::Sparse {
                counts: rows(&mut given.mask_counts, masks, "mask counts")?,
                indices: rows(&mut given.mask_indices, masks * spec.max_legal, "mask indices")?,
            }
        };
        Ok(Outputs {
            mask,
            observation: self.observation.rows(spec, masks)?,
            rewards: rows(&mut results.rewards, players, "rewards")?,
            scores: rows(&mut results.scores, players, "scores")?,
            alive: rows(&mut results.alive, players, "alive")?,
            terminated: rows(&mut results.terminated, 1, "terminated")?,
            truncated: rows(&mut results.truncated, 1, "truncated")?,
            current_player: rows(&mut results.current_player, 1, "current_player")?,
            winner: rows(&mut results.winner, 1, "winner")?,
            ending: rows(&mut results.ending, 1, "ending")?,
            move_valid: rows(&mut results.move_valid, 1, "move_valid")?,
            order_refused: rows(&mut results.order_refused, players, "order_refused")?,
        })
    }
}

/// Returns the options of a batch by their names.
pub(crate) fn batch_options(
    illegal: Option<&str>,
    autoreset: &str,
    threads: usize,
) -> PyResult<Options> {
    let rules = Illegal::ALL.map(|illegal| (illegal.name(), illegal));
    let illegal = illegal.map(|name| choice("illegal", name, &rules)).transpose()?;
    let times = [
        ("same_step", Autoreset::SameStep),
        ("next_step", Autoreset::NextStep),
        ("disabled", Autoreset::Disabled),
    ];
    Ok(Options { illegal, autoreset: choice("autoreset", autoreset, &times)?, threads })
}

/// Returns the options of a game as they are passed to `make`.
pub(crate) fn pairs(options: &[(String, String)]) -> Vec<(&str, &str)> {
    options.iter().map(|(name, value)| (&**name, &**value)).collect()
}

/// Returns the sizes and names that describe a batch.
pub(crate) fn describe<'py>(
    py: Python<'py>,
    batch: &dyn DescribedBatch,
) -> PyResult<Bound<'py, PyDict>> {
    let (spec, layout) = (batch.spec(), &batch.spec().observation);
    let dict = PyDict::new(py);
    dict.set_item("id", batch.id())?;
    dict.set_item("players", spec.players)?;
    dict.set_item("actions", spec.actions)?;
    dict.set_item("max_legal", spec.max_legal)?;
    dict.set_item("simultaneous", spec.simultaneous)?;
    dict.set_item("observation", (layout.height, layout.width, layout.channels.len()))?;
    dict.set_item("planes", (layout.planes, layout.plane_bytes()))?;
    dict.set_item("scalars", layout.scalars - layout.scalar_array_len())?;
    let array = layout.scalar_array.map(|array| (array.name, array.shape.to_vec()));
    dict.set_item("scalar_array", array)?;
    let channels = layout.channels.iter().map(|channel| match *channel {
        fourfold_env::Channel::Plane(index) => ("plane", index),
        // The index among the scalars that are not part of the separate array.
        fourfold_env::Channel::Scalar(index) => ("scalar", index - layout.scalar_array_len()),
        fourfold_env::Channel::Numbers => ("numbers", 0),
    });
    dict.set_item("channels", channels.collect::<Vec<_>>())?;
    dict.set_item("endings", batch.endings())?;
    dict.set_item("state_bytes", batch.state_bytes())?;
    dict.set_item("illegal", batch.options().illegal.map(Illegal::name))?;
    let arrays = batch.arrays().iter().map(|array| (array.name, array.shape.to_vec()));
    dict.set_item("arrays", arrays.collect::<Vec<_>>())?;
    Ok(dict)
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, num_envs, options, *, illegal, autoreset, num_threads))]
    fn new(
        py: Python<'_>,
        game: &str,
        num_envs: usize,
        options: Vec<(String, String)>,
        illegal: Option<&str>,
        autoreset: &str,
        num_threads: usize,
    ) -> PyResult<Batch> {
        let given = pairs(&options);
        let options = batch_options(illegal, autoreset, num_threads)?;
        let made = py.detach(|| make(game, &given, num_envs, options));
        Ok(Batch { inner: made.map_err(ToPython::to_python)? })
    }

    /// The sizes and names that describe the batch, as a dictionary.
    fn spec<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        describe(py, &*self.inner)
    }

    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) {
        py.detach(|| self.inner.reset(seed));
    }

    fn reset_where(&mut self, py: Python<'_>, mask: PyReadonlyArray1<'_, bool>) -> PyResult<()> {
        let mask = mask.as_slice()?;
        py.detach(|| self.inner.reset_where(mask)).map_err(ToPython::to_python)
    }

    fn reset_to(
        &mut self,
        py: Python<'_>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        positions: Vec<String>,
    ) -> PyResult<()> {
        let mask = mask.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
        let positions: Vec<&str> = positions.iter().map(String::as_str).collect();
        py.detach(|| self.inner.reset_to(mask, &positions)).map_err(ToPython::to_python)
    }

    fn reseed(&mut self, py: Python<'_>, seed: u64, first_game: u64) -> PyResult<()> {
        let seeds = Seeds::Shared { seed, first_game };
        py.detach(|| self.inner.reseed(seeds)).map_err(ToPython::to_python)
    }

    fn reseed_each(&mut self, py: Python<'_>, seeds: Vec<u64>) -> PyResult<()> {
        py.detach(|| self.inner.reseed(Seeds::Each(&seeds))).map_err(ToPython::to_python)
    }

    fn set_starts(&mut self, py: Python<'_>, starts: Vec<String>) -> PyResult<()> {
        let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
        py.detach(|| self.inner.set_starts(&starts)).map_err(ToPython::to_python)
    }

    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        results: &Bound<'_, ResultBuffers>,
        masks: &Bound<'_, MaskBuffers>,
        observation: &Bound<'_, ObservationBuffers>,
    ) -> PyResult<usize> {
        let actions = actions.as_slice()?;
        let mut out = StepOut::new((results, masks, observation))?;
        let outputs = out.outputs(self.inner.spec())?;
        py.detach(|| self.inner.step(actions, outputs)).map_err(ToPython::to_python)
    }

    fn write_outputs(
        &mut self,
        py: Python<'_>,
        results: &Bound<'_, ResultBuffers>,
        masks: &Bound<'_, MaskBuffers>,
        observation: &Bound<'_, ObservationBuffers>,
    ) -> PyResult<()> {
        let mut out = StepOut::new((results, masks, observation))?;
        let outputs = out.outputs(self.inner.spec())?;
        py.detach(|| self.inner.write_outputs(outputs)).map_err(ToPython::to_python)
    }

    fn observe(
        &mut self,
        py: Python<'_>,
        player: Option<usize>,
        observation: &ObservationBuffers,
    ) -> PyResult<()> {
        let mut out = observation.borrow(py)?;
        let spec = self.inner.spec();
        let views = if player.is_some() { 1 } else { spec.mask_rows() };
        let rows = out.rows(spec, views)?;
        py.detach(|| self.inner.observe(player, rows)).map_err(ToPython::to_python)
    }

    fn ended_games(&self) -> Vec<usize> {
        self.inner.ended_games()
    }

    fn final_observations(&self, py: Python<'_>, observation: &ObservationBuffers) -> PyResult<()> {
        let mut out = observation.borrow(py)?;
        let spec = self.inner.spec();
        let rows = out.rows(spec, spec.mask_rows())?;
        py.detach(|| self.inner.final_observations(rows)).map_err(ToPython::to_python)
    }

    fn unpack(
        &mut self,
        py: Python<'_>,
        planes: PyReadonlyArray1<'_, u8>,
        scalars: PyReadonlyArray1<'_, f32>,
        mut out: PyReadwriteArray1<'_, f32>,
    ) -> PyResult<()> {
        let (planes, scalars, out) = (planes.as_slice()?, scalars.as_slice()?, out.as_slice_mut()?);
        py.detach(|| self.inner.unpack(planes, scalars, out)).map_err(ToPython::to_python)
    }

    fn sample(
        &mut self,
        py: Python<'_>,
        seed: Option<u64>,
        mut out: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        py.detach(|| self.inner.sample(seed, out)).map_err(ToPython::to_python)
    }

    fn sample_logits(
        &mut self,
        py: Python<'_>,
        logits: PyReadonlyArray1<'_, f32>,
        temperature: f32,
        seed: Option<u64>,
        mut out: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let (logits, out) = (logits.as_slice()?, out.as_slice_mut()?);
        py.detach(|| self.inner.sample_logits(logits, temperature, seed, out))
            .map_err(ToPython::to_python)
    }

    fn texts(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.inner.texts())
    }

    fn write_actions(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
    ) -> PyResult<Vec<String>> {
        let actions = actions.as_slice()?;
        py.detach(|| self.inner.write_actions(actions)).map_err(ToPython::to_python)
    }

    fn read_actions(&self, py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<i32>> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        py.detach(|| self.inner.read_actions(&texts)).map_err(ToPython::to_python)
    }

    fn array(
        &self,
        py: Python<'_>,
        name: &str,
        mut out: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        py.detach(|| self.inner.array(name, out)).map_err(ToPython::to_python)
    }

    fn absolute(&self, py: Python<'_>, mut ids: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let ids = ids.as_slice_mut()?;
        py.detach(|| self.inner.absolute(ids));
        Ok(())
    }

    fn relative(&self, py: Python<'_>, mut ids: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let ids = ids.as_slice_mut()?;
        py.detach(|| self.inner.relative(ids));
        Ok(())
    }

    /// A game as SVG, seen from the seat with this index.
    fn svg(&self, game: usize, seat: usize, theme: &str, pixels: u32) -> PyResult<String> {
        Ok(games::picture(&*self.inner, game, (seat, theme, pixels))?.svg())
    }

    /// Plays the games with indices from `games[0]` up to, but not including, `games[1]`, and
    /// returns statistics of their results.
    fn rollout<'py>(
        &mut self,
        py: Python<'py>,
        games: (u64, u64),
        seed: u64,
        players: Option<Vec<RolloutPlayer>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let games = games.0..games.1.max(games.0);
        let bots = match players {
            None => (0..self.inner.spec().players).map(|_| None).collect(),
            Some(players) => BotPlayer::all(&*self.inner, &players)?,
        };
        let played = interruptible(py, |stop| {
            let seated: Vec<Option<StoppableBot<'_>>> =
                bots.iter().map(|bot| Some(bot.as_ref()?.with_stop(stop))).collect();
            let players: Vec<Option<&dyn Player>> =
                seated.iter().map(|bot| Some(bot.as_ref()? as &dyn Player)).collect();
            let stopped = || stop.load(Ordering::Relaxed);
            self.inner.play_games_with_stop(&players, games, seed, &stopped)
        })?;
        let rollout = played.map_err(ToPython::to_python)?;
        let spec = self.inner.spec();
        let dict = PyDict::new(py);
        dict.set_item("games", rollout.games)?;
        dict.set_item("steps", rollout.steps)?;
        dict.set_item("wins", rollout.wins[..spec.players].to_vec())?;
        dict.set_item("truncated", rollout.truncated)?;
        let endings: Vec<(&str, u64)> =
            self.inner.endings().into_iter().zip(rollout.endings).collect();
        dict.set_item("endings", endings)?;
        Ok(dict)
    }

    fn write_states(
        &self,
        py: Python<'_>,
        games: Vec<usize>,
        mut out: PyReadwriteArray1<'_, u8>,
    ) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        py.detach(|| self.inner.write_states(&games, out)).map_err(ToPython::to_python)
    }

    fn load_states(
        &mut self,
        py: Python<'_>,
        games: Vec<usize>,
        states: PyReadonlyArray1<'_, u8>,
    ) -> PyResult<()> {
        let states = states.as_slice()?;
        py.detach(|| self.inner.load_states(&games, states)).map_err(ToPython::to_python)
    }

    fn duplicate(&self, py: Python<'_>) -> PyResult<Batch> {
        let inner = py.detach(|| self.inner.duplicate()).map_err(ToPython::to_python)?;
        Ok(Batch { inner })
    }

    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| self.inner.save());
        PyBytes::new(py, &bytes)
    }

    fn load(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        py.detach(|| self.inner.load(bytes)).map_err(ToPython::to_python)
    }

    fn gather(&self, py: Python<'_>, games: Vec<usize>) -> PyResult<Batch> {
        let inner = py.detach(|| self.inner.gather(&games)).map_err(ToPython::to_python)?;
        Ok(Batch { inner })
    }

    fn scatter(
        &mut self,
        py: Python<'_>,
        games: Vec<usize>,
        other: PyRef<'_, Batch>,
    ) -> PyResult<()> {
        let from = &*other.inner;
        py.detach(|| self.inner.scatter(&games, from)).map_err(ToPython::to_python)
    }

    /// The symmetries of the game. Only Blokus has them.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let all = blokus::symmetries(&*self.inner)?;
        let players = self.inner.spec().players;
        all.iter().map(|symmetry| blokus::described(py, symmetry, players)).collect()
    }

    /// Converts our actions to ids of another package in place, or to −1 where there is none.
    fn write_dialect(
        &self,
        py: Python<'_>,
        dialect: &str,
        mut actions: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        self.change(py, &mut actions, dialect, |game, rules, dialect, action| {
            let action = Action(u32::from(action));
            game.to_dialect(rules, dialect, action).map(i32::from)
        })
    }

    /// Converts ids of another package to our actions in place, or to −1 where they are illegal.
    fn read_dialect(
        &self,
        py: Python<'_>,
        dialect: &str,
        mut ids: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        self.change(py, &mut ids, dialect, |game, rules, dialect, id| {
            i32::try_from(game.from_dialect(rules, dialect, id)?.0).ok()
        })
    }
}

impl Batch {
    /// Replaces the id of each game of chess with the result of `to`, or with −1 if there is none.
    fn change(
        &self,
        py: Python<'_>,
        ids: &mut PyReadwriteArray1<'_, i32>,
        dialect: &str,
        to: impl Fn(&Chess, &Rules, Dialect, u16) -> Option<i32> + Sync,
    ) -> PyResult<()> {
        let batch = self.inner.as_any().downcast_ref::<fourfold_env::Batch<Chess>>();
        let batch = batch.ok_or_else(|| PyTypeError::new_err("only chess has dialects"))?;
        let error = || unknown("invalid dialect", dialect, &["open_spiel", "pettingzoo", "leela"]);
        let dialect = Dialect::from_name(dialect).ok_or_else(error)?;
        let ids = ids.as_slice_mut()?;
        py.detach(|| {
            for (game, id) in batch.states().zip(ids) {
                let found = u16::try_from(*id).ok();
                let found = found.and_then(|found| to(game, batch.rules(), dialect, found));
                *id = found.unwrap_or(-1);
            }
        });
        Ok(())
    }
}

/// The version of each environment, and whether its players all act in every step, by name.
pub(crate) fn environments(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for game in fourfold_env::GAMES {
        let empty = make(game.name, &[], 0, Options::default()).map_err(ToPython::to_python)?;
        dict.set_item(game.name, (game.version, empty.spec().simultaneous))?;
    }
    Ok(dict)
}

/// For each of the 73 planes: the change of file, the change of rank, and the letter of the
/// underpromotion.
#[pyfunction]
pub(crate) fn chess_planes() -> Vec<(i32, i32, Option<char>)> {
    let letter =
        |plane: &fourfold_env::chess::labels::Plane| plane.underpromotion.map(|role| role.letter());
    PLANE.iter().map(|plane| (plane.files, plane.ranks, letter(plane))).collect()
}

/// The tables of the legacy interface for four-player chess: name, row length, and the rows one
/// after another.
#[pyfunction]
pub(crate) fn legacy_four_player_tables() -> Vec<(&'static str, usize, Vec<i16>)> {
    fourfold_env::four_player::legacy_tables::all()
}
