//! Where positions come from: FENs, lines of FENs, games in PGN.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fourfold_chess::Position;
use fourfold_chess::pgn::{PgnError, Reader};

use super::position;

/// A position, or why there is none, and where it stands.
pub struct Item {
    /// What was found.
    pub found: Result<Found, Unreadable>,
    /// What it was found in.
    pub name: Arc<str>,
    /// Where in it.
    pub at: At,
    /// How much was read by then.
    pub bytes: u64,
}

/// What an [`Item`] is.
pub enum Found {
    /// A line that should be a FEN.
    Text(String),
    /// A position of a game.
    Position(Box<Position>),
}

/// Where an [`Item`] stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// It is the only one.
    Alone,
    /// In a list, from 0.
    Index(u64),
    /// On a line of a file, from 1.
    Line(u64),
    /// In a game of a file, from 1, after so many moves.
    Game(u64, u32),
}

/// Why there is no position.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unreadable {
    /// The game cannot be read.
    Game(PgnError),
    /// The line is not UTF-8.
    NoText,
    /// The file cannot be read any further.
    Io(io::Error),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Game(error) => error.fmt(f),
            Unreadable::NoText => write!(f, "it is no text"),
            Unreadable::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unreadable {}

/// What could not be read, and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The file, with line and column where they are known.
    pub place: String,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for Fault {}

impl Item {
    /// The position itself; a text is read now.
    ///
    /// # Errors
    /// If there is none.
    pub fn position(&self) -> Result<Position, Fault> {
        match &self.found {
            Ok(Found::Text(text)) => position(text).map_err(|error| self.fault(&error)),
            Ok(Found::Position(position)) => Ok(**position),
            Err(error) => Err(self.fault(error)),
        }
    }

    /// The text of a position that was written as one.
    pub fn text(&self) -> Option<&str> {
        match &self.found {
            Ok(Found::Text(text)) => Some(text),
            Ok(Found::Position(_)) | Err(_) => None,
        }
    }

    fn fault(&self, reason: &dyn fmt::Display) -> Fault {
        let name = &self.name;
        let place = match self.at {
            // Games say the line themselves.
            At::Alone | At::Game(..) => name.to_string(),
            At::Index(index) => format!("{name}[{index}]"),
            At::Line(line) => format!("{name}:{line}"),
        };
        Fault { place, reason: reason.to_string() }
    }
}

/// Positions to read, one after the other.
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
    kind: Kind,
    read: Arc<AtomicU64>,
    length: Option<u64>,
}

enum Kind {
    Alone(Option<String>),
    Lines { input: Counted, line: u64 },
    Games { reader: Box<Reader<Counted>>, left: VecDeque<Position>, game: u64, ply: u32 },
}

/// What a source holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// One FEN.
    Fen,
    /// Lines of FENs.
    Lines,
    /// Games.
    Games,
}

impl Source {
    /// A FEN, or a file which says by itself what it is.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read.
    pub fn open(input: &str) -> io::Result<Source> {
        let words = input.split_whitespace().count();
        if input.contains('/') && words > 1 && !Path::new(input).is_file() {
            return Ok(Source::new("FEN".into(), Kind::Alone(Some(input.to_owned()))));
        }
        Source::file(Path::new(input))
    }

    /// A file of FENs or of games.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read.
    pub fn file(path: &Path) -> io::Result<Source> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("cannot read '{}': {error}", path.display()))
        };
        let file = File::open(path).map_err(named)?;
        let length = file.metadata().ok().map(|about| about.len());
        Source::stream(&path.to_string_lossy(), Box::new(file), length).map_err(named)
    }

    /// FENs or games from anywhere, with the number of bytes if it is known.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn stream(
        name: &str,
        source: Box<dyn Read + Send>,
        length: Option<u64>,
    ) -> io::Result<Source> {
        let read = Arc::new(AtomicU64::new(0));
        let mut input = Counted { source: BufReader::new(source), read: Arc::clone(&read) };
        let first = input.source.fill_buf()?.trim_ascii_start();
        // A tag, a comment or a move number begins a game, a digit with a slash behind it a FEN.
        let fen =
            first.iter().take_while(|byte| !byte.is_ascii_whitespace()).any(|&byte| byte == b'/');
        let kind = if fen || first.is_empty() || first[0] == b'#' {
            Kind::Lines { input, line: 0 }
        } else {
            let reader = Box::new(Reader::new(input));
            Kind::Games { reader, left: VecDeque::new(), game: 0, ply: 0 }
        };
        Ok(Source { name: name.into(), kind, read, length })
    }

    fn new(name: Arc<str>, kind: Kind) -> Source {
        Source { name, kind, read: Arc::default(), length: None }
    }

    /// What there is to read.
    pub const fn holds(&self) -> Holds {
        match self.kind {
            Kind::Alone(_) => Holds::Fen,
            Kind::Lines { .. } => Holds::Lines,
            Kind::Games { .. } => Holds::Games,
        }
    }

    /// How many bytes there are, if that is known.
    pub const fn bytes(&self) -> Option<u64> {
        self.length
    }

    fn item(&self, found: Result<Found, Unreadable>, at: At) -> Item {
        Item { found, name: Arc::clone(&self.name), at, bytes: self.read.load(Ordering::Relaxed) }
    }
}

impl Iterator for Source {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let (found, at) = match &mut self.kind {
            Kind::Alone(text) => (Ok(Found::Text(text.take()?)), At::Alone),
            Kind::Lines { input, line } => {
                let found = next_line(input, line)?;
                let at = At::Line(*line);
                if matches!(found, Err(Unreadable::Io(_))) {
                    // Nothing more can be read from there.
                    self.kind = Kind::Alone(None);
                }
                (found, at)
            }
            Kind::Games { reader, left, game, ply } => {
                let found = if left.is_empty() {
                    (*game, *ply) = (*game + 1, 0);
                    reader.next()?.map(|game| left.extend(game.positions()))
                } else {
                    *ply += 1;
                    Ok(())
                };
                let at = At::Game(*game, *ply);
                match found {
                    // A game has its start at least.
                    Ok(()) => (Ok(Found::Position(Box::new(left.pop_front()?))), at),
                    Err(error) => (Err(Unreadable::Game(error)), at),
                }
            }
        };
        Some(self.item(found, at))
    }
}

/// The next line that is neither empty nor a comment.
fn next_line(input: &mut Counted, line: &mut u64) -> Option<Result<Found, Unreadable>> {
    loop {
        let mut text = Vec::new();
        *line += 1;
        match input.read_until(b'\n', &mut text) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(Unreadable::Io(error))),
        }
        let Ok(text) = std::str::from_utf8(&text) else { return Some(Err(Unreadable::NoText)) };
        let text = text.trim();
        if !text.is_empty() && !text.starts_with('#') {
            return Some(Ok(Found::Text(text.to_owned())));
        }
    }
}

/// An input that knows how much of it was read.
struct Counted {
    source: BufReader<Box<dyn Read + Send>>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        self.source.consume(count);
    }
}
