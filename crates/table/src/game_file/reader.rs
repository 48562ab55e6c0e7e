//! Reading the games of a file one after another.

use std::collections::VecDeque;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fourfold_chess::pgn::{self, MAX_PROBLEMS, PgnErrorKind};
use fourfold_four_player::pgn4::{self, Pgn4ErrorKind};
use fourfold_kung_fu::Replay;
use thiserror::Error;

use super::{Content, FileFormat, FileGame, HEAD, UnknownFormat, positions, trim_start};
use crate::{BlokusTable, ReadError, Table, kung_fu};

/// An iterator over the games of a file in any format. Games and positions are read from the stream
/// one by one. A game with a problem is reported in [`FileGame::problems`], and the next one
/// follows.
///
/// Blokus SGF and replays of kung fu chess are read as a whole.
pub struct GameReader {
    format: FileFormat,
    source: Source,
    number: u64,
    read: Arc<AtomicU64>,
    length: Option<u64>,
    strict: bool,
}

/// What was found in the place of a game, and its problems.
type Found = (Content, Vec<String>);

type Input = BufReader<io::Chain<Cursor<Vec<u8>>, Counted>>;

enum Source {
    Pgn(Box<pgn::Reader<Input>>),
    Pgn4(Box<pgn4::Reader<Input>>),
    Lines {
        input: Input,
        line: u64,
    },
    /// The whole file is read before its first game.
    Whole(Input),
    Read(VecDeque<Found>),
    Ended,
}

/// Why a file could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file has none of the formats.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if its format is unknown.
    pub fn open(path: &Path) -> Result<GameReader, OpenError> {
        let file = File::open(path)?;
        let length = file.metadata().ok().map(|about| about.len());
        let reader = GameReader::new(Box::new(file), Some(path))?;
        Ok(GameReader { length, ..reader })
    }

    /// Reads from a stream. If the content does not decide the format, the extension of `path` does.
    ///
    /// # Errors
    /// Returns an error if the stream cannot be read, or if its format is unknown.
    pub fn new(stream: Box<dyn Read + Send>, path: Option<&Path>) -> Result<GameReader, OpenError> {
        let read = Arc::new(AtomicU64::new(0));
        let mut stream = Counted { source: stream, read: Arc::clone(&read) };
        let mut head = Vec::new();
        (&mut stream).take(HEAD as u64).read_to_end(&mut head)?;
        let format = FileFormat::recognize(&head, path)?;
        let input = BufReader::new(Cursor::new(head).chain(stream));
        let source = match format {
            FileFormat::Pgn => Source::Pgn(Box::new(pgn::Reader::new(input))),
            FileFormat::Pgn4 => Source::Pgn4(Box::new(pgn4::Reader::new(input))),
            format if !format.has_moves() => Source::Lines { input, line: 0 },
            _ => Source::Whole(input),
        };
        Ok(GameReader { format, source, number: 0, read, length: None, strict: false })
    }

    /// Reads PGN, PGN4, FEN, EPD and FEN4 strictly: a game or a position that does not follow its
    /// standard is not read.
    #[must_use]
    pub fn strict(mut self) -> GameReader {
        self.strict = true;
        match &mut self.source {
            Source::Pgn(reader) => reader.set_strict(true),
            Source::Pgn4(reader) => reader.set_strict(true),
            _ => {}
        }
        self
    }

    /// Returns the format of the file.
    pub const fn format(&self) -> FileFormat {
        self.format
    }

    /// Returns the size of the file in bytes, if it is known.
    pub const fn bytes(&self) -> Option<u64> {
        self.length
    }

    /// Returns how many bytes have been read so far.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    fn content(&mut self) -> Option<io::Result<Found>> {
        let readable = |content| (content, Vec::new());
        match &mut self.source {
            Source::Ended => None,
            Source::Pgn(reader) => {
                let game = reader.next()?;
                let problems = texts(&reader.take_problems());
                Some(match game {
                    Ok(game) => Ok((Content::Chess(Box::new(game)), problems)),
                    Err(pgn::PgnError { kind: PgnErrorKind::Io(error), .. }) => Err(error),
                    Err(error) => Ok(unreadable(error.to_string())),
                })
            }
            Source::Pgn4(reader) => {
                let game = reader.next()?;
                let problems = texts(&reader.take_problems());
                Some(match game {
                    Ok(game) => Ok((Content::FourPlayer(Box::new(game)), problems)),
                    Err(pgn4::Pgn4Error { kind: Pgn4ErrorKind::Io(error), .. }) => Err(error),
                    Err(error) => Ok(unreadable(error.to_string())),
                })
            }
            Source::Lines { input, line } => {
                let text = next_line(input, line).transpose()?;
                let line = *line;
                Some(text.map(|text| match positions::read(self.format, &text, self.strict) {
                    Ok(content) => readable(content),
                    Err(error) => unreadable(format!("line {line}: {error}")),
                }))
            }
            Source::Whole(input) => {
                let mut bytes = Vec::new();
                if let Err(error) = input.read_to_end(&mut bytes) {
                    return Some(Err(error));
                }
                let mut games = whole(self.format, bytes);
                let first = games.pop_front();
                self.source = Source::Read(games);
                first.map(Ok)
            }
            Source::Read(games) => games.pop_front().map(Ok),
        }
    }
}

