//! Coordinate notation of moves: `d2d4`, `e7e8d`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use fourfold_board::Square;
use fourfold_common::quote_short;
use thiserror::Error;

use crate::{BOARD, Move, Position, Role};

impl Position {
    /// Parses a legal move: the two squares and the letter of the promotion. In free-for-all, where
    /// there is no choice, the letter may be omitted.
    ///
    /// ```
    /// use fourfold_four_player::{StartPosition, Position, Rules};
    /// let position = Position::start(StartPosition::Modern, Rules::default());
    /// assert_eq!(position.parse_move("d2d4")?.to_string(), "d2d4");
    /// assert_eq!(position.parse_move("d2d5").unwrap_err().to_string(), "'d2d5' is not legal here");
    /// # Ok::<(), fourfold_four_player::ParseMoveError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a move or does not match exactly one legal move.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let (from, to, promotion) =
            read(text).ok_or_else(|| ParseMoveError::Malformed { text: text.to_owned() })?;
        let legal = self.legal_moves();
        let fitting = legal.iter().filter(|mv| mv.from() == from && mv.to() == to);
        let letter = |mv: &Move| mv.promotion().map(|role| role.letter().to_ascii_lowercase());
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

/// Splits a move like `d2d4` or `e7e8d` into squares and promotion letter.
fn read(text: &str) -> Option<(Square, Square, Option<char>)> {
    let second = text.char_indices().skip(1).find(|(_, letter)| letter.is_ascii_alphabetic())?.0;
    let (from, rest) = text.split_at(second);
    let end = rest.char_indices().skip(1).find(|(_, letter)| !letter.is_ascii_digit());
    let (to, last) = rest.split_at(end.map_or(rest.len(), |(offset, _)| offset));
    let mut letters = last.chars();
    let promotion = letters.next();
    if letters.next().is_some() {
        return None;
    }
    Some((BOARD.parse(from).ok()?, BOARD.parse(to).ok()?, promotion))
}

/// The error returned when a string does not match exactly one legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// Not two squares with an optional promotion letter.
    #[error("expected a move like 'd2d4' or 'e7e8q', got '{}'", quote_short(.text))]
    Malformed {
        /// The text.
        text: String,
    },
    /// Not a move in the notation of [`Position::parse_notation`].
    #[error(
        "expected a move like 'h2-h3', 'Qg1xQn8+', 'h7-h8=D' or 'O-O', got '{}'",
        quote_short(.text)
    )]
    MalformedNotation {
        /// The text.
        text: String,
    },
    /// Matches no legal move.
    #[error("'{}' is not legal here", quote_short(.text))]
    Illegal {
        /// The text.
        text: String,
    },
    /// Matches several legal moves, which differ in the promotion.
    #[error("'{}' is ambiguous: {}", quote_short(.text), .candidates.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The matching moves.
        candidates: Vec<String>,
    },
    /// The text names a role that the piece on the square does not have.
    #[error(
        "'{}' expects a {} on {}, but there is {}",
        quote_short(.text),
        .expected.name(),
        BOARD.name(*.square),
        .found.map_or("no piece".to_owned(), |role| format!("a {}", role.name()))
    )]
    WrongRole {
        /// The text.
        text: String,
        /// The role in the text.
        expected: Role,
        /// The square.
        square: Square,
        /// The role of the player's own piece or of the captured piece there, if any.
        found: Option<Role>,
    },
    /// The text contains an `x`, but the move captures nothing.
    #[error("'{}' captures nothing", quote_short(.text))]
    CapturesNothing {
        /// The text.
        text: String,
    },
}
