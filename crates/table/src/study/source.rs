//! Sources of positions: a FEN, lines of FENs, or games in PGN.

use std::collections::VecDeque;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fourfold_chess::Position;
use fourfold_chess::pgn::Reader;
use thiserror::Error;

use super::position;
use crate::game_file::{Counted, chess_position, is_position_list, next_line, trim_start};

/// A position or an error, and where it was found.
pub struct Item {
    /// The position, or why it could not be read.
    pub found: Result<Found, String>,
    /// The name of the source.
    pub name: Arc<str>,
    /// The place in the source.
    pub at: ItemLocation,
    /// The number of bytes read from the source so far.
    pub bytes: u64,
    strict: bool,
}

/// A position that was found, as text or parsed.
pub enum Found {
    /// A line that should be a FEN. It has not been parsed yet.
    Text(String),
    /// A position of a game.
    Position(Box<Position>),
}

/// Where an [`Item`] was found in its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemLocation {
    /// It is the only one in its source.
    Only,
    /// The index in a list, counted from 0.
    Index(u64),
    /// The line of a file, counted from 1.
    Line(u64),
    /// The game of a file, counted from 1, and the number of plies played in it.
    Game(u64, u32),
}

/// An error and where it occurred.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{place}: {reason}")]
pub struct Fault {
    /// The name of the source, with the line or index if there is one.
    pub place: String,
    /// What is wrong. For games this includes the line and column.
    pub reason: String,
}

impl Item {
    /// Returns the position. A FEN is parsed here.
    ///
    /// # Errors
    /// Returns an error if the item is not a valid position.
    pub fn position(&self) -> Result<Position, Fault> {
        match &self.found {
            Ok(Found::Text(text)) if self.strict => {
                position(text).map_err(|error| self.fault(&error))
            }
            // Most are valid, and the strict parser is faster.
            Ok(Found::Text(text)) => position(text)
                .or_else(|_| chess_position(text).map(|(position, _)| position))
                .map_err(|error| self.fault(&error)),
            Ok(Found::Position(position)) => Ok(**position),
            Err(error) => Err(self.fault(error)),
        }
    }

    /// Returns the FEN as it was found. `None` for a position of a game and for errors.
    pub fn text(&self) -> Option<&str> {
        match &self.found {
            Ok(Found::Text(text)) => Some(text),
            Ok(Found::Position(_)) | Err(_) => None,
        }
    }

    fn fault(&self, reason: &dyn Display) -> Fault {
        let name = &self.name;
        let place = match self.at {
            // Errors in games contain the line themselves.
            ItemLocation::Only | ItemLocation::Game(..) => name.to_string(),
            ItemLocation::Index(index) => format!("{name}[{index}]"),
            ItemLocation::Line(line) => format!("{name}:{line}"),
        };
        Fault { place, reason: reason.to_string() }
    }
}

/// An iterator over the positions of a FEN, a file or a stream.
///
/// ```
/// use fourfold_table::study::Source;
///
/// let file = "# two rooks\n4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\n4k3 w\n";
/// let source = Source::stream("rooks.fen", Box::new(file.as_bytes()), None)?;
/// let found: Vec<_> = source.map(|item| item.position()).collect();
/// assert!(found[0].is_ok());
/// assert_eq!(found[1].as_ref().unwrap_err().place, "rooks.fen:3");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Source {
    name: Arc<str>,
    content: Content,
    read: Arc<AtomicU64>,
    length: Option<u64>,
    strict: bool,
}

enum Content {
    Single(Option<String>),
    Lines { input: BufReader<Counted>, line: u64 },
    Games(Box<Games>),
}

/// The games of a PGN file. What could not be read of a game follows its positions.
struct Games {
    reader: Reader<BufReader<Counted>>,
    left: VecDeque<Result<Position, String>>,
    game: u64,
    ply: u32,
}

