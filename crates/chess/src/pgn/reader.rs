//! Reads the moves and tags of a PGN.

use fourfold_common::quote_short;
use fourfold_movetext::{Format, Location, OpenLine, Recovery, Tags, is_first_number, tag};
use thiserror::Error;

use super::{Game, GameResult, Line, lenient};
use crate::{Move, ParseFenError, ParseMoveError, Position, Setup, Variant};

/// Reads games one after another, leniently: the moves before an error are kept, and the error is
/// one of the [problems](fourfold_movetext::Reader::problems) of the game. A game is reported as an
/// error only if its start position is unknown or there is nothing to keep.
///
/// `Reader::strict` creates a reader that reports a game with an error, with its location, instead of
/// the game.
///
/// ```
/// use fourfold_chess::pgn::Reader;
///
/// let text = "1. e4 e5 (1... c5 2. Ke3) 2. g1f3 Nc6 3. Bb6 a6 1-0";
/// let mut reader = Reader::new(text.as_bytes());
/// let game = reader.next().expect("a game")?;
/// assert_eq!(game.to_string(), "\n1. e4 e5 ( 1... c5 ) 2. Nf3 Nc6 1-0\n");
/// let problems: Vec<_> = reader.problems().iter().map(|error| error.to_string()).collect();
/// assert!(problems[0].starts_with("line 1, column 22: 'Ke3' is not legal in"));
/// assert!(problems[1].starts_with("line 1, column 42: 'Bb6' is not legal in"));
/// assert!(Reader::strict(text.as_bytes()).next().expect("a game").is_err());
/// # Ok::<(), fourfold_chess::pgn::PgnError>(())
/// ```
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
    const LENIENT: bool = true;
    const START_TAGS: &'static [&'static str] = &["FEN", "SetUp", "Variant"];

    type Game = Game;
    type State = Position;
    type Move = Move;
    type Result = GameResult;
    type Error = GameError;

    fn start(tags: &Tags) -> Result<(Pgn, Position), (GameError, Location)> {
        let (variant, location) = variant(tags)?;
        let position = match (tags.start_tag("FEN"), location) {
            (Some((fen, location)), _) => Position::from_fen_in(fen, variant)
                .map_err(|error| (GameError::Fen(error), location))?,
            (None, Some(location)) if variant == Variant::Chess960 => {
                return Err((GameError::NoFen, location));
            }
            (None, _) => Position::start(),
        };
        Ok((Pgn(()), position))
    }

    fn lenient_start(tags: &Tags) -> Result<(Pgn, Position), (GameError, Location)> {
        let (variant, _) = variant(tags)?;
        let position = match tags.start_tag("FEN") {
            Some((fen, location)) => Position::from_fen_lenient(fen, variant)
                .map_err(|error| (GameError::Fen(error), location))?,
            // The usual start position is one of Chess960, too.
            None => Setup { variant, ..Setup::start() }.validate().unwrap_or(Position::start()),
        };
        Ok((Pgn(()), position))
    }

    fn begins_game(word: &str) -> bool {
        is_first_number(word)
    }

    fn result(text: &str) -> Option<GameResult> {
        GameResult::from_text(text)
    }

    fn is_final(result: &GameResult) -> bool {
        *result != GameResult::Open
    }

    fn strip_number(word: &str) -> &str {
        let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if rest.is_empty() && lenient::is_null_move(word) {
            return word;
        }
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

    fn recover(&mut self, word: &str, error: GameError, line: &mut OpenLine<Pgn>) -> Recovery<Pgn> {
        lenient::recover(word, error, line)
    }

    fn game(tags: Tags, start: Position, line: Line, result: Option<GameResult>) -> Game {
        let tags = tags.others;
        // The tag knows more than the `*` of a program that was not told the result.
        let tagged = || tag(&tags, "Result").and_then(GameResult::from_text);
        let result = result.filter(Self::is_final).or_else(tagged).unwrap_or(GameResult::Open);
        Game { tags, start, line, result }
    }
}

/// Returns the variant of a game, and the location of the tag that names it.
fn variant(tags: &Tags) -> Result<(Variant, Option<Location>), (GameError, Location)> {
    let Some((name, location)) = tags.start_tag("Variant") else {
        return Ok((Variant::Standard, None));
    };
    let variant = match name.to_lowercase().replace([' ', '-'], "").as_str() {
        "chess960" | "fischerandom" | "fischerrandom" => Variant::Chess960,
        "" | "chess" | "standard" | "classical" | "normal" | "illegal" | "fromposition" => {
            Variant::Standard
        }
        // Variants of the Free Internet Chess Server, which differ in the start position alone.
        wild if wild.strip_prefix("wild/").is_some_and(is_wild) => Variant::Standard,
        _ => return Err((GameError::Variant(name.to_owned()), location)),
    };
    Ok((variant, Some(location)))
}

fn is_wild(number: &str) -> bool {
    number == "8a" || matches!(number.as_bytes(), [b'0'..=b'8'])
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
    /// A null move of a side that is in check.
    #[error("a side in check cannot pass: '{}'", quote_short(.0))]
    NullMoveInCheck(String),
    /// An invalid move.
    #[error("{0}")]
    Move(#[source] ParseMoveError),
}
