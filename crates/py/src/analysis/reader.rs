//! Reads and analyzes positions in batches, without the GIL, for consumers of Arrow data.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use fourfold_chess::Position;
use fourfold_table::study::{self, FactSelection, Fault, Item, ItemLocation, Source, parallel_map};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyCapsule;
use thiserror::Error;

use super::arrow::{Array, BatchTooLarge};
use super::cells::Format;
use super::columns::{Batch, Entry, Plan, SourceKind};
use super::ffi::{schema_capsule, stream_capsule};
use crate::board::Table;
use crate::errors::{ToPython, choice};

/// The largest batch size. Larger batches could overflow Arrow's list offsets.
const MAX_ROWS: usize = 1 << 20;

/// Reads positions and analyzes them in batches.
#[pyclass(module = "fourfold._core")]
pub(crate) struct FactReader {
    state: Arc<Mutex<ReaderState>>,
    schema: Arc<Array>,
}

/// The options of a reader.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct ReaderOptions {
    facts: Option<String>,
    format: String,
    threads: Option<usize>,
    strict: bool,
    batch_size: usize,
}

/// A source of positions.
enum PositionSource {
    /// Python strings, which are read in place, and the number already read.
    Texts(Vec<PyBackedStr>, usize),
    /// Positions of boards, and the number already read.
    Boards(Vec<Position>, usize),
    /// A file.
    File(Source),
}

/// Positions to be analyzed on one thread.
enum Group<'a> {
    /// Strings, with the index of the first.
    Texts(&'a [PyBackedStr], usize),
    /// Positions, with the index of the first.
    Boards(&'a [Position], usize),
    Items(Vec<Item>),
}

impl PositionSource {
    const fn kind(&self) -> SourceKind {
        match self {
            PositionSource::Texts(..) => SourceKind::Texts,
            PositionSource::Boards(..) => SourceKind::Boards,
            PositionSource::File(source) => SourceKind::File(source.kind()),
        }
    }

    /// Returns one group for each thread, or fewer at the end.
    fn groups(&mut self, threads: usize, size: usize) -> Vec<Group<'_>> {
        match self {
            PositionSource::Texts(texts, taken) => next(texts, taken, threads, size, Group::Texts),
            PositionSource::Boards(boards, taken) => {
                next(boards, taken, threads, size, Group::Boards)
            }
            PositionSource::File(source) => {
                let next = || Some(source.by_ref().take(size).collect::<Vec<Item>>());
                let groups = std::iter::from_fn(next).take(threads);
                groups.take_while(|group| !group.is_empty()).map(Group::Items).collect()
            }
        }
    }
}

/// Returns the next groups of a list, one for each thread, each with the index of its first
/// element.
fn next<'a, T>(
    list: &'a [T],
    taken: &mut usize,
    threads: usize,
    size: usize,
    group: impl Fn(&'a [T], usize) -> Group<'a>,
) -> Vec<Group<'a>> {
    let start = *taken;
    *taken = list.len().min(start + threads * size);
    let parts = list[start..*taken].chunks(size).enumerate();
    parts.map(|(index, part)| group(part, start + index * size)).collect()
}

/// The remaining work.
struct ReaderState {
    source: PositionSource,
    plan: Plan,
    threads: usize,
    strict: bool,
    batch_size: usize,
    /// Batches that were made together with one already returned.
    ready: VecDeque<Batch>,
    /// Whether nothing comes after the batches in `ready`.
    done: bool,
}

/// The reason why there is no next batch.
#[derive(Error, Debug)]
enum Failure {
    #[error("{0}")]
    Fault(Fault),
    #[error(transparent)]
    TooLarge(BatchTooLarge),
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Fault(fault) => fault.to_python(),
            Failure::TooLarge(error) => error.to_python(),
        }
    }
}

impl ReaderState {
    /// Returns the next batch. Makes one batch per thread at a time.
    fn next(&mut self) -> Option<Result<Batch, Failure>> {
        if self.ready.is_empty() && !self.done {
            let groups = self.source.groups(self.threads, self.batch_size);
            self.done = groups.is_empty();
            let plan = &self.plan;
            let made = parallel_map(self.threads, &groups, |groups| {
                let batch = |group: &Group<'_>| match group {
                    Group::Texts(texts, first) => plan.batch(texts, |index, text| Entry {
                        at: ItemLocation::Index((first + index) as u64),
                        fen: Some(text),
                        position: study::position(text).map_err(|error| Fault {
                            place: format!("fens[{}]", first + index),
                            reason: error.to_string(),
                        }),
                    }),
                    Group::Boards(boards, first) => plan.batch(boards, |index, board| Entry {
                        at: ItemLocation::Index((first + index) as u64),
                        fen: None,
                        position: Ok(*board),
                    }),
                    Group::Items(items) => plan.batch(items, |_, item| Entry {
                        at: item.at,
                        fen: item.text(),
                        position: item.position(),
                    }),
                };
                groups.iter().map(batch).collect::<Result<Vec<_>, _>>()
            });
            for batches in made {
                match batches {
                    Ok(batches) => self.ready.extend(batches),
                    Err(error) => return self.fail(Failure::TooLarge(error)),
                }
            }
        }
        let batch = self.ready.pop_front()?;
        match batch.faults.first() {
            Some(fault) if self.strict => self.fail(Failure::Fault(fault.clone())),
            _ => Some(Ok(batch)),
        }
    }

    /// Stops for good.
    fn fail(&mut self, failure: Failure) -> Option<Result<Batch, Failure>> {
        self.ready.clear();
        self.done = true;
        Some(Err(failure))
    }
}

