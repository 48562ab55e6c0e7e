//! A search of the games of a batch that writes into buffers owned by Python.

use std::sync::atomic::Ordering;
use std::time::Instant;

use fourfold_env::Spec;
use fourfold_search::{
    AnySearch, Evaluator, FirstPlayUrgency, Logits, Noise, Options, Playouts, SearchError, Uniform,
    search,
};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::batch::{Batch, MaskBuffers, ObservationBuffers, ResultBuffers, StepOut};
use crate::errors::{ToPython, unknown};
use crate::interrupt::{SHORT_CALL, interruptible};

/// A search with fewer simulations and the uniform evaluator takes a few milliseconds.
const SHORT_RUN: usize = 1000;

/// A search of the games of a batch.
#[pyclass(module = "fourfold._core")]
pub(crate) struct Search {
    inner: Box<dyn AnySearch>,
    spec: Spec,
    games: usize,
    simulations: u32,
    discount: f32,
}

type Ints<'py> = Bound<'py, PyArray1<i32>>;
type Floats<'py> = Bound<'py, PyArray1<f32>>;

/// Reads the options of a search from a dictionary.
fn options(given: &Bound<'_, PyDict>) -> PyResult<Options> {
    let noise = match get::<String>(given, "noise")?.as_str() {
        "none" => Noise::None,
        "dirichlet" => Noise::Dirichlet {
            alpha: get(given, "dirichlet_alpha")?,
            fraction: get(given, "dirichlet_fraction")?,
        },
        "gumbel" => Noise::Gumbel {
            max_num_considered_actions: get(given, "max_num_considered_actions")?,
            scale: get(given, "gumbel_scale")?,
            maxvisit_init: get(given, "maxvisit_init")?,
            value_scale: get(given, "value_scale")?,
        },
        other => return Err(unknown("invalid noise", other, &["none", "dirichlet", "gumbel"])),
    };
    Ok(Options {
        simulations: get(given, "num_simulations")?,
        pb_c_init: get(given, "pb_c_init")?,
        pb_c_base: get(given, "pb_c_base")?,
        first_play_urgency: match get(given, "fpu")? {
            Some(value) => FirstPlayUrgency::Value(value),
            None => FirstPlayUrgency::Parent { reduction: get(given, "reduction")? },
        },
        noise,
        virtual_loss: get(given, "virtual_loss")?,
        leaves_per_game: get(given, "leaves_per_game")?,
        discount: get(given, "discount")?,
        max_nodes: get(given, "max_nodes")?,
        keep_states: get(given, "keep_states")?,
        seed: get(given, "seed")?,
        threads: get(given, "num_threads")?,
    })
}

fn get<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyDict>, name: &str) -> PyResult<T> {
    given.as_any().get_item(name)?.extract().map_err(Into::into)
}

#[pymethods]
impl Search {
    #[new]
    fn new(batch: PyRef<'_, Batch>, options: &Bound<'_, PyDict>) -> PyResult<Search> {
        let (py, options) = (options.py(), self::options(options)?);
        let batch = &*batch.inner;
        let made = py.detach(|| search(batch, options));
        let made =
            made.ok_or_else(|| PyValueError::new_err("search does not support this game"))?;
        let inner = made.map_err(ToPython::to_python)?;
        let (spec, games) = (batch.spec().clone(), batch.games());
        let Options { simulations, discount, .. } = options;
        Ok(Search { inner, spec, games, simulations, discount })
    }

    /// Runs simulations and returns the number of leaves awaiting evaluation.
    fn leaves(&mut self, py: Python<'_>, batch: PyRef<'_, Batch>) -> PyResult<usize> {
        let batch = &*batch.inner;
        // Most calls are too short for a thread of their own.
        let start = Instant::now();
        let is_long = || start.elapsed() > SHORT_CALL;
        let mut found = py.detach(|| self.inner.leaves_with_stop(batch, &is_long));
        if found == Err(SearchError::Stopped) {
            let rest = interruptible(py, |stop| {
                self.inner.leaves_with_stop(batch, &|| stop.load(Ordering::Relaxed))
            });
            found = rest.inspect_err(|_| self.inner.clear())?;
        }
        found.map_err(ToPython::to_python)
    }

    fn write_outputs(
        &mut self,
        py: Python<'_>,
        mut games: PyReadwriteArray1<'_, i32>,
        results: &Bound<'_, ResultBuffers>,
        masks: &Bound<'_, MaskBuffers>,
        observation: &Bound<'_, ObservationBuffers>,
    ) -> PyResult<()> {
        let mut out = StepOut::new((results, masks, observation))?;
        let found = self.inner.leaf_games();
        let games = games.as_slice_mut()?;
        if games.len() != found.len() {
            let message = format!("expected {} leaves, got {}", found.len(), games.len());
            return Err(PyValueError::new_err(message));
        }
        games.copy_from_slice(&found);
        let outputs = out.outputs(&self.spec)?;
        py.detach(|| self.inner.write_outputs(outputs)).map_err(ToPython::to_python)
    }

