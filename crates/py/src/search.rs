//! A search of the games of a batch that writes into buffers owned by Python.

use fourfold_env::Spec;
use fourfold_search::{
    AnySearch, Evaluator, FirstPlayUrgency, Logits, Noise, Options, Playouts, Uniform, search,
};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::batch::{Batch, StepOut};
use crate::errors::{ToPython, unknown};

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
#[pyo3(from_item_all)]
struct SearchOptions {
    simulations: u32,
    c_init: f32,
    c_base: f32,
    /// The value of untried actions. If it is `None`, they have the value of the position minus
    /// `reduction`.
    untried: Option<f32>,
    reduction: f32,
    noise: String,
    alpha: f32,
    fraction: f32,
    considered: usize,
    gumbel_scale: f32,
    c_visit: f32,
    c_scale: f32,
    virtual_loss: f32,
    leaves_per_game: usize,
    discount: f32,
    max_nodes: usize,
    keep_states: bool,
    seed: u64,
    num_threads: usize,
}

impl SearchOptions {
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
                let names = ["none", "dirichlet", "gumbel"];
                return Err(unknown("invalid noise", other, &names));
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
    fn new(py: Python<'_>, batch: PyRef<'_, Batch>, options: SearchOptions) -> PyResult<Search> {
        let options = options.options()?;
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
            other => return Err(unknown("invalid evaluator", other, &["uniform", "rollout"])),
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
        let sizes = [
            ("nodes", memory.nodes),
            ("edges", memory.edges),
            ("tried_edges", memory.tried_edges),
            ("used", memory.used),
            ("bytes", memory.bytes),
            ("node_bytes", memory.node_bytes),
            ("edge_bytes", memory.edge_bytes),
            ("tried_bytes", memory.tried_bytes),
        ];
        sizes.into_py_dict(py)
    }
}
