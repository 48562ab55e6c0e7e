//! What can be wrong with the start and the plies of a PGN4 game.

use fourfold_common::quote_short;
use thiserror::Error;

use super::Elimination;
use crate::{
    Ending, IllegalMoveError, ParseFen4Error, ParseMoveError, ParseRulesError, Player,
    StartPosition, WithdrawError,
};

/// The error returned when a ply cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum IllegalPlyError {
    /// The move is not legal.
    #[error("{0}")]
    Move(IllegalMoveError),
    /// The player cannot withdraw.
    #[error("{0}")]
    Withdraw(WithdrawError),
}

/// What can be wrong with the start or a ply of a game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameError {
    /// The `Variant` tag names an unsupported variant.
    #[error("unknown variant '{}': expected FFA or Teams", quote_short(.0))]
    Variant(String),
    /// A word in the `Rules` tag is not a rule.
    #[error("{0}")]
    Rules(#[source] ParseRulesError),
    /// The `StartFen4` tag is neither a FEN4 nor the name of a start position.
    #[error(
        "expected a start position that is a FEN4 or one of 4PC, 4PCo, 4PCb, 4PCn, 4PCrg, got '{}'",
        quote_short(.0)
    )]
    Start(String),
    /// The start position is invalid.
    #[error("invalid FEN4: {0}")]
    Fen4(#[source] ParseFen4Error),
    /// A move is malformed, ambiguous or illegal.
    #[error("{0}")]
    Move(#[source] ParseMoveError),
    /// A game that does not name its start position has a move that is legal only from another than
    /// was assumed. The game has been read from there.
    #[error("'{}' is legal only from the {} start position, so the game was read from there", quote_short(.word), .start.name())]
    AssumedStart {
        /// The text of the move.
        word: String,
        /// The start position.
        start: StartPosition,
    },
    /// A ply after the end of the game.
    #[error("'{}' comes after the end of the game: {ending}", quote_short(.word))]
    AfterEnd {
        /// The text of the ply.
        word: String,
        /// How the game ended.
        ending: Ending,
    },
    /// A ply that cannot be played, such as the withdrawal of an eliminated player.
    #[error("'{}' cannot be played: {error}", quote_short(.word))]
    Ply {
        /// The text of the ply.
        word: String,
        /// Why it cannot be played.
        #[source]
        error: IllegalPlyError,
    },
    /// A `#` or `S` that contradicts how, or whether, the player was eliminated.
    #[error(
        "'{}' says that {player} is {}, but {player} {}",
        quote_short(.word),
        if .word == "S" { "stalemated" } else { "mated" },
        .elimination.map_or("can move".to_owned(), |elimination| elimination.to_string())
    )]
    WrongElimination {
        /// The text: `#` or `S`.
        word: String,
        /// The player in whose place it is written.
        player: Player,
        /// How the player was eliminated; `None` if the player is still in the game.
        elimination: Option<Elimination>,
    },
}
