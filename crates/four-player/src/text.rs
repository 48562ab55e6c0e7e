//! Moves as programs write them: `d2d4`, `e7e8d`.

use std::fmt;

use fourfold_board::{Square, shown};

use crate::{BOARD, Move, Position};

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
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseMoveError::Malformed { text } => {
                write!(f, "'{}' is not a move like 'd2d4' or 'e7e8q'", shown(text))
            }
            ParseMoveError::Illegal { text } => write!(f, "{} is not legal here", shown(text)),
            ParseMoveError::Ambiguous { text, candidates } => {
                write!(f, "{} may be {}", shown(text), candidates.join(", "))
            }
        }
    }
}

impl std::error::Error for ParseMoveError {}
