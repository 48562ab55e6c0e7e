//! Where positions come from: one FEN, lines of FENs, games in PGN.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use anyhow::Context;
use fourfold_chess::Position;
use fourfold_chess::pgn::Reader;
use fourfold_table::study;

/// A position, or why there is none, and where it stands.
pub(super) struct Item {
    pub(super) position: Result<Position, String>,
    /// The file, with line and column where they are known.
    pub(super) place: String,
    /// How much was read by then.
    pub(super) bytes: u64,
}

/// Positions to read, one after the other.
pub(super) enum Source {
    Single(Option<String>),
    Lines {
        name: String,
        input: Counted,
        line: usize,
        length: Option<u64>,
    },
    Games {
        name: String,
        reader: Box<Reader<Counted>>,
        read: Rc<Cell<u64>>,
        length: Option<u64>,
        left: VecDeque<Position>,
    },
}

impl Source {
    /// A FEN, or the content of a file or of standard input, which says by itself what it is.
    pub(super) fn open(input: &str) -> anyhow::Result<Source> {
        if input.contains('/') && input.split_whitespace().count() > 1 {
            return Ok(Source::Single(Some(input.to_owned())));
        }
        let (name, source, length): (&str, Box<dyn Read>, Option<u64>) = if input == "-" {
            ("standard input", Box::new(io::stdin()), None)
        } else {
            let file = File::open(input).with_context(|| format!("cannot read '{input}'"))?;
            let length = file.metadata().ok().map(|about| about.len());
            (input, Box::new(file), length)
        };
        let name = name.to_owned();
        let read = Rc::new(Cell::new(0));
        let mut input = Counted { source: BufReader::new(source), read: Rc::clone(&read) };
        let start = input.source.fill_buf().with_context(|| format!("cannot read {name}"))?;
        let first = start.trim_ascii_start();
        // A tag, a comment or a move number begins a game, a digit with a slash behind it a FEN.
        let fen =
            first.iter().take_while(|byte| !byte.is_ascii_whitespace()).any(|&byte| byte == b'/');
        if fen || first.is_empty() || first[0] == b'#' {
            return Ok(Source::Lines { name, input, line: 0, length });
        }
        let reader = Box::new(Reader::new(input));
        Ok(Source::Games { name, reader, read, length, left: VecDeque::new() })
    }

    /// How many bytes there are, if that is known.
    pub(super) const fn len(&self) -> Option<u64> {
        match self {
            Source::Single(_) => None,
            Source::Lines { length, .. } | Source::Games { length, .. } => *length,
        }
    }
}

impl Iterator for Source {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        match self {
            Source::Single(fen) => {
                let position = position(&fen.take()?);
                Some(Item { position, place: "FEN".to_owned(), bytes: 0 })
            }
            Source::Lines { name, input, line, .. } => loop {
                let mut text = Vec::new();
                *line += 1;
                let place = format!("{name}:{line}");
                let read = input.read_until(b'\n', &mut text);
                let bytes = input.read.get();
                let failed = |error: String| {
                    Some(Item { position: Err(error), place: place.clone(), bytes })
                };
                match read {
                    Ok(0) => return None,
                    Ok(_) => {}
                    Err(error) => {
                        // Nothing more can be read from there.
                        *self = Source::Single(None);
                        return failed(error.to_string());
                    }
                }
                let Ok(text) = std::str::from_utf8(&text) else {
                    return failed("it is no text".to_owned());
                };
                let text = text.trim();
                if !text.is_empty() && !text.starts_with('#') {
                    return Some(Item { position: position(text), place, bytes });
                }
            },
            Source::Games { name, reader, read, left, .. } => loop {
                let bytes = read.get();
                if let Some(position) = left.pop_front() {
                    return Some(Item { position: Ok(position), place: name.clone(), bytes });
                }
                match reader.next()? {
                    Ok(game) => left.extend(game.positions()),
                    Err(error) => {
                        let place = name.clone();
                        return Some(Item { position: Err(error.to_string()), place, bytes });
                    }
                }
            },
        }
    }
}

fn position(fen: &str) -> Result<Position, String> {
    study::position(fen).map_err(|error| error.to_string())
}

/// An input that knows how much of it was read.
pub(super) struct Counted {
    source: BufReader<Box<dyn Read>>,
    read: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.read.set(self.read.get() + count as u64);
        self.source.consume(count);
    }
}
