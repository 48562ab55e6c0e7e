//! A search of the games of a batch that writes into buffers owned by Python.

use fourfold_env::Spec;
use fourfold_search::{
    AnySearch, Evaluator, FirstPlayUrgency, Logits, Noise, Options, Playouts, Uniform, search,
};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{Batch, StepOut};
use crate::errors::ToPython;

/// A search of the games of a batch.
#[pyclass(module = "fourfold._core")]
pub(crate) struct Search {
    inner: Box<dyn AnySearch>,
    spec: Spec,
    games: usize,
    discount: f32,
}

/// The options of a search.
#[derive(FromPyObject)]
struct Chosen {
    #[pyo3(item)]
    simulations: u32,
    #[pyo3(item)]
    c_init: f32,
    #[pyo3(item)]
    c_base: f32,
    /// The value of untried actions. If it is `None`, they have the value of the position minus
    /// `reduction`.
    #[pyo3(item)]
    untried: Option<f32>,
    #[pyo3(item)]
    reduction: f32,
    #[pyo3(item)]
    noise: String,
    #[pyo3(item)]
    alpha: f32,
    #[pyo3(item)]
    fraction: f32,
    #[pyo3(item)]
    considered: usize,
    #[pyo3(item)]
    gumbel_scale: f32,
    #[pyo3(item)]
    c_visit: f32,
    #[pyo3(item)]
    c_scale: f32,
    #[pyo3(item)]
    virtual_loss: f32,
    #[pyo3(item)]
    leaves_per_game: usize,
    #[pyo3(item)]
    discount: f32,
    #[pyo3(item)]
    max_nodes: usize,
    #[pyo3(item)]
    keep_states: bool,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    num_threads: usize,
}

impl Chosen {
    fn options(&self) -> PyResult<Options> {
        let noise = match self.noise.as_str() {
            "none" => Noise::None,
            "dirichlet" => Noise::Dirichlet { alpha: self.alpha, fraction: self.fraction },
            "gumbel" => Noise::Gumbel {
                considered: self.considered,
                scale: self.gumbel_scale,
                c_visit: self.c_visit,
                c_scale: self.c_scale,
            },
            other => {
                let message =
                    format!("invalid noise '{other}': expected one of none, dirichlet, gumbel");
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(Options {
            simulations: self.simulations,
            c_init: self.c_init,
            c_base: self.c_base,
            untried: match self.untried {
                Some(value) => FirstPlayUrgency::Value(value),
                None => FirstPlayUrgency::Parent { reduction: self.reduction },
            },
            noise,
            virtual_loss: self.virtual_loss,
            leaves_per_game: self.leaves_per_game,
            discount: self.discount,
            max_nodes: self.max_nodes,
            keep_states: self.keep_states,
            seed: self.seed,
            threads: self.num_threads,
        })
    }
}

#[pymethods]
impl Search {
    #[new]
    fn new(py: Python<'_>, batch: PyRef<'_, Batch>, chosen: Chosen) -> PyResult<Search> {
        let options = chosen.options()?;
        let batch = &*batch.inner;
        let made = py.detach(|| search(batch, options));
        let made =
            made.ok_or_else(|| PyValueError::new_err("search does not support this game"))?;
        let inner = made.map_err(ToPython::to_python)?;
        let (spec, games) = (batch.spec().clone(), batch.games());
        Ok(Search { inner, spec, games, discount: options.discount })
    }

    /// Runs simulations and returns the number of leaves awaiting evaluation.
    fn leaves(&mut self, py: Python<'_>, batch: PyRef<'_, Batch>) -> PyResult<usize> {
        let batch = &*batch.inner;
        py.detach(|| self.inner.leaves(batch)).map_err(ToPython::to_python)
    }

    fn show(
        &mut self,
        py: Python<'_>,
        mut games: PyReadwriteArray1<'_, i32>,
        mut out: StepOut<'_>,
    ) -> PyResult<()> {
        let found = self.inner.leaf_games();
        let games = games.as_slice_mut()?;
        if games.len() != found.len() {
            let message = format!("expected {} leaves, got {}", found.len(), games.len());
            return Err(PyValueError::new_err(message));
        }
        games.copy_from_slice(&found);
        let outputs = out.outputs(&self.spec)?;
        py.detach(|| self.inner.show(outputs)).map_err(ToPython::to_python)
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
            other => {
                let message =
                    format!("invalid evaluator '{other}': expected one of uniform, rollout");
                return Err(PyValueError::new_err(message));
            }
        };
        let batch = &*batch.inner;
        py.detach(|| self.inner.run(batch, evaluator)).map_err(ToPython::to_python)
    }

    /// Writes the improved policy, with one probability per action of the game.
    fn policy(&self, py: Python<'_>, mut out: PyReadwriteArray1<'_, f32>) -> PyResult<()> {
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
                for tried in self.inner.tried(place / rows, place % rows) {
                    out[tried.action.0 as usize] = tried.weight;
                }
            }
        });
        Ok(())
    }

    /// Writes the actions of each root and their statistics, in rows of `max_legal`.
    #[allow(clippy::too_many_arguments, reason = "one array for each statistic")]
    fn tried(
        &self,
        mut counts: PyReadwriteArray1<'_, i32>,
        mut actions: PyReadwriteArray1<'_, i32>,
        mut visits: PyReadwriteArray1<'_, i32>,
        mut values: PyReadwriteArray1<'_, f32>,
        mut priors: PyReadwriteArray1<'_, f32>,
        mut weights: PyReadwriteArray1<'_, f32>,
    ) -> PyResult<()> {
        let (rows, width) = (self.spec.mask_rows(), self.spec.max_legal);
        let counts = counts.as_slice_mut()?;
        let (actions, visits) = (actions.as_slice_mut()?, visits.as_slice_mut()?);
        let (values, priors) = (values.as_slice_mut()?, priors.as_slice_mut()?);
        let weights = weights.as_slice_mut()?;
        let all = [actions.len(), visits.len(), values.len(), priors.len(), weights.len()];
        let places = self.games * rows;
        if counts.len() != places || all.iter().any(|&length| length != places * width) {
            let message = format!("expected arrays of {places} rows of {width} values");
            return Err(PyValueError::new_err(message));
        }
        for (place, count) in counts.iter_mut().enumerate() {
            let tried = self.inner.tried(place / rows, place % rows);
            *count = tried.len() as i32;
            for (index, one) in (place * width..).zip(tried) {
                actions[index] = one.action.0 as i32;
                visits[index] = one.visits as i32;
                values[index] = one.value;
                priors[index] = one.prior;
                weights[index] = one.weight;
            }
        }
        Ok(())
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

    fn forget(&mut self) {
        self.inner.forget();
    }

    fn lines(&self, longest: usize) -> Vec<Vec<String>> {
        (0..self.games).map(|game| self.inner.line(game, longest)).collect()
    }

    fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let memory = self.inner.memory();
        let dict = PyDict::new(py);
        dict.set_item("nodes", memory.nodes)?;
        dict.set_item("edges", memory.edges)?;
        dict.set_item("tried_edges", memory.tried_edges)?;
        dict.set_item("used", memory.used)?;
        dict.set_item("bytes", memory.bytes)?;
        dict.set_item("node_bytes", memory.node_bytes)?;
        dict.set_item("edge_bytes", memory.edge_bytes)?;
        dict.set_item("tried_bytes", memory.tried_bytes)?;
        Ok(dict)
    }
}