/// Locks the state, even if another thread has panicked while holding the lock.
fn lock(state: &Mutex<ReaderState>) -> MutexGuard<'_, ReaderState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl FactReader {
    /// Reads a list of FENs.
    #[staticmethod]
    fn fens(fens: Vec<PyBackedStr>, options: ReaderOptions) -> PyResult<FactReader> {
        FactReader::new(PositionSource::Texts(fens, 0), &options)
    }

    /// Reads a list of boards in their current positions.
    #[staticmethod]
    fn boards(boards: Vec<PyRef<'_, Table>>, options: ReaderOptions) -> PyResult<FactReader> {
        let positions = boards.iter().map(|board| board.chess_position());
        let positions = positions.collect::<PyResult<Vec<Position>>>()?;
        FactReader::new(PositionSource::Boards(positions, 0), &options)
    }

    /// Reads a file of FENs or PGN games.
    #[staticmethod]
    fn file(py: Python<'_>, path: PathBuf, options: ReaderOptions) -> PyResult<FactReader> {
        let source = py.detach(|| Source::file(&path))?;
        FactReader::new(PositionSource::File(source), &options)
    }

    fn __iter__(reader: PyRef<'_, Self>) -> PyRef<'_, Self> {
        reader
    }

    /// Returns the next batch, checking for Ctrl-C first.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Columns>> {
        py.check_signals()?;
        let next = py.detach(|| lock(&self.state).next()).transpose()?;
        let schema = Arc::clone(&self.schema);
        Ok(next.map(|Batch { rows, faults }| Columns { batches: vec![rows], schema, faults }))
    }

    /// Returns all remaining rows.
    fn rest(&self, py: Python<'_>) -> PyResult<Columns> {
        let schema = Arc::clone(&self.schema);
        let mut all = Columns { batches: Vec::new(), schema, faults: Vec::new() };
        while let Some(next) = self.__next__(py)? {
            all.batches.extend(next.batches);
            all.faults.extend(next.faults);
        }
        Ok(all)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    /// The remaining rows as a stream that is produced while it is read. The requested schema is
    /// ignored, which the protocol allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let state = Arc::clone(&self.state);
        // The consumer may or may not hold the GIL. It is released while a batch is made.
        let batches = std::iter::from_fn(move || {
            let next = Python::attach(|py| {
                py.check_signals()?;
                Ok(py.detach(|| lock(&state).next()))
            });
            match next {
                Ok(next) => Some(next?.map(|batch| batch.rows).map_err(|error| error.to_string())),
                Err(error) => Some(Err(PyErr::to_string(&error))),
            }
        });
        stream_capsule(py, Arc::clone(&self.schema), Box::new(batches))
    }
}

impl FactReader {
    fn new(source: PositionSource, options: &ReaderOptions) -> PyResult<FactReader> {
        let &ReaderOptions { threads, strict, batch_size, .. } = options;
        let chosen = match &options.facts {
            Some(names) => names.parse().map_err(ToPython::to_python)?,
            None => FactSelection::default(),
        };
        let formats = [("bits", Format::Bits), ("squares", Format::Squares)];
        let format = choice("format", &options.format, &formats)?;
        if threads == Some(0) {
            return Err(PyValueError::new_err("expected threads of at least 1, got 0"));
        }
        if !(1..=MAX_ROWS).contains(&batch_size) {
            let message = format!("expected batch_size from 1 to {MAX_ROWS}, got {batch_size}");
            return Err(PyValueError::new_err(message));
        }
        let threads =
            threads.unwrap_or_else(|| available_parallelism().map_or(1, |number| number.get()));
        let plan = Plan { chosen, format, source: source.kind() };
        let schema = plan.schema().map_err(ToPython::to_python)?;
        let (ready, done) = (VecDeque::new(), false);
        let state = ReaderState { source, plan, threads, strict, batch_size, ready, done };
        Ok(FactReader { state: Arc::new(Mutex::new(state)), schema })
    }
}

/// Arrow columns of facts, with the faults of positions that could not be read.
#[pyclass(module = "fourfold.chess", frozen)]
pub(crate) struct Columns {
    batches: Vec<Arc<Array>>,
    schema: Arc<Array>,
    faults: Vec<Fault>,
}

#[pymethods]
impl Columns {
    /// The positions that were skipped, each with its place and the reason.
    #[getter]
    fn faults(&self) -> Vec<String> {
        self.faults.iter().map(Fault::to_string).collect()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.schema.children.iter().map(|(name, _)| &**name).collect()
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(|batch| batch.len).sum()
    }

    fn __repr__(&self) -> String {
        let (rows, columns) = (self.__len__(), self.schema.children.len());
        format!("<Columns: {rows} positions, {columns} columns, {} faults>", self.faults.len())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    /// The rows as a stream, as many times as requested. The requested schema is ignored, which the
    /// protocol allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.batches.clone().into_iter().map(Ok);
        stream_capsule(py, Arc::clone(&self.schema), Box::new(batches))
    }
}
