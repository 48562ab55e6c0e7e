//! A batch of games that writes into buffers owned by Python.

use fourfold_env::chess::dialects::Dialect;
use fourfold_env::chess::labels::PLANE;
use fourfold_env::chess::{Chess, Rules};
use fourfold_env::{
    Action, AnyBatch, Autoreset, Illegal, MaskRows, ObservationRows, Options, Outputs, Player,
    Rows, Spec, ValueRows, make,
};
use half::f16;
use numpy::{Element, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::blokus;
use crate::bots::BotPlayer;
use crate::errors::{ToPython, choice, unknown};
use crate::games;

/// A batch of games.
#[pyclass(module = "fourfold._core")]
pub(crate) struct Batch {
    pub(crate) inner: Box<dyn AnyBatch>,
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
    if width == 0 || !data.len().is_multiple_of(width) {
        return Err(PyValueError::new_err(format!("expected {what} in rows of {width}")));
    }
    Ok(Rows::new(data, width))
}

/// The buffers for observations, at most one of them besides the scalars.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ObservationOut<'py> {
    packed: Out<'py, u8>,
    bytes: Out<'py, u8>,
    half: Out<'py, f16>,
    float: Out<'py, f32>,
    scalars: Out<'py, f32>,
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

/// All output buffers of a step, with masks in at most one format.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct StepOut<'py> {
    observation: ObservationOut<'py>,
    mask_bits: Out<'py, u8>,
    mask_bools: Out<'py, bool>,
    mask_counts: Out<'py, i32>,
    mask_indices: Out<'py, i32>,
    rewards: Out<'py, f32>,
    scores: Out<'py, f32>,
    alive: Out<'py, bool>,
    terminated: Out<'py, bool>,
    truncated: Out<'py, bool>,
    current_player: Out<'py, i32>,
    winner: Out<'py, i32>,
    ending: Out<'py, i32>,
    move_valid: Out<'py, bool>,
    order_refused: Out<'py, bool>,
}

