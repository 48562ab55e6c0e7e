//! Errors of batch operations.

use thiserror::Error;

use crate::batch::bytes::LoadError;
use crate::game::ArraySpec;

/// Why a batch rejected a call.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StepError {
    /// An action is not legal.
    #[error(
        "action {action} of {}game {game} {}",
        player.map_or_else(String::new, |player| format!("player {player} in ")),
        illegal(*action, *actions, text)
    )]
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
    #[error("expected {expected} {what}, got {found}")]
    Length {
        /// What the slice contains.
        what: &'static str,
        /// The required length.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// A buffer does not have one row for each game.
    #[error("expected a buffer with one row for each of the {games} games")]
    Buffer {
        /// The number of games in the batch.
        games: usize,
    },
    /// A text is not a valid position.
    #[error("position {index}: {message}")]
    Position {
        /// The index of the text.
        index: usize,
        /// Why it is invalid.
        message: String,
    },
    /// A text is not a legal move.
    #[error("game {game}: {message}")]
    Move {
        /// The index of the game.
        game: usize,
        /// Why it is invalid.
        message: String,
    },
    /// A player failed to choose a legal move.
    #[error("game {game}: the player failed to choose a move: {message}")]
    NoMove {
        /// The index of the game.
        game: u64,
        /// The reason.
        message: String,
    },
    /// The call was stopped; see [`Stop`](crate::Stop).
    #[error("the call was stopped")]
    Stopped,
    /// There is no such player.
    #[error("player {player} is out of range: expected 0 to {}", players - 1)]
    Player {
        /// The index that was given.
        player: usize,
        /// The number of players.
        players: usize,
    },
    /// There is no such game in the batch.
    #[error("game {game} is out of range: the batch has {games} games")]
    NoGame {
        /// The index that was given.
        game: usize,
        /// The number of games in the batch.
        games: usize,
    },
    /// There is no array of that name.
    #[error("unknown array '{name}': expected one of {}", names(arrays))]
    Array {
        /// The unknown name.
        name: String,
        /// The arrays that exist.
        arrays: &'static [ArraySpec],
    },
    /// The temperature is not a finite number of at least 0.
    #[error("expected a temperature of at least 0, got {temperature}")]
    Temperature {
        /// The temperature that was given.
        temperature: String,
    },
    /// A state cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// There is not enough memory for so many games.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// The other batch has another game or other rules.
    #[error("expected a batch of {expected}, got {found}")]
    OtherKind {
        /// The game and rules of this batch.
        expected: String,
        /// The game and rules of the other batch.
        found: String,
    },
}

/// There is not enough memory for a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not enough memory: {games} games need {:.1} GB", *bytes as f64 / 1e9)]
pub struct OutOfMemory {
    /// The number of games requested.
    pub games: usize,
    /// The number of bytes they need.
    pub bytes: usize,
}

/// Describes why an action is illegal: it is out of range, or not legal in the position.
fn illegal(action: i32, actions: usize, text: &str) -> String {
    if usize::try_from(action).is_ok_and(|action| action < actions) {
        format!("is not legal in {text}")
    } else {
        format!("is out of range: expected 0 to {}", actions - 1)
    }
}

fn names(arrays: &[ArraySpec]) -> String {
    let names: Vec<&str> = arrays.iter().map(|array| array.name).collect();
    names.join(", ")
}
