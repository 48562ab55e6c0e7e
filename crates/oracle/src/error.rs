//! The error type of this crate: a message saying what was wrong.

use std::fmt;

/// The reason why an input was rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl From<String> for Error {
    fn from(reason: String) -> Error {
        Error(reason)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Returns an error with a formatted message from the function.
macro_rules! bail {
    ($($message:tt)+) => {
        return Err(format!($($message)+).into())
    };
}

/// Returns an error from the function unless the condition holds: a formatted message, or a value.
macro_rules! ensure {
    ($condition:expr, $message:literal $($arguments:tt)*) => {
        $crate::error::ensure!($condition, format!($message $($arguments)*))
    };
    ($condition:expr, $error:expr $(,)?) => {
        if !$condition {
            return Err($error.into());
        }
    };
}

pub(crate) use {bail, ensure};
