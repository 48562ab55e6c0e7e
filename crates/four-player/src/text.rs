//! Moves as programs write them: `d2d4`, `e7e8d`.

use std::fmt;

use fourfold_board::{Square, shown};

use crate::{BOARD, Kind, Move, Position};

impl Position {
    /// The legal move that a text means: from, to, and what a pawn becomes. In free-for-all, where
    /// there is no choice, the last letter may be left out.
    ///
    /// ```
    /// use fourfold_four_player::{Opening, Position, Rules};
    /// let position = Position::start(Opening::Modern, Rules::default());
    /// assert_eq!(position.parse_move("d2d4")?.to_string(), "d2d4");
    /// assert_eq!(position.parse_move("d2d5").unwrap_err().to_string(), "d2d5 is not legal here");
    /// # Ok::<(), fourfold_four_player::ParseMoveError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no move, or not one legal move.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let (from, to, promotion) =
            read(text).ok_or_else(|| ParseMoveError::Malformed { text: text.to_owned() })?;
        let legal = self.legal_moves();
        let fitting = legal.iter().filter(|mv| mv.from() == from && mv.to() == to);
        let letter = |mv: &Move| mv.promotion().map(|kind| kind.letter().to_ascii_lowercase());
        let found: Vec<Move> = match promotion {
            Some(_) => fitting.copied().filter(|mv| letter(mv) == promotion).collect(),
            None => fitting.copied().collect(),
        };
        match found[..] {
            [mv] => Ok(mv),
            [] => Err(ParseMoveError::Illegal { text: text.to_owned() }),
            [..] => Err(ParseMoveError::Ambiguous {
                text: text.to_owned(),
                candidates: found.iter().map(Move::to_string).collect(),
            }),
        }
    }
}

/// The squares and the last letter of a text like `d2d4` or `e7e8d`.
fn read(text: &str) -> Option<(Square, Square, Option<char>)> {
    let second = text.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_alphabetic())?.0;
    let (from, rest) = text.split_at(second);
    let end = rest.char_indices().skip(1).find(|(_, letter)| !letter.is_ascii_digit());
    let (to, last) = rest.split_at(end.map_or(rest.len(), |(place, _)| place));
    let mut letters = last.chars();
    let promotion = letters.next();
    if letters.next().is_some() {
        return None;
    }
    Some((BOARD.parse(from).ok()?, BOARD.parse(to).ok()?, promotion))
}

/// Why a text is not one legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// Not two squares and perhaps a letter.
    Malformed {
        /// The text.
        text: String,
    },
    /// Not a move as people write it.
    MalformedNotation {
        /// The text.
        text: String,
    },
    /// No legal move.
    Illegal {
        /// The text.
        text: String,
    },
    /// Several legal moves, which differ in what the pawn becomes or which man moves.
    Ambiguous {
        /// The text.
        text: String,
        /// The moves.
        candidates: Vec<String>,
    },
    /// The text names a kind of man that does not stand there.
    Disagrees {
        /// The text.
        text: String,
        /// The kind that it names.
        said: Kind,
        /// Where it should be.
        square: Square,
        /// What the player has there, or what may be taken there.
        found: Option<Kind>,
    },
    /// The text has an `x`, but there is nothing to take.
    TakesNothing {
        /// The text.
        text: String,
    },
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseMoveError::Malformed { text } => {
                write!(f, "'{}' is not a move like 'd2d4' or 'e7e8q'", shown(text))
            }
            ParseMoveError::MalformedNotation { text } => write!(
                f,
                "'{}' is not a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O'",
                shown(text)
            ),
            ParseMoveError::Illegal { text } => write!(f, "{} is not legal here", shown(text)),
            ParseMoveError::Ambiguous { text, candidates } => {
                write!(f, "{} may be {}", shown(text), candidates.join(", "))
            }
            ParseMoveError::Disagrees { text, said, square, found } => write!(
                f,
                "'{}' needs a {} on {}, which holds {}",
                shown(text),
                said.name(),
                BOARD.name(*square),
                found.map_or("none".to_owned(), |kind| format!("a {}", kind.name()))
            ),
            ParseMoveError::TakesNothing { text } => {
                write!(f, "'{}' has nothing to take", shown(text))
            }
        }
    }
}

impl std::error::Error for ParseMoveError {}
