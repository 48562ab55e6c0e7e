//! Why an environment could not be created.

use alloc::string::String;

use fourfold_common::quote_short;
use thiserror::Error;

/// Why an environment could not be created.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MakeError {
    /// There is no environment of that name.
    #[cfg(feature = "std")]
    #[error("unknown environment '{}': expected one of {}", quote_short(name), crate::NAMES.join(", "))]
    Game {
        /// The unknown name.
        name: String,
    },
    /// The environment has no such option.
    #[error(
        "unknown option '{}' of {game}: expected one of {}",
        quote_short(option), options.join(", ")
    )]
    Option {
        /// The name of the environment.
        game: &'static str,
        /// The unknown option.
        option: String,
        /// The options that exist.
        options: &'static [&'static str],
    },
    /// The value is not valid for the option.
    #[error("invalid {option} '{}': {expected}", quote_short(value))]
    Value {
        /// The name of the option.
        option: &'static str,
        /// The value that was given.
        value: String,
        /// What is accepted, or why the value is not.
        expected: String,
    },
    /// There is not enough memory for so many games.
    #[cfg(feature = "std")]
    #[error(transparent)]
    Memory(#[from] crate::OutOfMemory),
}
