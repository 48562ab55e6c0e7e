//! Shared by PGN and PGN4: splitting a stream into tokens, tags, comments, annotations, variations,
//! recovery after an error, and writing all of it back.
//!
//! A game crate implements [`Format`] for its own moves, tags and results, and gets a [`Reader`] for
//! streams of any length, an [`Error`] with its location, the tree of moves ([`Line`] and [`Node`])
//! and a [`Writer`].
//!
//! Both formats are read alike: text that is not UTF-8 is decoded as Latin-1, byte order marks at
//! the start are ignored, and so are lines that begin with `%`. Lines end with a line feed, a
//! carriage return or both. A comment without its closing brace ends before a tag that follows an
//! empty line, and before the tag `Event` after a line that ends with a result. After an empty line, a
//! tag that the game already has begins the next game, and so do the number 1 after moves and a move
//! without a number after a result.
//!
//! A strict reader reports a game with an error instead of the game. It ends at the line that ends
//! with its result or before the next line that begins with a tag. A lenient reader
//! ([`Format::LENIENT`]) returns what it could read, and keeps the errors as
//! [problems](Reader::problems). Text that is not a move is skipped. After a move that cannot be
//! played, the rest of its line is skipped, up to the end of the variation or of the game.

mod error;
mod lexer;
mod reader;
mod tags;
#[cfg(test)]
mod tests;
mod tree;
mod writer;

pub use error::{Error, ErrorKind};
pub use lexer::Location;
pub use reader::{MAX_PROBLEMS, Reader, is_first_number};
pub use tags::{Tags, set_tag, tag};
pub use tree::{Line, MAX_NESTING, Node, OpenLine, Recovery};
pub use writer::Writer;

/// The differences between the formats. A value of the type plays the moves of one game.
pub trait Format: std::fmt::Debug + Sized + 'static {
    /// Whether the value of a tag may continue on the following lines.
    const MULTILINE_TAGS: bool;
    /// Whether dots separate words like spaces.
    const DOTS_SEPARATE: bool;
    /// Whether [`Reader::new`] reads leniently.
    const LENIENT: bool = false;
    /// The tags that describe the start of a game. They are not stored with the other tags, because
    /// they follow from its start.
    const START_TAGS: &'static [&'static str];

    /// A game as it is read.
    type Game;
    /// A position, with whatever else is needed to read the next word.
    type State: Clone;
    /// A move in a line.
    type Move;
    /// The result of a game.
    type Result;
    /// What can be wrong with a game apart from its text.
    type Error: std::error::Error + 'static;

    /// Returns the start of the game that the tags describe.
    ///
    /// # Errors
    /// Returns what is wrong with a tag, and the location of the tag.
    fn start(tags: &Tags) -> Result<(Self, Self::State), (Self::Error, Location)>;

    /// Returns the start of the game for a lenient reader. Must agree with [`Format::start`] where
    /// that succeeds.
    ///
    /// # Errors
    /// Returns what is wrong with a tag, and the location of the tag.
    fn lenient_start(tags: &Tags) -> Result<(Self, Self::State), (Self::Error, Location)> {
        Self::start(tags)
    }

    /// Returns whether a word after the result of a game begins another one, which has no tags.
    fn begins_game(_word: &str) -> bool {
        true
    }

    /// Parses the result of a game.
    fn result(text: &str) -> Option<Self::Result>;

    /// Returns whether a later result of the same game is ignored.
    fn is_final(_result: &Self::Result) -> bool {
        true
    }

    /// Removes the move number before a move, if numbers and moves may be one word.
    fn strip_number(word: &str) -> &str {
        word
    }

    /// Reads a word that is not a result, without its number and the signs `!` and `?` after it.
    ///
    /// # Errors
    /// Returns an error if the word is not a move that can be played here.
    fn word(&mut self, word: &str, line: &mut OpenLine<Self>) -> Result<(), Self::Error>;

    /// Decides what a lenient reader does with a word for which [`Format::word`] returned an error.
    fn recover(
        &mut self,
        _word: &str,
        error: Self::Error,
        _line: &mut OpenLine<Self>,
    ) -> Recovery<Self> {
        Recovery::Stop(error)
    }

    /// Prepares for a variation, which replaces the last move.
    fn open_variation(&mut self) {}

    /// Returns to the line that a variation belongs to, which is in the state `after`.
    fn close_variation(&mut self, _variation: &Line<Self::Move>, _after: &Self::State) {}

    /// Creates a game from its parts. `result` is the one written after the moves, if any.
    fn game(
        tags: Tags,
        start: Self::State,
        line: Line<Self::Move>,
        result: Option<Self::Result>,
    ) -> Self::Game;
}