impl Iterator for GameReader {
    type Item = io::Result<FileGame>;

    fn next(&mut self) -> Option<io::Result<FileGame>> {
        let content = self.content();
        if content.as_ref().is_none_or(Result::is_err) {
            self.source = Source::Ended;
        }
        self.number += 1;
        let (format, number) = (self.format, self.number);
        Some(content?.map(|(content, problems)| FileGame { format, number, problems, content }))
    }
}

/// Returns what is known of a game that cannot be read.
fn unreadable(problem: String) -> Found {
    (Content::Unreadable, vec![problem])
}

fn texts<E: Display>(errors: &[E]) -> Vec<String> {
    let more = (errors.len() == MAX_PROBLEMS).then(|| "there may be more problems".to_owned());
    errors.iter().map(ToString::to_string).chain(more).collect()
}

/// Reads the games of a file that is not read one by one.
fn whole(format: FileFormat, bytes: Vec<u8>) -> VecDeque<Found> {
    let found = |read: Result<Content, ReadError>| match read {
        Ok(Content::KungFu(replay)) => {
            let problem = replay.seeker().err().map(|error| error.to_string());
            (Content::KungFu(replay), problem.into_iter().collect())
        }
        Ok(content) => (content, Vec::new()),
        Err(error) => unreadable(error.to_string()),
    };
    let only = |read| VecDeque::from([found(read)]);
    match format {
        FileFormat::KungFuBinary => only(replay(kung_fu::read_bytes(&bytes))),
        FileFormat::KungFuJson => only(replay(kung_fu::read_text(trim_start(&decode(bytes))))),
        FileFormat::Sgf => {
            let text = decode(bytes);
            let games = BlokusTable::read_all(&text);
            let games: VecDeque<Found> =
                games.map(|table| found(table.map(|table| table_content(&table)))).collect();
            // A file without a game has that problem.
            if games.is_empty() { only(Err(ReadError::NoGame)) } else { games }
        }
        _ => only(crate::read(&decode(bytes)).map(|table| table_content(&*table))),
    }
}

fn replay(read: Result<Replay, kung_fu::ReplayFileError>) -> Result<Content, ReadError> {
    let replay = read.map_err(|error| ReadError::Record(error.to_string()))?;
    Ok(Content::KungFu(Box::new(replay)))
}

fn table_content(table: &dyn Table) -> Content {
    Content::Table(table.fork(), table.tags())
}

/// Decodes text that should be UTF-8; anything else is read as Latin-1, as in PGN.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

/// Returns the next line that is neither empty nor a comment. `None` at the end.
pub(crate) fn next_line(input: &mut impl BufRead, line: &mut u64) -> io::Result<Option<String>> {
    loop {
        *line += 1;
        let Some(bytes) = read_line(input)? else { return Ok(None) };
        let text = decode(bytes);
        let text = trim_start(&text).trim_end();
        if !text.is_empty() && !text.starts_with('#') {
            return Ok(Some(text.to_owned()));
        }
    }
}

/// Reads bytes up to the end of a line, which is a line feed, a carriage return or both. `None` at the
/// end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok(Some(bytes).filter(|bytes| !bytes.is_empty()));
        }
        let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let length = end.map_or(buffer.len(), |end| end + 1);
        bytes.extend_from_slice(&buffer[..length]);
        input.consume(length);
        if bytes.ends_with(b"\r") && input.fill_buf()?.first() == Some(&b'\n') {
            input.consume(1);
        }
        if end.is_some() {
            return Ok(Some(bytes));
        }
    }
}

/// An input that counts the bytes read from it.
pub(crate) struct Counted {
    pub(crate) source: Box<dyn Read + Send>,
    pub(crate) read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
