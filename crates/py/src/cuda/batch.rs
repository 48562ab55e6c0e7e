//! A batch of games on a GPU that writes into device memory owned by Python.
#![allow(unsafe_code, reason = "outputs are passed as addresses")]

use std::collections::HashMap;

use fourfold_cuda::{Address, AnyBatch, Format, Mask, Observation, Outputs, ReportArrays, make};
use fourfold_env::{Seeds, Spec};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::dlpack::Tensor;
use super::memory::{Device, DeviceBuffer};
use crate::batch::{Batch, batch_options, describe, pairs};
use crate::errors::ToPython;

/// A batch of games on a GPU.
#[pyclass(module = "fourfold._core")]
pub(crate) struct CudaBatch {
    inner: Box<dyn AnyBatch>,
}

/// Arrays in one buffer, by their names.
#[pyclass(module = "fourfold._core", frozen)]
pub(crate) struct CudaBuffers {
    buffer: Py<DeviceBuffer>,
    /// There are so few that a search takes less time than computing a hash.
    offsets: Vec<(String, usize)>,
}

#[pymethods]
impl CudaBuffers {
    /// Takes a buffer and the offset of each array in bytes.
    #[new]
    fn new(buffer: Py<DeviceBuffer>, offsets: HashMap<String, usize>) -> CudaBuffers {
        CudaBuffers { buffer, offsets: offsets.into_iter().collect() }
    }
}

/// Returns the address of an array in a buffer.
///
/// # Errors
/// Returns an error if the buffer does not have this many bytes there.
fn address(buffer: &DeviceBuffer, offset: usize, name: &str, bytes: usize) -> PyResult<u64> {
    let memory = &buffer.memory;
    // Masks are written in units of 16 bytes.
    let end = bytes.checked_next_multiple_of(16).and_then(|bytes| bytes.checked_add(offset));
    if !offset.is_multiple_of(16) || end.is_none_or(|end| end > memory.len()) {
        let message = format!("expected {bytes} bytes for {name} at a multiple of 16");
        return Err(PyValueError::new_err(message));
    }
    Ok(memory.address() + offset as u64)
}

impl CudaBuffers {
    /// Returns the address of an array, or 0 if there is none of this name.
    ///
    /// # Errors
    /// Returns an error if the buffer does not have this many bytes there.
    fn address(&self, name: &str, bytes: usize) -> PyResult<u64> {
        match self.offsets.iter().find(|(found, _)| found == name) {
            Some(&(_, offset)) => address(self.buffer.get(), offset, name, bytes),
            None => Ok(0),
        }
    }

    fn array<T>(&self, name: &str, count: usize) -> PyResult<Address<T>> {
        self.address(name, count * size_of::<T>()).map(Address::new)
    }

    /// Returns where `rows` observations go.
    fn observation(&self, spec: &Spec, rows: usize) -> PyResult<Observation> {
        let layout = &spec.observation;
        let values = rows * layout.values();
        let formats = [
            (Format::Packed, "packed", rows * layout.packed_bytes()),
            (Format::U8, "bytes", values),
            (Format::F16, "half", 2 * values),
            (Format::Bf16, "bfloat", 2 * values),
            (Format::F32, "float", 4 * values),
        ];
        let scalars = self.address("scalars", 4 * rows * layout.scalars)?;
        for (format, name, bytes) in formats {
            let values = self.address(name, bytes)?;
            if values != 0 {
                return Ok(Observation { format, values, scalars });
            }
        }
        Ok(Observation { scalars, ..Observation::NONE })
    }
}

#[pymethods]
impl CudaBatch {
    #[new]
    #[pyo3(signature = (device, game, num_envs, options, *, illegal, autoreset, num_threads))]
    #[expect(clippy::too_many_arguments, reason = "passed by name, as to `Batch`")]
    fn new(
        py: Python<'_>,
        device: &Device,
        game: &str,
        num_envs: usize,
        options: Vec<(String, String)>,
        illegal: Option<&str>,
        autoreset: &str,
        num_threads: usize,
    ) -> PyResult<CudaBatch> {
        let given = pairs(&options);
        let options = batch_options(illegal, autoreset, num_threads)?;
        let made = py.detach(|| make(&device.inner, game, &given, num_envs, options));
        Ok(CudaBatch { inner: made.map_err(ToPython::to_python)? })
    }

