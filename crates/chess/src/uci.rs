//! Parses moves in UCI notation; [`Move::uci`] writes them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use fourfold_board::Square;
use fourfold_common::quote_short;
use thiserror::Error;

use crate::{BOARD, Move, Position, Refusal, Role};

impl Position {
    /// Parses a legal move in UCI notation: `e2e4`, `e7e8q`. Castling is the king's move to its
    /// target in standard chess (`e1g1`) and the king capturing its own rook in Chess960 (`e1h1`).
    ///
    /// ```
    /// use fourfold_chess::Position;
    /// let start = Position::start();
    /// assert_eq!(start.san(start.parse_uci("g1f3")?), "Nf3");
    /// assert_eq!(start.parse_uci("e2e5").unwrap_err().to_string(),
    ///     "'e2e5' is not legal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// # Ok::<(), fourfold_chess::ParseMoveError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a move or the move is not legal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, ParseMoveError> {
        let malformed = || ParseMoveError::malformed(text, "a move like 'e2e4' or 'e7e8q'");
        let (from, to, promotion) = parse(text).ok_or_else(malformed)?;
        let found = self.legal_moves().into_iter().find(|mv| {
            mv.from() == from && mv.uci_target(self.variant()) == to && mv.promotion() == promotion
        });
        found.ok_or_else(|| ParseMoveError::Illegal { text: text.to_owned(), fen: self.fen() })
    }

    /// Returns why a move in UCI notation is not legal, as [`Position::refusal`] does. Returns
    /// `None` if the move is legal or the text is not a move.
    pub fn uci_refusal(&self, text: &str) -> Option<Refusal> {
        let (from, to, promotion) = parse(text)?;
        self.refusal(from, to, promotion)
    }
}

/// Parses the origin, the target and the role to promote to.
fn parse(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let from = BOARD.parse(text.get(0..2)?).ok()?;
    let to = BOARD.parse(text.get(2..4)?).ok()?;
    let promotion = match text.get(4..)? {
        "" => None,
        "q" => Some(Role::Queen),
        "r" => Some(Role::Rook),
        "b" => Some(Role::Bishop),
        "n" => Some(Role::Knight),
        _ => return None,
    };
    Some((from, to, promotion))
}

/// The error returned when a string is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The text does not look like a move.
    #[error("expected {expected}, got '{}'", quote_short(.text))]
    Malformed {
        /// The text.
        text: String,
        /// A description of what was expected.
        expected: &'static str,
    },
    /// The move is not legal in the position.
    #[error("'{}' is not legal in {fen}", quote_short(.text))]
    Illegal {
        /// The text.
        text: String,
        /// The position as a FEN.
        fen: String,
    },
    /// More than one legal move matches.
    #[error("'{}' is ambiguous: {}", quote_short(.text), .candidates.join(" or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The matching moves in standard algebraic notation.
        candidates: Vec<String>,
    },
}

impl ParseMoveError {
    pub(crate) fn malformed(text: &str, expected: &'static str) -> ParseMoveError {
        ParseMoveError::Malformed { text: text.to_owned(), expected }
    }
}
