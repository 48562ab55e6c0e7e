//! Conversion of errors into Python exceptions.

use fourfold_env::{LoadError, MakeError, StepError};
use fourfold_search::SearchError;
use fourfold_table::study::{Fault, UnknownFact};
use fourfold_table::{DeclareError, HistoryError, PlayError, ReadError, TagError};
use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

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
            StepError::Memory(_) => PyMemoryError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    }
}

impl ToPython for LoadError {
    fn to_python(self) -> PyErr {
        SavedStateError::new_err(self.to_string())
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

impl ToPython for SearchError {
    fn to_python(self) -> PyErr {
        let message = self.to_string();
        match self {
            SearchError::Illegal { .. } => IllegalActionError::new_err(message),
            SearchError::LeavesWait { .. }
            | SearchError::NoLeaves
            | SearchError::NotSearched { .. } => PyRuntimeError::new_err(message),
            _ => PyValueError::new_err(message),
        }
    }
}

impl ToPython for PlayError {
    fn to_python(self) -> PyErr {
        IllegalMoveError::new_err(self.to_string())
    }
}

impl ToPython for ReadError {
    fn to_python(self) -> PyErr {
        PositionError::new_err(self.to_string())
    }
}

impl ToPython for HistoryError {
    fn to_python(self) -> PyErr {
        HistoryEndError::new_err(self.to_string())
    }
}

impl ToPython for DeclareError {
    fn to_python(self) -> PyErr {
        PyValueError::new_err(self.to_string())
    }
}

impl ToPython for TagError {
    fn to_python(self) -> PyErr {
        PyValueError::new_err(self.to_string())
    }
}

impl ToPython for Fault {
    fn to_python(self) -> PyErr {
        PositionError::new_err(self.to_string())
    }
}

impl ToPython for UnknownFact {
    fn to_python(self) -> PyErr {
        PyValueError::new_err(self.to_string())
    }
}
