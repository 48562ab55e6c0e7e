//! Conversion of errors into Python exceptions.

use fourfold_cuda::CudaError;
use fourfold_env::{LoadError, MakeError, StepError};
use fourfold_kung_fu::{CreateError, ReplayError, SnapshotError};
use fourfold_search::SearchError;
use fourfold_table::kung_fu::ReplayFileError;
use fourfold_table::study::{Fault, UnknownFact};
use fourfold_table::{DeclareError, HistoryError, PlayError, ReadError, TagError};
use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::analysis::BatchTooLarge;

create_exception!(fourfold, IllegalActionError, PyValueError, "The action is not legal.");
create_exception!(fourfold, IllegalMoveError, PyValueError, "The text is not a legal move.");
create_exception!(
    fourfold,
    PositionError,
    PyValueError,
    "The text is not a valid position or game."
);
create_exception!(fourfold, SavedStateError, PyValueError, "The bytes are not a saved state.");
create_exception!(fourfold, HistoryEndError, PyIndexError, "There is nothing to undo or redo.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("IllegalActionError", py.get_type::<IllegalActionError>())?;
    module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())?;
    module.add("PositionError", py.get_type::<PositionError>())?;
    module.add("SavedStateError", py.get_type::<SavedStateError>())?;
    module.add("HistoryEndError", py.get_type::<HistoryEndError>())
}

/// Converts an error of one of our crates into the matching exception.
pub(crate) trait ToPython {
    fn to_python(self) -> PyErr;
}

impl ToPython for StepError {
    fn to_python(self) -> PyErr {
        let message = self.to_string();
        match self {
            StepError::Illegal { .. } => IllegalActionError::new_err(message),
            StepError::Move { .. } => IllegalMoveError::new_err(message),
            StepError::Position { .. } => PositionError::new_err(message),
            StepError::NoGame { .. } | StepError::Player { .. } => PyIndexError::new_err(message),
            StepError::NoMove { .. } => PyRuntimeError::new_err(message),
            StepError::Array { .. } => PyKeyError::new_err(message),
            StepError::Load(_) => SavedStateError::new_err(message),
            StepError::Memory(_) => PyMemoryError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    }
}

impl ToPython for MakeError {
    fn to_python(self) -> PyErr {
        let message = self.to_string();
        match self {
            MakeError::Memory(_) => PyMemoryError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    }
}

impl ToPython for CudaError {
    fn to_python(self) -> PyErr {
        let message = self.to_string();
        match self {
            CudaError::NoDevice { .. } => PyValueError::new_err(message),
            CudaError::OutOfMemory { .. } => PyMemoryError::new_err(message),
            CudaError::Step(error) => error.to_python(),
            CudaError::Make(error) => error.to_python(),
            _ => PyRuntimeError::new_err(message),
        }
    }
}

impl ToPython for SearchError {
    fn to_python(self) -> PyErr {
        let message = self.to_string();
        match self {
            SearchError::Illegal { .. } => IllegalActionError::new_err(message),
            SearchError::LeavesPending { .. }
            | SearchError::NoLeaves
            | SearchError::NotSearched { .. } => PyRuntimeError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    }
}

/// Errors that always become the same exception.
macro_rules! always {
    ($($exception:ty: $($error:ty),+;)+) => {$($(
        impl ToPython for $error {
            fn to_python(self) -> PyErr {
                <$exception>::new_err(self.to_string())
            }
        }
    )+)+};
}

always! {
    SavedStateError: LoadError, SnapshotError;
    IllegalMoveError: PlayError;
    PositionError: ReadError, Fault, CreateError, ReplayError, ReplayFileError;
    HistoryEndError: HistoryError;
    PyValueError: DeclareError, TagError, UnknownFact, BatchTooLarge;
}

/// Returns the error for a name that is not one of those accepted.
pub(crate) fn unknown(what: &str, name: &str, accepted: &[&str]) -> PyErr {
    let accepted = accepted.join(", ");
    PyValueError::new_err(format!("{what} '{name}': expected one of {accepted}"))
}

/// Returns the value of an option by its name.
pub(crate) fn choice<T: Copy>(what: &str, name: &str, values: &[(&str, T)]) -> PyResult<T> {
    let found = values.iter().find(|(accepted, _)| *accepted == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        unknown(&format!("invalid {what}"), name, &names)
    })
}
