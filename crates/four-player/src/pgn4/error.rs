//! Errors in PGN4 games.

use std::fmt;

use fourfold_common::quote_short;

use super::Elimination;
use super::lexer::LexError;
use super::movetext::MAX_NESTING;
use crate::{
    CannotWithdraw, Ending, IllegalMove, ParseFen4Error, ParseMoveError, Player, UnknownRule,
};

/// The error returned when a ply cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IllegalPly {
    /// The move is not legal.
    Move(IllegalMove),
    /// The player cannot withdraw.
    Leave(CannotWithdraw),
}

impl fmt::Display for IllegalPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalPly::Move(error) => write!(f, "{error}"),
            IllegalPly::Leave(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for IllegalPly {}

/// An error in a game, with its location.
#[derive(Debug)]
#[non_exhaustive]
pub struct Pgn4Error {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: Pgn4ErrorKind,
}

/// The kinds of errors in a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum Pgn4ErrorKind {
    /// The stream could not be read.
    Io(std::io::Error),
    /// A tag does not have the form `[Name "value"]`.
    Tag,
    /// A `{` without a `}`.
    UnclosedComment,
    /// A `(` without a `)`.
    UnclosedVariation,
    /// A `)` without a `(`.
    UnopenedVariation,
    /// Variations are nested deeper than [`MAX_NESTING`].
    TooDeep,
    /// An annotation or a variation before any move.
    NothingToAnnotate,
    /// A numeric annotation outside `$0` to `$255`, or an unknown combination of `!` and `?`.
    Nag(String),
    /// The `Variant` tag names an unsupported variant.
    Variant(String),
    /// A word in the `Rules` tag is not a rule.
    Rules(UnknownRule),
    /// The `StartFen4` tag is neither a FEN4 nor the name of an opening.
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
        error: IllegalPly,
    },
    /// A `#` or `S` that contradicts how, or whether, the player was eliminated.
    Out {
        /// The text: `#` or `S`.
        word: String,
        /// The player in whose place it is written.
        player: Player,
        /// How the player was eliminated; `None` if the player is still in the game.
        fate: Option<Elimination>,
    },
}

impl From<LexError> for Pgn4ErrorKind {
    fn from(error: LexError) -> Pgn4ErrorKind {
        match error {
            LexError::Io(error) => Pgn4ErrorKind::Io(error),
            LexError::Tag => Pgn4ErrorKind::Tag,
            LexError::UnclosedComment => Pgn4ErrorKind::UnclosedComment,
        }
    }
}

impl fmt::Display for Pgn4ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pgn4ErrorKind::Io(error) => write!(f, "cannot read: {error}"),
            Pgn4ErrorKind::Tag => write!(f, "expected a tag like [Name \"value\"]"),
            Pgn4ErrorKind::UnclosedComment => {
                write!(f, "unclosed comment: '{{' without '}}'")
            }
            Pgn4ErrorKind::UnclosedVariation => {
                write!(f, "unclosed variation: '(' without ')'")
            }
            Pgn4ErrorKind::UnopenedVariation => write!(f, "')' without a matching '('"),
            Pgn4ErrorKind::TooDeep => write!(f, "variations are nested deeper than {MAX_NESTING}"),
            Pgn4ErrorKind::NothingToAnnotate => {
                write!(f, "annotation or variation before the first move")
            }
            Pgn4ErrorKind::Nag(text) => {
                write!(f, "'{}' is not an annotation: expected $0 to $255", quote_short(text))
            }
            Pgn4ErrorKind::Variant(name) => {
                write!(f, "unknown variant '{}': expected FFA or Teams", quote_short(name))
            }
            Pgn4ErrorKind::Rules(error) => write!(f, "{error}"),
            Pgn4ErrorKind::Start(name) => write!(
                f,
                "start '{}' is neither a FEN4 nor one of 4PC, 4PCo, 4PCb, 4PCn, 4PCrg",
                quote_short(name)
            ),
            Pgn4ErrorKind::Fen4(error) => write!(f, "bad FEN4: {error}"),
            Pgn4ErrorKind::Move(error) => write!(f, "{error}"),
            Pgn4ErrorKind::AfterEnd { word, ending } => {
                write!(f, "'{}' comes after the end of the game: {ending}", quote_short(word))
            }
            Pgn4ErrorKind::Ply { word, error } => {
                write!(f, "'{}' cannot be played: {error}", quote_short(word))
            }
            Pgn4ErrorKind::Out { word, player, fate } => {
                let said = if word == "S" { "stalemated" } else { "mated" };
                write!(f, "'{}' says that {player} is {said}, but {player} ", quote_short(word))?;
                match fate {
                    Some(fate) => write!(f, "{fate}"),
                    None => f.write_str("can move"),
                }
            }
        }
    }
}

impl fmt::Display for Pgn4Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

impl std::error::Error for Pgn4Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Pgn4ErrorKind::Io(error) => Some(error),
            Pgn4ErrorKind::Rules(error) => Some(error),
            Pgn4ErrorKind::Fen4(error) => Some(error),
            Pgn4ErrorKind::Move(error) => Some(error),
            Pgn4ErrorKind::Ply { error, .. } => Some(error),
            Pgn4ErrorKind::Tag
            | Pgn4ErrorKind::UnclosedComment
            | Pgn4ErrorKind::UnclosedVariation
            | Pgn4ErrorKind::UnopenedVariation
            | Pgn4ErrorKind::TooDeep
            | Pgn4ErrorKind::NothingToAnnotate
            | Pgn4ErrorKind::Nag(_)
            | Pgn4ErrorKind::Variant(_)
            | Pgn4ErrorKind::Start(_)
            | Pgn4ErrorKind::AfterEnd { .. }
            | Pgn4ErrorKind::Out { .. } => None,
        }
    }
}
