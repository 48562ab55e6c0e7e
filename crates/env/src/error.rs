//! Why a batch cannot do what it was asked to.

use std::fmt;

use crate::game::ArraySpec;

/// Why a batch cannot do what it was asked to.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StepError {
    /// An action that is not legal.
    Illegal {
        /// The game.
        game: usize,
        /// Whose it is, where all act.
        player: Option<usize>,
        /// The action.
        action: i32,
        /// How many actions the game has.
        actions: usize,
        /// The position.
        text: String,
    },
    /// Too few or too many of something.
    Length {
        /// Of what.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A buffer that does not have one row for each game.
    Buffer {
        /// How many games there are.
        games: usize,
    },
    /// A text that is no position.
    Position {
        /// Its index among the texts.
        index: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A text that is no legal move.
    Move {
        /// The game.
        game: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A player who was asked for a move has none.
    NoMove {
        /// The game.
        game: u64,
        /// Why.
        message: String,
    },
    /// There is no such player.
    Player {
        /// The player.
        player: usize,
        /// How many there are.
        players: usize,
    },
    /// There is no such game.
    NoGame {
        /// The game.
        game: usize,
        /// How many there are.
        games: usize,
    },
    /// There is no such array.
    Array {
        /// Its name.
        name: String,
        /// Those that there are.
        arrays: &'static [ArraySpec],
    },
    /// More games than there is memory for.
    Memory(NoMemory),
    /// A batch of another kind.
    OtherKind {
        /// What this one is.
        expected: String,
        /// What the other one is.
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
                    write!(f, "game {game} is not from 0 to {}", actions - 1)
                }
            }
            StepError::Length { what, expected, found } => {
                write!(f, "expected {expected} {what}, found {found}")
            }
            StepError::Buffer { games } => {
                write!(f, "a buffer does not have one row for each of {games} games")
            }
            StepError::Position { index, message } => write!(f, "position {index}: {message}"),
            StepError::Move { game, message } => write!(f, "game {game}: {message}"),
            StepError::NoMove { game, message } => {
                write!(f, "game {game}: the player has no move: {message}")
            }
            StepError::Player { player, players } => {
                write!(f, "player {player} is not from 0 to {}", players - 1)
            }
            StepError::NoGame { game, games } => {
                write!(f, "there is no game {game} among {games}")
            }
            StepError::Array { name, arrays } => {
                let names: Vec<&str> = arrays.iter().map(|array| array.name).collect();
                write!(f, "there is no array '{name}', only {}", names.join(", "))
            }
            StepError::Memory(error) => error.fmt(f),
            StepError::OtherKind { expected, found } => {
                write!(f, "the other batch is {found}, this one is {expected}")
            }
        }
    }
}

impl std::error::Error for StepError {}

/// A batch that there is no memory for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory {
    /// How many games there should be.
    pub games: usize,
    /// How many bytes they need.
    pub bytes: usize,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoMemory { games, bytes } = self;
        write!(f, "{games} games need {:.1} GB of memory, more than there is", *bytes as f64 / 1e9)
    }
}

impl std::error::Error for NoMemory {}
