//! Environments inside functions that JAX compiles: what XLA calls to start, step and observe games
//! whose states are arrays of bytes. The options come as an attribute of the call, so nothing is kept
//! between calls but what can be made again.

mod config;
mod device_handlers;
mod ffi;
mod handlers;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::ToPython;
use device_handlers::{cuda, emulated};

/// The functions that XLA calls, as capsules by name: those for the CPU, those for GPUs, and those for GPUs that run on the
/// CPU.
#[pyfunction]
pub(crate) fn xla_handlers(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let sets = [handlers::all(py)?, cuda::all(py)?, emulated::all(py)?];
    sets.into_iter()
        .map(|set| {
            let dict = PyDict::new(py);
            set.into_iter().try_for_each(|(name, capsule)| dict.set_item(name, capsule))?;
            Ok(dict)
        })
        .collect()
}

/// The size of a row, which contains a state, in bytes.
#[pyfunction]
pub(crate) fn xla_row_bytes(config: &str) -> PyResult<usize> {
    Ok(config::Config::get(config).map_err(PyValueError::new_err)?.games.row_bytes())
}

/// The states in rows, as `Batch.write_states` writes them; `size` is that of one state.
#[pyfunction]
pub(crate) fn xla_states<'py>(
    py: Python<'py>,
    config: &str,
    rows: &[u8],
    size: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let config = config::Config::get(config).map_err(PyValueError::new_err)?;
    let mut states = vec![0; rows.len() / config.games.row_bytes() * size];
    config.games.write_states(rows, &mut states).map_err(ToPython::to_python)?;
    Ok(PyBytes::new(py, &states))
}