    /// The sizes and names that describe the batch, as a dictionary.
    fn spec<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        describe(py, self.inner.host())
    }

    fn set_starts(&mut self, py: Python<'_>, starts: Vec<String>) -> PyResult<()> {
        let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
        py.detach(|| self.inner.set_starts(&starts)).map_err(ToPython::to_python)
    }

    fn reset(&mut self, py: Python<'_>, mask: Option<PyReadonlyArray1<'_, bool>>) -> PyResult<()> {
        let mask = mask.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
        if let Some(mask) = mask
            && mask.len() != self.inner.games()
        {
            let (expected, found) = (self.inner.games(), mask.len());
            return Err(PyValueError::new_err(format!("expected {expected} flags, got {found}")));
        }
        py.detach(|| {
            let Some(mask) = mask else {
                // SAFETY: there is no address.
                return unsafe { self.inner.reset(0) };
            };
            let bytes: Vec<u8> = mask.iter().map(|&chosen| chosen.into()).collect();
            let chosen = self.inner.device().upload(&bytes)?;
            // SAFETY: there is a byte for each game, and the buffer lives until the kernels have run.
            unsafe { self.inner.reset(chosen.address())? };
            self.inner.device().synchronize()
        })
        .map_err(ToPython::to_python)
    }

    fn reseed(&mut self, py: Python<'_>, seed: u64, first_game: u64) -> PyResult<()> {
        let seeds = Seeds::Shared { seed, first_game };
        py.detach(|| self.inner.reseed(seeds)).map_err(ToPython::to_python)
    }

    fn reseed_each(&mut self, py: Python<'_>, seeds: Vec<u64>) -> PyResult<()> {
        py.detach(|| self.inner.reseed(Seeds::Each(&seeds))).map_err(ToPython::to_python)
    }

    /// Plays the actions in a buffer, from an offset in bytes on.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: (Py<DeviceBuffer>, usize),
        results: &CudaBuffers,
        masks: &CudaBuffers,
        observation: &CudaBuffers,
    ) -> PyResult<()> {
        let address = address(actions.0.get(), actions.1, "actions", 4 * self.rows())?;
        let out = self.outputs(results, masks, observation)?;
        // SAFETY: all sizes were checked. Memory is freed only when the kernels have run.
        py.detach(|| unsafe { self.inner.step(address, &out) }).map_err(ToPython::to_python)
    }

    /// Plays the actions in an array of another package.
    fn step_tensor(
        &mut self,
        py: Python<'_>,
        actions: &Tensor,
        results: &CudaBuffers,
        masks: &CudaBuffers,
        observation: &CudaBuffers,
    ) -> PyResult<()> {
        let address = actions.integers(results.buffer.get().place, self.rows())?;
        let out = self.outputs(results, masks, observation)?;
        // SAFETY: all sizes were checked. The producer frees memory in the order of the stream.
        py.detach(|| unsafe { self.inner.step(address, &out) }).map_err(ToPython::to_python)
    }

    fn write_outputs(
        &mut self,
        py: Python<'_>,
        results: &CudaBuffers,
        masks: &CudaBuffers,
        observation: &CudaBuffers,
    ) -> PyResult<()> {
        let out = self.outputs(results, masks, observation)?;
        // SAFETY: all sizes were checked. Memory is freed only when the kernels have run.
        py.detach(|| unsafe { self.inner.write_outputs(&out) }).map_err(ToPython::to_python)
    }

    fn observe(
        &mut self,
        py: Python<'_>,
        player: Option<usize>,
        observation: &CudaBuffers,
    ) -> PyResult<()> {
        let rows = if player.is_some() { self.inner.games() } else { self.rows() };
        let out = observation.observation(self.inner.host().spec(), rows)?;
        // SAFETY: all sizes were checked. Memory is freed only when the kernels have run.
        py.detach(|| unsafe { self.inner.observe(player, out) }).map_err(ToPython::to_python)
    }

    /// Draws actions into the array `actions` of a buffer.
    fn sample(&mut self, py: Python<'_>, seed: Option<u64>, out: &CudaBuffers) -> PyResult<()> {
        let address = out.address("actions", 4 * self.rows())?;
        // SAFETY: the size was checked. Memory is freed only when the kernels have run.
        py.detach(|| unsafe { self.inner.sample(seed, address) }).map_err(ToPython::to_python)
    }

    /// Draws actions by the logits in a buffer, from an offset in bytes on.
    fn sample_logits(
        &mut self,
        py: Python<'_>,
        logits: (Py<DeviceBuffer>, usize),
        temperature: f32,
        seed: Option<u64>,
        out: &CudaBuffers,
    ) -> PyResult<()> {
        let logits = address(logits.0.get(), logits.1, "logits", 4 * self.logits())?;
        self.draw_by_logits(py, logits, temperature, seed, out)
    }

    /// Draws actions by the logits in an array of another package.
    fn sample_logits_tensor(
        &mut self,
        py: Python<'_>,
        logits: &Tensor,
        temperature: f32,
        seed: Option<u64>,
        out: &CudaBuffers,
    ) -> PyResult<()> {
        let logits = logits.floats(out.buffer.get().place, self.logits())?;
        self.draw_by_logits(py, logits, temperature, seed, out)
    }

    /// Waits for all kernels, and reports an illegal action of an earlier step.
    fn synchronize(&mut self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.inner.synchronize()).map_err(ToPython::to_python)
    }

    fn ended_games(&mut self, py: Python<'_>) -> PyResult<Vec<usize>> {
        py.detach(|| self.inner.ended_games()).map_err(ToPython::to_python)
    }

    /// Writes the final observations of games that ended in the latest step.
    fn final_observations(
        &mut self,
        py: Python<'_>,
        games: Vec<usize>,
        observation: &CudaBuffers,
    ) -> PyResult<()> {
        if let Some(game) = games.iter().find(|&&game| game >= self.inner.games()) {
            return Err(PyValueError::new_err(format!("game {game} is out of range")));
        }
        let spec = self.inner.host().spec();
        let out = observation.observation(spec, games.len() * spec.mask_rows())?;
        // SAFETY: all sizes were checked.
        py.detach(|| unsafe { self.inner.final_observations(&games, out) })
            .map_err(ToPython::to_python)
    }

    /// Copies all games to a batch on the CPU.
    fn host_copy(&mut self, py: Python<'_>) -> PyResult<Batch> {
        let copied = py.detach(|| {
            self.inner.synchronize()?;
            self.inner.to_host()
        });
        Ok(Batch { inner: copied.map_err(ToPython::to_python)? })
    }

    /// Copies games to a batch on the CPU.
    fn host_copy_of(&mut self, py: Python<'_>, games: Vec<usize>) -> PyResult<Batch> {
        let copied = py.detach(|| {
            self.inner.synchronize()?;
            self.inner.games_to_host(&games)
        });
        Ok(Batch { inner: copied.map_err(ToPython::to_python)? })
    }

    /// Copies all games from a batch on the CPU.
    fn load_host(&mut self, py: Python<'_>, other: PyRef<'_, Batch>) -> PyResult<()> {
        let from = &*other.inner;
        py.detach(|| self.inner.load_host(from)).map_err(ToPython::to_python)
    }
}

