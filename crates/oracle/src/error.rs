//! The error type of this crate: a message saying what was wrong.

use std::fmt;

/// The reason why an input was rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl Error {
    pub(crate) fn new(reason: impl Into<String>) -> Error {
        Error(reason.into())
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
        return Err($crate::Error::new(format!($($message)+)))
    };
}

/// Returns an error with a formatted message from the function unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            $crate::error::bail!($($message)+)
        }
    };
}

pub(crate) use {bail, ensure};
