//! Shared by PGN and PGN4: splitting a stream into tokens, tags, comments, annotations, variations,
//! recovery after an error, and writing all of it back.
//!
//! A game crate implements [`Format`] for its own moves, tags and results, and gets a [`Reader`] for
//! streams of any length, an [`Error`] with its location, the tree of moves ([`Line`] and [`Node`])
//! and a [`Writer`].
//!
//! Both formats are read alike: text that is not UTF-8 is decoded as Latin-1, byte order marks at
//! the start are ignored, and so are lines that begin with `%`. A game with an error ends at the
//! line that ends with its result or before the next line that begins with a tag.

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
pub use reader::Reader;
pub use tags::{Tags, set_tag, tag};
pub use tree::{Line, MAX_NESTING, Node, OpenLine};
pub use writer::Writer;

/// The differences between the formats. A value of the type plays the moves of one game.
pub trait Format: std::fmt::Debug + Sized + 'static {
    /// Whether the value of a tag may continue on the following lines.
    const MULTILINE_TAGS: bool;
    /// Whether dots separate words like spaces.
    const DOTS_SEPARATE: bool;
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

    /// Parses the result of a game.
    fn result(text: &str) -> Option<Self::Result>;

    /// Removes the move number before a move, if numbers and moves may be one word.
    fn strip_number(word: &str) -> &str {
        word
    }

    /// Reads a word that is not a result, without its number and the signs `!` and `?` after it.
    ///
    /// # Errors
    /// Returns an error if the word is not a move that can be played here.
    fn word(&mut self, word: &str, line: &mut OpenLine<Self>) -> Result<(), Self::Error>;

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