impl StepOut<'_> {
    pub(crate) fn outputs(&mut self, spec: &Spec) -> PyResult<Outputs<'_>> {
        let (masks, players) = (spec.mask_rows(), spec.players);
        let mask = if self.mask_bits.is_some() {
            MaskRows::Packed(rows(&mut self.mask_bits, masks * spec.mask_bytes(), "mask")?)
        } else if self.mask_bools.is_some() {
            MaskRows::Bool(rows(&mut self.mask_bools, masks * spec.actions, "mask")?)
        } else {
            MaskRows::Sparse {
                counts: rows(&mut self.mask_counts, masks, "mask counts")?,
                indices: rows(&mut self.mask_indices, masks * spec.max_legal, "mask indices")?,
            }
        };
        Ok(Outputs {
            mask,
            observation: self.observation.rows(spec, masks)?,
            rewards: rows(&mut self.rewards, players, "rewards")?,
            scores: rows(&mut self.scores, players, "scores")?,
            alive: rows(&mut self.alive, players, "alive")?,
            terminated: rows(&mut self.terminated, 1, "terminated")?,
            truncated: rows(&mut self.truncated, 1, "truncated")?,
            current_player: rows(&mut self.current_player, 1, "current_player")?,
            winner: rows(&mut self.winner, 1, "winner")?,
            ending: rows(&mut self.ending, 1, "ending")?,
            move_valid: rows(&mut self.move_valid, 1, "move_valid")?,
            order_refused: rows(&mut self.order_refused, players, "order_refused")?,
        })
    }
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
        let rules = Illegal::ALL.map(|illegal| (illegal.name(), illegal));
        let illegal = illegal.map(|name| choice("illegal", name, &rules)).transpose()?;
        let times = [
            ("same_step", Autoreset::SameStep),
            ("next_step", Autoreset::NextStep),
            ("disabled", Autoreset::Disabled),
        ];
        let autoreset = choice("autoreset", autoreset, &times)?;
        let given: Vec<(&str, &str)> =
            options.iter().map(|(name, value)| (&**name, &**value)).collect();
        let options = Options { illegal, autoreset, threads: num_threads };
        let made = py.detach(|| make(game, &given, num_envs, options));
        Ok(Batch { inner: made.map_err(ToPython::to_python)? })
    }

    /// The sizes and names that describe the batch, as a dictionary.
    fn spec<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (spec, layout) = (self.inner.spec(), &self.inner.spec().observation);
        let dict = PyDict::new(py);
        dict.set_item("id", self.inner.id())?;
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
        dict.set_item("endings", spec.endings)?;
        dict.set_item("illegal", self.inner.options().illegal.map(Illegal::name))?;
        let arrays = spec.arrays.iter().map(|array| (array.name, array.shape.to_vec()));
        dict.set_item("arrays", arrays.collect::<Vec<_>>())?;
        Ok(dict)
    }

    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) {
        py.detach(|| self.inner.reset(seed));
    }

    fn reset_some(
        &mut self,
        py: Python<'_>,
        mask: Option<PyReadonlyArray1<'_, bool>>,
        positions: Option<Vec<String>>,
    ) -> PyResult<()> {
        let mask = mask.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
        let positions: Option<Vec<&str>> =
            positions.as_ref().map(|texts| texts.iter().map(String::as_str).collect());
        py.detach(|| self.inner.reset_some(mask, positions.as_deref())).map_err(ToPython::to_python)
    }

    fn set_starts(&mut self, py: Python<'_>, starts: Vec<String>) -> PyResult<()> {
        let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
        py.detach(|| self.inner.set_starts(&starts)).map_err(ToPython::to_python)
    }

    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i32>,
        mut out: StepOut<'_>,
    ) -> PyResult<usize> {
        let actions = actions.as_slice()?;
        let outputs = out.outputs(self.inner.spec())?;
        py.detach(|| self.inner.step(actions, outputs)).map_err(ToPython::to_python)
    }

    fn write_outputs(&mut self, py: Python<'_>, mut out: StepOut<'_>) -> PyResult<()> {
        let outputs = out.outputs(self.inner.spec())?;
        py.detach(|| self.inner.write_outputs(outputs)).map_err(ToPython::to_python)
    }

    fn observe(
        &self,
        py: Python<'_>,
        player: Option<usize>,
        mut out: ObservationOut<'_>,
    ) -> PyResult<()> {
        let spec = self.inner.spec();
        let views = if player.is_some() { 1 } else { spec.mask_rows() };
        let rows = out.rows(spec, views)?;
        py.detach(|| self.inner.observe(player, rows)).map_err(ToPython::to_python)
    }

    fn final_observations(&self, py: Python<'_>, mut out: ObservationOut<'_>) -> PyResult<()> {
        let spec = self.inner.spec();
        let rows = out.rows(spec, spec.mask_rows())?;
        py.detach(|| self.inner.final_observations(rows)).map_err(ToPython::to_python)
    }

    fn sample(
        &mut self,
        py: Python<'_>,
        seed: Option<u64>,
        mut out: PyReadwriteArray1<'_, i32>,
    ) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        py.detach(|| self.inner.sample(seed, out));
        Ok(())
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
        players: Option<Vec<(String, Option<u64>)>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let games = games.0..games.1.max(games.0);
        let rollout = match players {
            None => py.detach(|| self.inner.rollout(games, seed)),
            Some(players) => {
                let seated = BotPlayer::all(&*self.inner, &players)?;
                py.detach(|| {
                    let players: Vec<Option<&dyn Player>> = seated
                        .iter()
                        .map(|one| one.as_ref().map(|one| one as &dyn Player))
                        .collect();
                    self.inner.play_games(&players, games, seed)
                })
                .map_err(ToPython::to_python)?
            }
        };
        let spec = self.inner.spec();
        let dict = PyDict::new(py);
        dict.set_item("games", rollout.games)?;
        dict.set_item("steps", rollout.steps)?;
        dict.set_item("wins", rollout.wins[..spec.players].to_vec())?;
        dict.set_item("truncated", rollout.truncated)?;
        let endings: Vec<(&str, u64)> = spec.endings.iter().copied().zip(rollout.endings).collect();
        dict.set_item("endings", endings)?;
        Ok(dict)
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
