//! Reads the moves and tags of a PGN.

use fourfold_common::quote_short;
use fourfold_movetext::{Format, Location, OpenLine, Tags, tag};
use thiserror::Error;

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
            Some((name, location)) => match name.to_lowercase().replace([' ', '-'], "").as_str() {
                "chess960" | "fischerandom" | "fischerrandom" => Variant::Chess960,
                "" | "chess" | "standard" | "normal" | "fromposition" => Variant::Standard,
                _ => return Err((GameError::Variant(name.to_owned()), location)),
            },
        };
        let position = match (tags.start_tag("FEN"), variant_tag) {
            (Some((fen, location)), _) => Position::from_fen_in(fen, variant)
                .map_err(|error| (GameError::Fen(error), location))?,
            (None, Some((_, location))) if variant == Variant::Chess960 => {
                return Err((GameError::NoFen, location));
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
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GameError {
    /// An unsupported chess variant.
    #[error("unknown variant '{}': expected standard or Chess960", quote_short(.0))]
    Variant(String),
    /// A Chess960 game without a start position.
    #[error("a Chess960 game needs a FEN tag")]
    NoFen,
    /// An invalid start position.
    #[error("{0}")]
    Fen(#[source] ParseFenError),
    /// An invalid move.
    #[error("{0}")]
    Move(#[source] ParseMoveError),
}
