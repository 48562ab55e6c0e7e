//! Errors for moves, declarations, undo and redo, files and tags.

use std::fmt::Display;

use fourfold_chess::pgn::PgnError;
use fourfold_common::quote_short;
use fourfold_four_player::pgn4::Pgn4Error;
use thiserror::Error;

use crate::game_file::UnknownFormat;
use crate::{Outcome, Seat};

/// Why a move was not played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The text does not look like a move.
    #[error("expected {expected}, got '{}'", quote_short(.text))]
    Malformed {
        /// The text.
        text: String,
        /// What was expected, with examples.
        expected: &'static str,
    },
    /// The text is a move, but not a legal one in the position.
    #[error("{}", illegal(.text, .position, .reason.as_deref()))]
    Illegal {
        /// The text.
        text: String,
        /// The position, in the game's own notation.
        position: String,
        /// Why the move is illegal, in a sentence, if a specific reason is known.
        reason: Option<String>,
    },
    /// The text matches several legal moves.
    #[error("'{}' is ambiguous: {}", quote_short(.text), .candidates.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The matching moves, in the notation for people.
        candidates: Vec<String>,
    },
    /// The seat may not move now.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// Several seats may move now, so the text alone does not say which one does.
    #[error("'{}' needs a seat: {acting} seats may move now", quote_short(.text))]
    SeatNeeded {
        /// The text.
        text: String,
        /// How many seats may move now.
        acting: usize,
    },
}

fn illegal(text: &str, position: &str, reason: Option<&str>) -> String {
    let unknown = || format!("'{}' is not legal in {position}", quote_short(text));
    reason.map_or_else(unknown, str::to_owned)
}

/// Why a seat may not act now.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The game has ended with this outcome.
    #[error("the game is over: {}", .0.text)]
    GameOver(Outcome),
    /// The game has no such seat.
    #[error("there is no seat {seat}: expected 0 to {}", .seats.saturating_sub(1))]
    NoSeat {
        /// The seat.
        seat: Seat,
        /// How many seats the game has.
        seats: usize,
    },
    /// The seat with this name may not move now.
    #[error("{0} may not move now")]
    NotActing(&'static str),
}

/// Why a declaration was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DeclareError {
    /// The game is over, or the seat does not exist or may not claim a draw now.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The seat with this name has already been eliminated or has withdrawn.
    #[error("{0} is no longer in the game")]
    Eliminated(&'static str),
    /// No draw can be claimed in this position, given in the game's own notation.
    #[error("no draw can be claimed in {0}")]
    NothingToClaim(String),
}

/// Why undo, redo or a jump failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// No step is in effect.
    #[error("there is nothing to undo")]
    NothingToUndo,
    /// No step is undone.
    #[error("there is nothing to redo")]
    NothingToRedo,
    /// The line has fewer moves than the requested ply.
    #[error("there is no ply {ply}: the last one is {last}")]
    NoPly {
        /// The requested ply.
        ply: usize,
        /// The last ply of the line.
        last: usize,
    },
}

/// Why a text could not be read as a position or a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is not a position that can be played from. Holds the message of the game's own
    /// parser.
    #[error("{0}")]
    Position(String),
    /// The text of a game cannot be read or played.
    #[error("line {line}, column {column}: {reason}")]
    Game {
        /// The line, counted from 1.
        line: u64,
        /// The character in the line, counted from 1.
        column: usize,
        /// The message of the game's own parser.
        reason: String,
    },
    /// The text of a game cannot be read or played, in a format whose errors name a move instead of
    /// a line. Holds the message of the game's own parser, with the number of the move.
    #[error("{0}")]
    Record(String),
    /// The file has none of the known formats.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// The file contains no game.
    #[error("there is no game in the text")]
    NoGame,
    /// The file contains more than one game. A table holds only one.
    #[error("there is more than one game in the text")]
    SeveralGames,
}

impl ReadError {
    /// Returns the error for a position that cannot be played from.
    pub(crate) fn position(reason: impl Display) -> ReadError {
        ReadError::Position(reason.to_string())
    }
}

impl From<PgnError> for ReadError {
    fn from(PgnError { line, column, kind, .. }: PgnError) -> ReadError {
        ReadError::Game { line, column, reason: kind.to_string() }
    }
}

impl From<Pgn4Error> for ReadError {
    fn from(Pgn4Error { line, column, kind, .. }: Pgn4Error) -> ReadError {
        ReadError::Game { line, column, reason: kind.to_string() }
    }
}

/// Why a tag was not set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TagError {
    /// This name is empty or has characters other than ASCII letters, digits and underscores.
    #[error("invalid tag name '{}': expected letters, digits and underscores", quote_short(.0))]
    Malformed(String),
    /// The value of the tag with this name is derived from the game and cannot be set.
    #[error("tag '{}' is derived from the game and cannot be set", quote_short(.0))]
    Derived(String),
}