impl Games {
    fn next(&mut self) -> Option<(Result<Found, String>, ItemLocation)> {
        if self.left.is_empty() {
            (self.game, self.ply) = (self.game + 1, 0);
            match self.reader.next()? {
                Ok(game) => self.left.extend(game.positions().map(Ok)),
                Err(error) => self.left.push_back(Err(error.to_string())),
            }
            let problems = self.reader.problems().iter().map(|problem| Err(problem.to_string()));
            self.left.extend(problems);
        } else if self.left.front().is_some_and(Result::is_ok) {
            self.ply += 1;
        }
        // A game has at least its start position.
        let found = self.left.pop_front()?;
        let found = found.map(|position| Found::Position(Box::new(position)));
        Some((found, ItemLocation::Game(self.game, self.ply)))
    }
}

/// What a source contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceKind {
    /// A single FEN.
    Fen,
    /// One FEN per line.
    Lines,
    /// Games in PGN.
    Games,
}

impl Source {
    /// Creates a source from a FEN or, if the text does not look like one, from the file with that
    /// path.
    ///
    /// # Errors
    /// Returns an error if there is no such file, or if it cannot be read.
    pub fn open(input: &str) -> io::Result<Source> {
        let words = input.split_whitespace().count();
        if input.contains('/') && words > 1 && !Path::new(input).is_file() {
            let content = Content::Single(Some(input.to_owned()));
            let read = Arc::default();
            return Ok(Source { name: "FEN".into(), content, read, length: None, strict: false });
        }
        Source::file(Path::new(input))
    }

    /// Opens a file of FENs or of games in PGN. Its content decides which.
    ///
    /// # Errors
    /// Returns an error if there is no such file, or if it cannot be read.
    pub fn file(path: &Path) -> io::Result<Source> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot read '{}': {error}", path.display()))
        };
        let file = File::open(path).map_err(named)?;
        let length = file.metadata().ok().map(|about| about.len());
        Source::stream(&path.to_string_lossy(), Box::new(file), length).map_err(named)
    }

    /// Reads FENs or games in PGN from a stream. `length` is the number of bytes, if known.
    ///
    /// # Errors
    /// Returns an error if the stream cannot be read.
    pub fn stream(
        name: &str,
        source: Box<dyn Read + Send>,
        length: Option<u64>,
    ) -> io::Result<Source> {
        let read = Arc::new(AtomicU64::new(0));
        let mut input = BufReader::new(Counted { source, read: Arc::clone(&read) });
        let first = String::from_utf8_lossy(input.fill_buf()?);
        let first = trim_start(&first);
        let content = if first.is_empty() || is_position_list(first) {
            Content::Lines { input, line: 0 }
        } else {
            let (reader, left) = (Reader::new(input), VecDeque::new());
            Content::Games(Box::new(Games { reader, left, game: 0, ply: 0 }))
        };
        Ok(Source { name: name.into(), content, read, length, strict: false })
    }

    /// Reads strictly: a game with an error has no positions, and a FEN has six fields. By default the
    /// positions before the error are kept, and the error follows them.
    #[must_use]
    pub fn strict(mut self) -> Source {
        self.strict = true;
        if let Content::Games(games) = &mut self.content {
            games.reader.set_strict(true);
        }
        self
    }

    /// Returns what the source contains.
    pub const fn kind(&self) -> SourceKind {
        match self.content {
            Content::Single(_) => SourceKind::Fen,
            Content::Lines { .. } => SourceKind::Lines,
            Content::Games(_) => SourceKind::Games,
        }
    }

    /// Returns the total number of bytes, if known.
    pub const fn bytes(&self) -> Option<u64> {
        self.length
    }

    fn item(&self, found: Result<Found, String>, at: ItemLocation) -> Item {
        let bytes = self.read.load(Ordering::Relaxed);
        Item { found, name: Arc::clone(&self.name), at, bytes, strict: self.strict }
    }
}

impl Iterator for Source {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let (found, at) = match &mut self.content {
            Content::Single(text) => (Ok(Found::Text(text.take()?)), ItemLocation::Only),
            Content::Lines { input, line } => {
                let found = next_line(input, line);
                let at = ItemLocation::Line(*line);
                let found = found.transpose()?.map_err(|error| {
                    // Nothing more can be read after an I/O error.
                    self.content = Content::Single(None);
                    error.to_string()
                });
                (found.map(Found::Text), at)
            }
            Content::Games(games) => games.next()?,
        };
        Some(self.item(found, at))
    }
}
