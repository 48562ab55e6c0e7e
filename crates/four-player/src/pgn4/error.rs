//! What may be wrong with a game.

use std::fmt;

use fourfold_board::shown;

use super::Fate;
use super::lexer::LexError;
use super::movetext::MAX_NESTING;
use crate::{
    CannotLeave, Ending, IllegalMove, ParseFen4Error, ParseMoveError, Player, UnknownRule,
};

/// A ply that cannot be played where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IllegalPly {
    /// A move that is not legal.
    Move(IllegalMove),
    /// A player leaves who cannot.
    Leave(CannotLeave),
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

/// What is wrong with a game, and where.
#[derive(Debug)]
#[non_exhaustive]
pub struct Pgn4Error {
    /// The line, from 1.
    pub line: u64,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: Pgn4ErrorKind,
}

/// What may be wrong with a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum Pgn4ErrorKind {
    /// The stream cannot be read.
    Io(std::io::Error),
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
    /// An annotation that is none.
    Nag(String),
    /// A variant of the game that is not played here.
    Variant(String),
    /// A rule that is unknown.
    Rules(UnknownRule),
    /// A name for the start that is none.
    Start(String),
    /// A bad start position.
    Fen4(ParseFen4Error),
    /// A bad move.
    Move(ParseMoveError),
    /// A move after the end of the game.
    AfterEnd {
        /// What is written there.
        word: String,
        /// How the game ended.
        ending: Ending,
    },
    /// A ply that cannot be: a player leaves who is out.
    Ply {
        /// What is written there.
        word: String,
        /// Why it cannot be.
        error: IllegalPly,
    },
    /// A player is said to be out, but the rules have it otherwise.
    Out {
        /// What is written there: `#` or `S`.
        word: String,
        /// The player in whose place it stands.
        player: Player,
        /// How the player went out; none for one who is in the game.
        fate: Option<Fate>,
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
            Pgn4ErrorKind::Tag => write!(f, "a tag is written [Name \"value\"]"),
            Pgn4ErrorKind::UnclosedComment => {
                write!(f, "a comment is opened by '{{' and not closed")
            }
            Pgn4ErrorKind::UnclosedVariation => {
                write!(f, "a variation is opened by '(' and not closed")
            }
            Pgn4ErrorKind::UnopenedVariation => write!(f, "')' closes no variation"),
            Pgn4ErrorKind::TooDeep => write!(f, "variations are nested deeper than {MAX_NESTING}"),
            Pgn4ErrorKind::NothingToAnnotate => {
                write!(f, "an annotation or a variation stands before any move")
            }
            Pgn4ErrorKind::Nag(text) => {
                write!(f, "'{}' is no annotation from $0 to $255", shown(text))
            }
            Pgn4ErrorKind::Variant(name) => {
                write!(f, "variant '{}' is neither FFA nor Teams", shown(name))
            }
            Pgn4ErrorKind::Rules(error) => write!(f, "{error}"),
            Pgn4ErrorKind::Start(name) => write!(
                f,
                "start '{}' is neither a FEN4 nor one of 4PC, 4PCo, 4PCb, 4PCn, 4PCrg",
                shown(name)
            ),
            Pgn4ErrorKind::Fen4(error) => write!(f, "bad FEN4: {error}"),
            Pgn4ErrorKind::Move(error) => write!(f, "{error}"),
            Pgn4ErrorKind::AfterEnd { word, ending } => {
                write!(f, "'{}' comes after the end of the game: {ending}", shown(word))
            }
            Pgn4ErrorKind::Ply { word, error } => {
                write!(f, "'{}' cannot be: {error}", shown(word))
            }
            Pgn4ErrorKind::Out { word, player, fate } => {
                let said = if word == "S" { "stalemated" } else { "mated" };
                write!(f, "'{}' says that {player} is {said}, but {player} ", shown(word))?;
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
