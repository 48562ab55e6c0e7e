//! Errors of batch operations.

use std::fmt;

use crate::game::ArraySpec;

/// Why a batch rejected a call.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StepError {
    /// An action is not legal.
    Illegal {
        /// The index of the game.
        game: usize,
        /// The player who chose it, in simultaneous games.
        player: Option<usize>,
        /// The action id.
        action: i32,
        /// The number of action ids.
        actions: usize,
        /// The position in the game's notation.
        text: String,
    },
    /// A slice has the wrong length.
    Length {
        /// What the slice contains.
        what: &'static str,
        /// The required length.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// A buffer does not have one row for each game.
    Buffer {
        /// The number of games in the batch.
        games: usize,
    },
    /// A text is not a valid position.
    Position {
        /// The index of the text.
        index: usize,
        /// Why it is invalid.
        message: String,
    },
    /// A text is not a legal move.
    Move {
        /// The index of the game.
        game: usize,
        /// Why it is invalid.
        message: String,
    },
    /// A player failed to choose a legal move.
    NoMove {
        /// The index of the game.
        game: u64,
        /// The reason.
        message: String,
    },
    /// There is no such player.
    Player {
        /// The index that was given.
        player: usize,
        /// The number of players.
        players: usize,
    },
    /// There is no such game in the batch.
    NoGame {
        /// The index that was given.
        game: usize,
        /// The number of games in the batch.
        games: usize,
    },
    /// There is no array of that name.
    Array {
        /// The unknown name.
        name: String,
        /// The arrays that exist.
        arrays: &'static [ArraySpec],
    },
    /// There is not enough memory for so many games.
    Memory(NoMemory),
    /// The other batch has another game or other rules.
    OtherKind {
        /// The game and rules of this batch.
        expected: String,
        /// The game and rules of the other batch.
        found: String,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Illegal { game, player, action, actions, text } => {
                write!(f, "action {action} of ")?;
                if let Some(player) = player {
                    write!(f, "player {player} in ")?;
                }
                if usize::try_from(*action).is_ok_and(|action| action < *actions) {
                    write!(f, "game {game} is not legal in {text}")
                } else {
                    write!(f, "game {game} is out of range: expected 0 to {}", actions - 1)
                }
            }
            StepError::Length { what, expected, found } => {
                write!(f, "expected {expected} {what}, got {found}")
            }
            StepError::Buffer { games } => {
                write!(f, "expected a buffer with one row for each of the {games} games")
            }
            StepError::Position { index, message } => write!(f, "position {index}: {message}"),
            StepError::Move { game, message } => write!(f, "game {game}: {message}"),
            StepError::NoMove { game, message } => {
                write!(f, "game {game}: the player failed to choose a move: {message}")
            }
            StepError::Player { player, players } => {
                write!(f, "player {player} is out of range: expected 0 to {}", players - 1)
            }
            StepError::NoGame { game, games } => {
                write!(f, "game {game} is out of range: the batch has {games} games")
            }
            StepError::Array { name, arrays } => {
                let names: Vec<&str> = arrays.iter().map(|array| array.name).collect();
                write!(f, "unknown array '{name}': expected one of {}", names.join(", "))
            }
            StepError::Memory(error) => error.fmt(f),
            StepError::OtherKind { expected, found } => {
                write!(f, "expected a batch of {expected}, got {found}")
            }
        }
    }
}

impl std::error::Error for StepError {}

/// There is not enough memory for a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory {
    /// The number of games requested.
    pub games: usize,
    /// The number of bytes they need.
    pub bytes: usize,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoMemory { games, bytes } = self;
        write!(f, "not enough memory: {games} games need {:.1} GB", *bytes as f64 / 1e9)
    }
}

impl std::error::Error for NoMemory {}
