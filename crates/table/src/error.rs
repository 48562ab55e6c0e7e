//! What may be wrong with what a person types, sends or loads.

use std::fmt;

use fourfold_board::shown;

use crate::{Outcome, Seat};

/// Why a move was not played.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlayError {
    /// The text does not look like a move.
    Malformed {
        /// The text.
        text: String,
        /// What a move looks like.
        expected: &'static str,
    },
    /// It is a move, but not legal in the position.
    Illegal {
        /// The text.
        text: String,
        /// The position, in the game's own notation.
        position: String,
        /// Why, in the words of the rules, where the text says which man is to go where.
        reason: Option<String>,
    },
    /// Several legal moves fit.
    Ambiguous {
        /// The text.
        text: String,
        /// The moves that fit, as people write them.
        candidates: Vec<String>,
    },
    /// The game has ended.
    GameOver {
        /// How.
        outcome: Outcome,
    },
    /// The game has no such seat.
    NoSeat {
        /// The seat.
        seat: Seat,
        /// How many the game has.
        seats: usize,
    },
    /// The seat may not move now.
    NotActing {
        /// The seat's name.
        seat: &'static str,
    },
    /// The text alone does not say who moves.
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
                write!(f, "'{}' is not {expected}", shown(text))
            }
            PlayError::Illegal { reason: Some(reason), .. } => f.write_str(reason),
            PlayError::Illegal { text, position, reason: None } => {
                write!(f, "'{}' is not legal in {position}", shown(text))
            }
            PlayError::Ambiguous { text, candidates } => {
                write!(f, "'{}' may be {}", shown(text), candidates.join(" or "))
            }
            PlayError::GameOver { outcome } => write_over(f, outcome),
            PlayError::NoSeat { seat, seats } => write_no_seat(f, *seat, *seats),
            PlayError::NotActing { seat } => write_not_acting(f, seat),
            PlayError::SeatNeeded { text, acting } => {
                write!(f, "'{}' needs a seat: {acting} may move now", shown(text))
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
        /// How.
        outcome: Outcome,
    },
    /// The game has no such seat.
    NoSeat {
        /// The seat.
        seat: Seat,
        /// How many the game has.
        seats: usize,
    },
    /// The seat is out of the game already.
    Out {
        /// The seat's name.
        seat: &'static str,
    },
    /// A draw is claimed by a seat that may not move now.
    NotActing {
        /// The seat's name.
        seat: &'static str,
    },
    /// The rules give no draw to claim in the position.
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
            DeclareError::Out { seat } => write!(f, "{seat} is out of the game already"),
            DeclareError::NotActing { seat } => write_not_acting(f, seat),
            DeclareError::NothingToClaim { position } => {
                write!(f, "no draw can be claimed in {position}")
            }
        }
    }
}

impl std::error::Error for DeclareError {}

/// Why a step through the game was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HistoryError {
    /// No step is in effect.
    NothingToUndo,
    /// No step is undone.
    NothingToRedo,
    /// The line has fewer moves.
    NoPly {
        /// The ply asked for.
        ply: usize,
        /// The last one.
        last: usize,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HistoryError::NothingToUndo => write!(f, "there is nothing to undo"),
            HistoryError::NothingToRedo => write!(f, "there is nothing to redo"),
            HistoryError::NoPly { ply, last } => {
                write!(f, "there is no ply {ply}, the last one is {last}")
            }
        }
    }
}

impl std::error::Error for HistoryError {}

/// Why a text is not a position or a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is no position that can be played from.
    Position {
        /// What the game's own reader says.
        reason: String,
    },
    /// The text of a game cannot be read or played.
    Game {
        /// The line, from 1.
        line: u64,
        /// The character in the line, from 1.
        column: usize,
        /// What the game's own reader says.
        reason: String,
    },
    /// The text of a game cannot be read or played, and its format counts moves and not lines.
    Record {
        /// What the game's own reader says, with the number of the move.
        reason: String,
    },
    /// The file holds no game.
    NoGame,
    /// The file holds more than one game, and a table has room for one.
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
    /// The name is not made of letters, digits and underscores.
    Malformed {
        /// The name.
        name: String,
    },
    /// The value follows from the game.
    Derived {
        /// The name.
        name: String,
    },
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TagError::Malformed { name } => {
                write!(f, "tag name '{}' is not letters, digits and underscores", shown(name))
            }
            TagError::Derived { name } => {
                write!(f, "tag '{}' follows from the game", shown(name))
            }
        }
    }
}

impl std::error::Error for TagError {}

fn write_over(f: &mut fmt::Formatter<'_>, outcome: &Outcome) -> fmt::Result {
    write!(f, "the game is over: {}", outcome.text)
}

fn write_no_seat(f: &mut fmt::Formatter<'_>, seat: Seat, seats: usize) -> fmt::Result {
    write!(f, "there is no seat {seat}, only {seats} from 0")
}

fn write_not_acting(f: &mut fmt::Formatter<'_>, seat: &str) -> fmt::Result {
    write!(f, "{seat} may not move now")
}
