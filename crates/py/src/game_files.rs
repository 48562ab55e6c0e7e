//! Reading files of any game.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fourfold_table::game_file::{self, ConvertError, OpenError, Target};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{PositionError, ToPython, unknown};

/// An iterator over the games of a file.
#[pyclass(module = "fourfold._core")]
pub(crate) struct GameReader(Mutex<game_file::GameReader>);

/// A game of a file.
#[pyclass(module = "fourfold._core")]
pub(crate) struct FileGame(Mutex<game_file::FileGame>);

#[pymethods]
impl GameReader {
    /// Opens the file with this path.
    #[staticmethod]
    fn file(py: Python<'_>, path: PathBuf, strict: bool) -> PyResult<GameReader> {
        GameReader::of(py.detach(|| game_file::GameReader::open(&path)), strict)
    }

    /// Reads a file object, binary or text.
    #[staticmethod]
    fn stream(py: Python<'_>, file: Py<PyAny>, strict: bool) -> PyResult<GameReader> {
        // The extension of its name may decide the format.
        let path = file.getattr(py, "name").and_then(|name| name.extract::<PathBuf>(py)).ok();
        let stream = FileObject { file, rest: Vec::new() };
        let reader = py.detach(|| game_file::GameReader::new(Box::new(stream), path.as_deref()));
        GameReader::of(reader, strict)
    }

    /// The name of the format.
    fn format(&self, py: Python<'_>) -> &'static str {
        py.detach(|| lock(&self.0).format().name())
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<FileGame>> {
        let game = py.detach(|| lock(&self.0).next());
        Ok(game.transpose()?.map(|game| FileGame(Mutex::new(game))))
    }
}

impl GameReader {
    fn of(opened: Result<game_file::GameReader, OpenError>, strict: bool) -> PyResult<GameReader> {
        let reader = opened.map_err(ToPython::to_python)?;
        Ok(GameReader(Mutex::new(if strict { reader.strict() } else { reader })))
    }
}

#[pymethods]
impl FileGame {
    fn game(&self) -> Option<&'static str> {
        lock(&self.0).game()
    }

    fn format(&self) -> &'static str {
        lock(&self.0).format.name()
    }

    fn number(&self) -> u64 {
        lock(&self.0).number
    }

    fn tags(&self) -> Vec<(String, String)> {
        lock(&self.0).tags().to_vec()
    }

    fn start(&self) -> Option<String> {
        lock(&self.0).start()
    }

    /// The moves as pairs of code and text.
    fn moves(&self) -> Vec<(String, String)> {
        lock(&self.0).moves().into_iter().map(|played| (played.code, played.text)).collect()
    }

    fn plies(&self) -> usize {
        lock(&self.0).plies()
    }

    fn result(&self) -> Option<String> {
        lock(&self.0).result()
    }

    /// The reason why the game is over, and the seats that have won.
    fn outcome(&self) -> Option<(String, Vec<usize>)> {
        let outcome = lock(&self.0).outcome()?;
        Some((outcome.reason, outcome.winners.iter().map(|seat| seat.index()).collect()))
    }

    fn problems(&self) -> Vec<String> {
        lock(&self.0).problems.clone()
    }

    /// The game in another format.
    fn convert<'py>(&self, py: Python<'py>, target: &str) -> PyResult<Bound<'py, PyBytes>> {
        let names = || Target::ALL.map(Target::name);
        let target =
            Target::from_name(target).ok_or_else(|| unknown("unknown format", target, &names()))?;
        let bytes = lock(&self.0).convert(target).map_err(ToPython::to_python)?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// A panic while the lock was held leaves the reader usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ToPython for OpenError {
    fn to_python(self) -> PyErr {
        match self {
            OpenError::Io(error) => error.into(),
            OpenError::Format(error) => PositionError::new_err(error.to_string()),
        }
    }
}

impl ToPython for ConvertError {
    fn to_python(self) -> PyErr {
        PyValueError::new_err(self.to_string())
    }
}

/// A Python file object.
struct FileObject {
    file: Py<PyAny>,
    /// What was read, but did not fit into the buffer. A character may be several bytes.
    rest: Vec<u8>,
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = Python::attach(|py| self.next_bytes(py, buffer.len()))?;
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

impl FileObject {
    fn next_bytes(&self, py: Python<'_>, count: usize) -> PyResult<Vec<u8>> {
        let read = self.file.bind(py).call_method1("read", (count,))?;
        if let Ok(text) = read.cast::<PyString>() {
            // Text that cannot be encoded has lone surrogates, which no format has.
            return Ok(text.to_string_lossy().into_owned().into_bytes());
        }
        match read.cast::<PyBytes>() {
            Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
            Err(_) => {
                let kind = read.get_type().name()?;
                let message = format!("expected read() to return bytes or str, got {kind}");
                Err(PyTypeError::new_err(message))
            }
        }
    }
}
