//! Errors for moves, declarations, undo and redo, files and tags.

use std::fmt;

use fourfold_common::quote_short;

use crate::{Outcome, Seat};

/// Why a move was not played.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlayError {
    /// The text does not look like a move.
    Malformed {
        /// The text.
        text: String,
        /// What was expected, with examples.
        expected: &'static str,
    },
    /// The text is a move, but not a legal one in the position.
    Illegal {
        /// The text.
        text: String,
        /// The position, in the game's own notation.
        position: String,
        /// Why the move is illegal, in a sentence, if a specific reason is known.
        reason: Option<String>,
    },
    /// The text matches several legal moves.
    Ambiguous {
        /// The text.
        text: String,
        /// The matching moves, in the notation for people.
        candidates: Vec<String>,
    },
    /// The game has ended.
    GameOver {
        /// How it ended.
        outcome: Outcome,
    },
    /// The game has no such seat.
    NoSeat {
        /// The seat.
        seat: Seat,
        /// How many seats the game has.
        seats: usize,
    },
    /// The seat may not move now.
    NotActing {
        /// The seat's name.
        seat: &'static str,
    },
    /// Several seats may move now, so the text alone does not say which one does.
    SeatNeeded {
        /// The text.
        text: String,
        /// How many seats may move now.
        acting: usize,
    },
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Malformed { text, expected } => {
                write!(f, "'{}' is not {expected}", quote_short(text))
            }
            PlayError::Illegal { reason: Some(reason), .. } => f.write_str(reason),
            PlayError::Illegal { text, position, reason: None } => {
                write!(f, "'{}' is not legal in {position}", quote_short(text))
            }
            PlayError::Ambiguous { text, candidates } => {
                write!(f, "'{}' is ambiguous: {}", quote_short(text), candidates.join(" or "))
            }
            PlayError::GameOver { outcome } => write_over(f, outcome),
            PlayError::NoSeat { seat, seats } => write_no_seat(f, *seat, *seats),
            PlayError::NotActing { seat } => write_not_acting(f, seat),
            PlayError::SeatNeeded { text, acting } => {
                write!(f, "'{}' needs a seat: {acting} seats may move now", quote_short(text))
            }
        }
    }
}

impl std::error::Error for PlayError {}

/// Why a declaration was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DeclareError {
    /// The game has ended.
    GameOver {
        /// How it ended.
        outcome: Outcome,
    },
    /// The game has no such seat.
    NoSeat {
        /// The seat.
        seat: Seat,
        /// How many seats the game has.
        seats: usize,
    },
    /// The seat has already been eliminated or has withdrawn.
    Out {
        /// The seat's name.
        seat: &'static str,
    },
    /// A seat that may not move now claims a draw.
    NotActing {
        /// The seat's name.
        seat: &'static str,
    },
    /// No draw can be claimed in the position.
    NothingToClaim {
        /// The position, in the game's own notation.
        position: String,
    },
}

impl fmt::Display for DeclareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeclareError::GameOver { outcome } => write_over(f, outcome),
            DeclareError::NoSeat { seat, seats } => write_no_seat(f, *seat, *seats),
            DeclareError::Out { seat } => write!(f, "{seat} is no longer in the game"),
            DeclareError::NotActing { seat } => write_not_acting(f, seat),
            DeclareError::NothingToClaim { position } => {
                write!(f, "no draw can be claimed in {position}")
            }
        }
    }
}

impl std::error::Error for DeclareError {}

/// Why undo, redo or a jump failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HistoryError {
    /// No step is in effect.
    NothingToUndo,
    /// No step is undone.
    NothingToRedo,
    /// The line has fewer moves than the requested ply.
    NoPly {
        /// The requested ply.
        ply: usize,
        /// The last ply of the line.
        last: usize,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HistoryError::NothingToUndo => write!(f, "there is nothing to undo"),
            HistoryError::NothingToRedo => write!(f, "there is nothing to redo"),
            HistoryError::NoPly { ply, last } => {
                write!(f, "there is no ply {ply}: the last one is {last}")
            }
        }
    }
}

impl std::error::Error for HistoryError {}

/// Why a text could not be read as a position or a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is not a position that can be played from.
    Position {
        /// The message of the game's own parser.
        reason: String,
    },
    /// The text of a game cannot be read or played.
    Game {
        /// The line, counted from 1.
        line: u64,
        /// The character in the line, counted from 1.
        column: usize,
        /// The message of the game's own parser.
        reason: String,
    },
    /// The text of a game cannot be read or played, in a format whose errors name a move instead of
    /// a line.
    Record {
        /// The message of the game's own parser, including the number of the move.
        reason: String,
    },
    /// The file contains no game.
    NoGame,
    /// The file contains more than one game. A table holds only one.
    SeveralGames,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Position { reason } | ReadError::Record { reason } => f.write_str(reason),
            ReadError::Game { line, column, reason } => {
                write!(f, "line {line}, column {column}: {reason}")
            }
            ReadError::NoGame => write!(f, "there is no game in the text"),
            ReadError::SeveralGames => write!(f, "there is more than one game in the text"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Why a tag was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TagError {
    /// The name is empty or has characters other than ASCII letters, digits and underscores.
    Malformed {
        /// The name.
        name: String,
    },
    /// The value is derived from the game and cannot be set.
    Derived {
        /// The name.
        name: String,
    },
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TagError::Malformed { name } => {
                write!(
                    f,
                    "invalid tag name '{}': expected letters, digits and underscores",
                    quote_short(name)
                )
            }
            TagError::Derived { name } => {
                write!(f, "tag '{}' is derived from the game and cannot be set", quote_short(name))
            }
        }
    }
}

impl std::error::Error for TagError {}

fn write_over(f: &mut fmt::Formatter<'_>, outcome: &Outcome) -> fmt::Result {
    write!(f, "the game is over: {}", outcome.text)
}

fn write_no_seat(f: &mut fmt::Formatter<'_>, seat: Seat, seats: usize) -> fmt::Result {
    write!(f, "there is no seat {seat}: expected 0 to {}", seats.saturating_sub(1))
}

fn write_not_acting(f: &mut fmt::Formatter<'_>, seat: &str) -> fmt::Result {
    write!(f, "{seat} may not move now")
}