    fn backup(
        &mut self,
        py: Python<'_>,
        logits: PyReadonlyArray1<'_, f32>,
        listed: bool,
        values: PyReadonlyArray1<'_, f32>,
    ) -> PyResult<()> {
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        let logits = if listed { Logits::Listed(logits) } else { Logits::Dense(logits) };
        py.detach(|| self.inner.backup(logits, values)).map_err(ToPython::to_python)
    }

    fn run(
        &mut self,
        py: Python<'_>,
        batch: PyRef<'_, Batch>,
        evaluator: &str,
        value: f32,
        playouts: u32,
        max_steps: u32,
    ) -> PyResult<()> {
        let evaluator = match evaluator {
            "uniform" => Evaluator::Uniform(Uniform { value }),
            "rollout" => {
                let discount = self.discount;
                Evaluator::Playouts(Playouts { count: playouts, max_steps, discount })
            }
            other => return Err(unknown("invalid evaluator", other, &["uniform", "rollout"])),
        };
        let batch = &*batch.inner;
        let is_short = self.games.saturating_mul(self.simulations as usize) < SHORT_RUN;
        let ran = if is_short && matches!(evaluator, Evaluator::Uniform(_)) {
            py.detach(|| self.inner.run(batch, evaluator))
        } else {
            let ran = interruptible(py, |stop| {
                self.inner.run_with_stop(batch, evaluator, &|| stop.load(Ordering::Relaxed))
            });
            ran.inspect_err(|_| self.inner.clear())?
        };
        ran.map_err(ToPython::to_python)
    }

    /// Writes the improved policy, with one probability per action of the game.
    fn policy(&self, py: Python<'_>, mut out: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
        self.inner.require_searched().map_err(ToPython::to_python)?;
        let out = out.as_slice_mut()?;
        let rows = self.spec.mask_rows();
        let expected = self.games * rows * self.spec.actions;
        if out.len() != expected {
            let message = format!("expected {expected} policy values, got {}", out.len());
            return Err(PyValueError::new_err(message));
        }
        py.detach(|| {
            out.fill(0.0);
            for (place, out) in out.chunks_exact_mut(self.spec.actions).enumerate() {
                for stats in self.inner.root_actions(place / rows, place % rows) {
                    out[stats.action.0 as usize] = stats.weight;
                }
            }
        });
        Ok(())
    }

    /// Returns the number of actions of each root, the actions, padded with −1 to rows of
    /// `max_legal`, their visits, and their values, priors and weights, padded with 0.
    fn root_stats<'py>(
        &self,
        py: Python<'py>,
    ) -> (Ints<'py>, Ints<'py>, Ints<'py>, [Floats<'py>; 3]) {
        let (rows, width) = (self.spec.mask_rows(), self.spec.max_legal);
        let length = self.games * rows * width;
        let (mut counts, mut actions) = (Vec::new(), vec![-1; length]);
        let (mut visits, mut numbers) = (vec![0; length], [(); 3].map(|()| vec![0.0; length]));
        for place in 0..self.games * rows {
            let found = self.inner.root_actions(place / rows, place % rows);
            counts.push(found.len() as i32);
            for (index, stats) in (place * width..).zip(found) {
                actions[index] = stats.action.0 as i32;
                visits[index] = stats.visits as i32;
                for (numbers, number) in
                    numbers.iter_mut().zip([stats.value, stats.prior, stats.weight])
                {
                    numbers[index] = number;
                }
            }
        }
        let [counts, actions, visits] = [counts, actions, visits].map(|list| list.into_pyarray(py));
        (counts, actions, visits, numbers.map(|list| list.into_pyarray(py)))
    }

    fn values(&self, mut out: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
        let players = self.spec.players;
        for (game, out) in out.as_slice_mut()?.chunks_exact_mut(players).enumerate() {
            out.copy_from_slice(&self.inner.values(game)[..players]);
        }
        Ok(())
    }

    fn visits(&self, mut out: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        let out = out.as_slice_mut()?.iter_mut();
        out.enumerate().for_each(|(game, out)| *out = self.inner.visits(game) as i32);
        Ok(())
    }

    fn actions(&mut self, temperature: f32, mut out: PyReadwriteArray1<'_, i32>) -> PyResult<()> {
        self.inner.actions(temperature, out.as_slice_mut()?).map_err(ToPython::to_python)
    }

    fn advance(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        py.detach(|| self.inner.advance(actions)).map_err(ToPython::to_python)
    }

    fn clear(&mut self) {
        self.inner.clear();
    }

    fn lines(&self, max_length: usize) -> Vec<Vec<String>> {
        (0..self.games).map(|game| self.inner.line(game, max_length)).collect()
    }

    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let memory = self.inner.memory();
        let sizes = [
            ("nodes", memory.nodes),
            ("edges", memory.edges),
            ("visited_edges", memory.visited_edges),
            ("used", memory.used),
            ("bytes", memory.bytes),
            ("node_bytes", memory.node_bytes),
            ("edge_bytes", memory.edge_bytes),
            ("visited_edge_bytes", memory.visited_edge_bytes),
        ];
        sizes.into_py_dict(py)
    }
}
