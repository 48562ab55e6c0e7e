//! Errors in games.

use std::{fmt, io};

use fourfold_common::quote_short;

use crate::{Format, MAX_NESTING};

/// An error in a game, and its location.
#[derive(Debug)]
#[non_exhaustive]
pub struct Error<F: Format> {
    /// The line, counted from 1.
    pub line: u64,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// The byte in the stream, counted from 0.
    pub offset: u64,
    /// What is wrong.
    pub kind: ErrorKind<F>,
}

/// What can be wrong with a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind<F: Format> {
    /// The stream could not be read.
    #[error("could not read the stream: {0}")]
    Io(#[from] io::Error),
    /// A tag that is not written `[Name "value"]`.
    #[error(
        "expected a tag like [Name \"value\"]{}",
        if F::MULTILINE_TAGS { "" } else { " on one line" }
    )]
    Tag,
    /// A `{` without a `}`.
    #[error("unclosed comment: '{{' without '}}'")]
    UnclosedComment,
    /// A `(` without a `)`.
    #[error("unclosed variation: '(' without ')'")]
    UnclosedVariation,
    /// A `)` without a `(`.
    #[error("')' without a matching '('")]
    UnopenedVariation,
    /// Variations nested deeper than [`MAX_NESTING`].
    #[error("variations are nested deeper than {MAX_NESTING}")]
    TooDeep,
    /// An annotation or a variation before any move.
    #[error("annotation or variation before the first move")]
    NothingToAnnotate,
    /// An annotation that is not from `$0` to `$255`, or an unknown combination of `!` and `?`.
    #[error("expected an annotation from $0 to $255, got '{}'", quote_short(.0))]
    Nag(String),
    /// Text after the result of a game that does not begin another one.
    #[error("expected tags or move 1 after the result of a game, got '{}'", quote_short(.0))]
    AfterResult(String),
    /// An error in the start position, in a move or in another word of the game.
    #[error(transparent)]
    Game(F::Error),
}

impl<F: Format> fmt::Display for Error<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

impl<F: Format> std::error::Error for Error<F> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.kind)
    }
}
