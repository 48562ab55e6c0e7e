//! Errors of models.

use std::path::PathBuf;

/// Why a model cannot be loaded, or cannot evaluate a position.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// A file is larger than any model.
    #[error("{} has more than {most} bytes, so it is not a model", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes accepted.
        most: u64,
    },
    /// The description is not valid.
    #[error("invalid model.json: {reason}")]
    Description {
        /// What is wrong.
        reason: String,
    },
    /// The weights are not valid.
    #[error("invalid model.safetensors: {reason}")]
    Weights {
        /// What is wrong.
        reason: String,
    },
    /// The model belongs to another game, or to other rules.
    #[error("{reason}")]
    Game {
        /// What was expected.
        reason: String,
    },
    /// Outputs of the network are not finite.
    #[error("the network has outputs that are not finite: its weights are too large")]
    NotFinite,
}

impl ModelError {
    pub(crate) fn description(reason: impl ToString) -> ModelError {
        ModelError::Description { reason: reason.to_string() }
    }

    pub(crate) fn weights(reason: impl ToString) -> ModelError {
        ModelError::Weights { reason: reason.to_string() }
    }

    pub(crate) fn game(reason: impl ToString) -> ModelError {
        ModelError::Game { reason: reason.to_string() }
    }
}
