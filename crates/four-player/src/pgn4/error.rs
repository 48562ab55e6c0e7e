//! What can be wrong with the start and the plies of a PGN4 game.

use std::fmt;

use fourfold_common::quote_short;

use super::Elimination;
use crate::{
    Ending, IllegalMoveError, ParseFen4Error, ParseMoveError, ParseRulesError, Player,
    WithdrawError,
};

/// The error returned when a ply cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IllegalPlyError {
    /// The move is not legal.
    Move(IllegalMoveError),
    /// The player cannot withdraw.
    Withdraw(WithdrawError),
}

impl fmt::Display for IllegalPlyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalPlyError::Move(error) => write!(f, "{error}"),
            IllegalPlyError::Withdraw(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for IllegalPlyError {}

/// What can be wrong with the start or a ply of a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum GameError {
    /// The `Variant` tag names an unsupported variant.
    Variant(String),
    /// A word in the `Rules` tag is not a rule.
    Rules(ParseRulesError),
    /// The `StartFen4` tag is neither a FEN4 nor the name of a start position.
    Start(String),
    /// The start position is invalid.
    Fen4(ParseFen4Error),
    /// A move is malformed, ambiguous or illegal.
    Move(ParseMoveError),
    /// A ply after the end of the game.
    AfterEnd {
        /// The text of the ply.
        word: String,
        /// How the game ended.
        ending: Ending,
    },
    /// A ply that cannot be played, such as the withdrawal of an eliminated player.
    Ply {
        /// The text of the ply.
        word: String,
        /// Why it cannot be played.
        error: IllegalPlyError,
    },
    /// A `#` or `S` that contradicts how, or whether, the player was eliminated.
    WrongElimination {
        /// The text: `#` or `S`.
        word: String,
        /// The player in whose place it is written.
        player: Player,
        /// How the player was eliminated; `None` if the player is still in the game.
        elimination: Option<Elimination>,
    },
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Variant(name) => {
                write!(f, "unknown variant '{}': expected FFA or Teams", quote_short(name))
            }
            GameError::Rules(error) => write!(f, "{error}"),
            GameError::Start(name) => write!(
                f,
                "expected a start position that is a FEN4 or one of 4PC, 4PCo, 4PCb, 4PCn, 4PCrg, got '{}'",
                quote_short(name)
            ),
            GameError::Fen4(error) => write!(f, "invalid FEN4: {error}"),
            GameError::Move(error) => write!(f, "{error}"),
            GameError::AfterEnd { word, ending } => {
                write!(f, "'{}' comes after the end of the game: {ending}", quote_short(word))
            }
            GameError::Ply { word, error } => {
                write!(f, "'{}' cannot be played: {error}", quote_short(word))
            }
            GameError::WrongElimination { word, player, elimination } => {
                let expected = if word == "S" { "stalemated" } else { "mated" };
                write!(
                    f,
                    "'{}' says that {player} is {expected}, but {player} ",
                    quote_short(word)
                )?;
                match elimination {
                    Some(elimination) => write!(f, "{elimination}"),
                    None => f.write_str("can move"),
                }
            }
        }
    }
}

impl std::error::Error for GameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GameError::Rules(error) => Some(error),
            GameError::Fen4(error) => Some(error),
            GameError::Move(error) => Some(error),
            GameError::Ply { error, .. } => Some(error),
            GameError::Variant(_)
            | GameError::Start(_)
            | GameError::AfterEnd { .. }
            | GameError::WrongElimination { .. } => None,
        }
    }
}