impl CudaBatch {
    /// Returns the number of actions of a step.
    fn rows(&self) -> usize {
        self.inner.games() * self.inner.host().spec().mask_rows()
    }

    /// Returns the number of logits of all rows.
    fn logits(&self) -> usize {
        self.rows() * self.inner.host().spec().actions
    }

    fn draw_by_logits(
        &mut self,
        py: Python<'_>,
        logits: u64,
        temperature: f32,
        seed: Option<u64>,
        out: &CudaBuffers,
    ) -> PyResult<()> {
        let address = out.address("actions", 4 * self.rows())?;
        // SAFETY: all sizes were checked. Memory is freed only when the kernels have run, or by its
        // producer in the order of the stream.
        py.detach(|| unsafe { self.inner.sample_logits(logits, temperature, seed, address) })
            .map_err(ToPython::to_python)
    }

    fn outputs(
        &self,
        results: &CudaBuffers,
        masks: &CudaBuffers,
        observation: &CudaBuffers,
    ) -> PyResult<Outputs> {
        let (spec, games, rows) = (self.inner.host().spec(), self.inner.games(), self.rows());
        let each = games * spec.players;
        let bits = masks.address("mask_bits", rows * spec.mask_bytes())?;
        let bools = masks.address("mask_bools", rows * spec.actions)?;
        let counts = masks.address("mask_counts", 4 * rows)?;
        let indices = masks.address("mask_indices", 4 * rows * spec.max_legal)?;
        Ok(Outputs {
            report: ReportArrays {
                rewards: results.array("rewards", each)?,
                scores: results.array("scores", each)?,
                alive: results.array("alive", each)?,
                order_refused: results.array("order_refused", each)?,
                terminated: results.array("terminated", games)?,
                truncated: results.array("truncated", games)?,
                winner: results.array("winner", games)?,
                ending: results.array("ending", games)?,
                move_valid: results.array("move_valid", games)?,
                current_player: results.array("current_player", games)?,
            },
            mask: match (bits, bools, counts, indices) {
                (0, 0, 0, _) | (0, 0, _, 0) => Mask::None,
                (0, 0, counts, indices) => Mask::Sparse { counts, indices },
                (0, bools, ..) => Mask::Bool(bools),
                (bits, ..) => Mask::Packed(bits),
            },
            observation: observation.observation(spec, rows)?,
        })
    }
}
