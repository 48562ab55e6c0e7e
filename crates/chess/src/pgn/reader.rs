//! Reads the moves and tags of a PGN.

use std::fmt;

use fourfold_common::quote_short;
use fourfold_movetext::{Format, Location, OpenLine, Tags, tag};

use super::{Game, GameResult, Line};
use crate::{Move, ParseFenError, ParseMoveError, Position, Variant};

/// Reads games one after another. A game with an error is reported with its location and skipped;
/// reading continues with the next one. (A comment that is never closed swallows the rest of the
/// stream.)
pub type Reader<R> = fourfold_movetext::Reader<R, Pgn>;

/// An error in a game, and its location.
pub type PgnError = fourfold_movetext::Error<Pgn>;

/// What can be wrong with a game.
pub type PgnErrorKind = fourfold_movetext::ErrorKind<Pgn>;

/// The format of PGN.
#[derive(Debug)]
pub struct Pgn(());

impl Format for Pgn {
    const MULTILINE_TAGS: bool = false;
    const DOTS_SEPARATE: bool = false;
    const START_TAGS: &'static [&'static str] = &["FEN", "SetUp", "Variant"];

    type Game = Game;
    type State = Position;
    type Move = Move;
    type Result = GameResult;
    type Error = GameError;

    fn start(tags: &Tags) -> Result<(Pgn, Position), (GameError, Location)> {
        let variant_tag = tags.start_tag("Variant");
        let variant = match variant_tag {
            None => Variant::Standard,
            Some((name, place)) => match name.to_lowercase().replace([' ', '-'], "").as_str() {
                "chess960" | "fischerandom" | "fischerrandom" => Variant::Chess960,
                "" | "chess" | "standard" | "normal" | "fromposition" => Variant::Standard,
                _ => return Err((GameError::Variant(name.to_owned()), place)),
            },
        };
        let position = match (tags.start_tag("FEN"), variant_tag) {
            (Some((fen, place)), _) => Position::from_fen_in(fen, variant)
                .map_err(|error| (GameError::Fen(error), place))?,
            (None, Some((_, place))) if variant == Variant::Chess960 => {
                return Err((GameError::NoFen, place));
            }
            (None, _) => Position::start(),
        };
        Ok((Pgn(()), position))
    }

    fn result(text: &str) -> Option<GameResult> {
        GameResult::from_text(text)
    }

    fn strip_number(word: &str) -> &str {
        let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let numbered = rest.is_empty() || rest.starts_with('.');
        if numbered { rest.trim_start_matches('.') } else { word }
    }

    fn word(&mut self, word: &str, line: &mut OpenLine<Pgn>) -> Result<(), GameError> {
        let san = word.strip_suffix("e.p.").unwrap_or(word);
        if !san.is_empty() {
            let mv = line.state().parse_san(san).map_err(GameError::Move)?;
            line.add(mv, |position| position.play_unchecked(mv));
        }
        Ok(())
    }

    fn game(tags: Tags, start: Position, line: Line, result: Option<GameResult>) -> Game {
        let tags = tags.others;
        let tagged = || tag(&tags, "Result").and_then(GameResult::from_text);
        let result = result.or_else(tagged).unwrap_or(GameResult::Open);
        Game { tags, start, line, result }
    }
}

/// What can be wrong with the start or a move of a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum GameError {
    /// An unsupported chess variant.
    Variant(String),
    /// A Chess960 game without a start position.
    NoFen,
    /// An invalid start position.
    Fen(ParseFenError),
    /// An invalid move.
    Move(ParseMoveError),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Variant(name) => {
                write!(f, "unknown variant '{}': expected standard or Chess960", quote_short(name))
            }
            GameError::NoFen => write!(f, "a Chess960 game needs a FEN tag"),
            GameError::Fen(error) => write!(f, "{error}"),
            GameError::Move(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for GameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            GameError::Fen(error) => Some(error),
            GameError::Move(error) => Some(error),
            GameError::Variant(_) | GameError::NoFen => None,
        }
    }
}
