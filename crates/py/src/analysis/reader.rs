//! Reads and analyzes positions in batches, without the GIL, for consumers of Arrow data.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
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
use crate::interrupt::interruptible;

/// The largest batch size. Larger batches could overflow Arrow's list offsets.
const MAX_ROWS: usize = 1 << 20;

/// The number of positions that are analyzed in a few milliseconds.
const LONG_CALL_ROWS: usize = 1024;

/// Reads positions and analyzes them in batches.
#[pyclass(module = "fourfold._core")]
pub(crate) struct FactReader {
    state: Arc<Mutex<ReaderState>>,
    schema: Arc<Array>,
    /// Whether making batches takes so long that it must be interruptible.
    takes_long: bool,
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
    /// A file, and the positions that were read from it but not yet analyzed.
    File(Source, Vec<Item>),
}

/// Positions to be analyzed on one thread.
enum Group<'a> {
    /// Strings, with the index of the first.
    Texts(&'a [PyBackedStr], usize),
    /// Positions, with the index of the first.
    Boards(&'a [Position], usize),
    Items(&'a [Item]),
}

impl PositionSource {
    const fn kind(&self) -> SourceKind {
        match self {
            PositionSource::Texts(..) => SourceKind::Texts,
            PositionSource::Boards(..) => SourceKind::Boards,
            PositionSource::File(source, _) => SourceKind::File(source.kind()),
        }
    }

    /// Returns the next `count` positions in groups of `size`, or fewer at the end or if it should
    /// stop. They are returned again until [`PositionSource::skip`] is called.
    fn groups(&mut self, count: usize, size: usize, stop: &AtomicBool) -> Vec<Group<'_>> {
        match self {
            PositionSource::Texts(texts, taken) => next(texts, *taken, count, size, Group::Texts),
            PositionSource::Boards(boards, taken) => {
                next(boards, *taken, count, size, Group::Boards)
            }
            PositionSource::File(source, items) => {
                while items.len() < count && !stop.load(Ordering::Relaxed) {
                    let Some(item) = source.next() else { break };
                    items.push(item);
                }
                items.chunks(size).map(Group::Items).collect()
            }
        }
    }

    /// Proceeds to the positions after the next `count`, which have been analyzed.
    fn skip(&mut self, count: usize) {
        match self {
            PositionSource::Texts(texts, taken) => *taken = texts.len().min(*taken + count),
            PositionSource::Boards(boards, taken) => *taken = boards.len().min(*taken + count),
            PositionSource::File(_, items) => items.clear(),
        }
    }
}

/// Returns the next groups of a list, each with the index of its first element.
fn next<'a, T>(
    list: &'a [T],
    start: usize,
    count: usize,
    size: usize,
    group: impl Fn(&'a [T], usize) -> Group<'a>,
) -> Vec<Group<'a>> {
    let end = list.len().min(start + count);
    let parts = list[start..end].chunks(size).enumerate();
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
    /// Returns the next batch. Makes one batch per thread at a time. If it should stop, it returns
    /// `None`, and the next call begins with the same batch.
    fn next(&mut self, stop: &AtomicBool) -> Option<Result<Batch, Failure>> {
        if self.ready.is_empty() && !self.done {
            let count = self.threads * self.batch_size;
            let groups = self.source.groups(count, self.batch_size, stop);
            let done = groups.is_empty();
            let plan = &self.plan;
            let made = parallel_map(self.threads, &groups, |groups| {
                let batch = |group: &Group<'_>| match group {
                    Group::Texts(texts, first) => plan.batch(texts, stop, |index, text| Entry {
                        at: ItemLocation::Index((first + index) as u64),
                        fen: Some(text),
                        position: study::position(text).map_err(|error| Fault {
                            place: format!("fens[{}]", first + index),
                            reason: error.to_string(),
                        }),
                    }),
                    Group::Boards(boards, first) => {
                        plan.batch(boards, stop, |index, board| Entry {
                            at: ItemLocation::Index((first + index) as u64),
                            fen: None,
                            position: Ok(*board),
                        })
                    }
                    Group::Items(items) => plan.batch(items, stop, |_, item| Entry {
                        at: item.at,
                        fen: item.text(),
                        position: item.position(),
                    }),
                };
                groups.iter().map(batch).collect::<Result<Vec<_>, _>>()
            });
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            self.source.skip(count);
            self.done = done;
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

/// Returns the next batch, or the exception that a signal handler raises first, as that of Ctrl-C
/// does.
fn next_batch(
    py: Python<'_>,
    state: &Mutex<ReaderState>,
    takes_long: bool,
) -> PyResult<Option<Result<Batch, Failure>>> {
    py.check_signals()?;
    if takes_long {
        return interruptible(py, |stop| lock(state).next(stop));
    }
    Ok(py.detach(|| lock(state).next(&AtomicBool::new(false))))
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
        let source = if options.strict { source.strict() } else { source };
        FactReader::new(PositionSource::File(source, Vec::new()), &options)
    }

    fn __iter__(reader: PyRef<'_, Self>) -> PyRef<'_, Self> {
        reader
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Columns>> {
        let next = next_batch(py, &self.state, self.takes_long)?.transpose()?;
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
        let (state, takes_long) = (Arc::clone(&self.state), self.takes_long);
        // The consumer may or may not hold the GIL. It is released while a batch is made.
        let batches = std::iter::from_fn(move || {
            match Python::attach(|py| next_batch(py, &state, takes_long)) {
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
        let takes_long = threads.saturating_mul(batch_size) >= LONG_CALL_ROWS;
        let (ready, done) = (VecDeque::new(), false);
        let state = ReaderState { source, plan, threads, strict, batch_size, ready, done };
        Ok(FactReader { state: Arc::new(Mutex::new(state)), schema, takes_long })
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
