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
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind<F: Format> {
    /// The stream could not be read.
    Io(io::Error),
    /// A tag that is not written `[Name "value"]`.
    Tag,
    /// A `{` without a `}`.
    UnclosedComment,
    /// A `(` without a `)`.
    UnclosedVariation,
    /// A `)` without a `(`.
    UnopenedVariation,
    /// Variations nested deeper than [`MAX_NESTING`].
    TooDeep,
    /// An annotation or a variation before any move.
    NothingToAnnotate,
    /// An annotation that is not from `$0` to `$255`, or an unknown combination of `!` and `?`.
    Nag(String),
    /// An error in the start position, in a move or in another word of the game.
    Game(F::Error),
}

impl<F: Format> From<io::Error> for ErrorKind<F> {
    fn from(error: io::Error) -> ErrorKind<F> {
        ErrorKind::Io(error)
    }
}

impl<F: Format> fmt::Display for ErrorKind<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Io(error) => write!(f, "could not read the stream: {error}"),
            ErrorKind::Tag => {
                let lines = if F::MULTILINE_TAGS { "" } else { " on one line" };
                write!(f, "expected a tag like [Name \"value\"]{lines}")
            }
            ErrorKind::UnclosedComment => f.write_str("unclosed comment: '{' without '}'"),
            ErrorKind::UnclosedVariation => f.write_str("unclosed variation: '(' without ')'"),
            ErrorKind::UnopenedVariation => f.write_str("')' without a matching '('"),
            ErrorKind::TooDeep => write!(f, "variations are nested deeper than {MAX_NESTING}"),
            ErrorKind::NothingToAnnotate => {
                f.write_str("annotation or variation before the first move")
            }
            ErrorKind::Nag(text) => {
                write!(f, "expected an annotation from $0 to $255, got '{}'", quote_short(text))
            }
            ErrorKind::Game(error) => error.fmt(f),
        }
    }
}

impl<F: Format> fmt::Display for Error<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

impl<F: Format> std::error::Error for Error<F> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::Io(error) => Some(error),
            ErrorKind::Game(error) => error.source(),
            ErrorKind::Tag
            | ErrorKind::UnclosedComment
            | ErrorKind::UnclosedVariation
            | ErrorKind::UnopenedVariation
            | ErrorKind::TooDeep
            | ErrorKind::NothingToAnnotate
            | ErrorKind::Nag(_) => None,
        }
    }
}
