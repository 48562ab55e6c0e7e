//! Splits a stream into tokens, line by line.

use std::io::{self, BufRead};
use std::marker::PhantomData;

use crate::Format;

/// Some editors write this at the start of UTF-8 files.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A token. Malformed text is a token too, and the lexer continues after it, so that the reader
/// decides whether to report it or to skip it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// A `[` that does not begin a tag.
    BadTag,
    /// A move, a move number, a result or any other text between separators.
    Word(String),
    /// `$n`, or the digits after `$` if they are not a number up to 255.
    Nag(Result<u8, String>),
    Comment(String),
    /// A `{` without a `}`, which makes the rest of the stream a comment.
    UnclosedComment,
    Open,
    Close,
}

/// A place in a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Location {
    /// The line, counted from 1.
    pub line: u64,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// The byte in the stream, counted from 0.
    pub offset: u64,
}

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Section {
    Tags,
    Moves,
}

pub(crate) struct Lexer<R, F> {
    source: R,
    line: String,
    bytes: Vec<u8>,
    /// The current byte in `line`.
    at: usize,
    /// A byte in `line`, at or before the current one, and its location. Columns are counted from
    /// there, because lines may be megabytes long.
    marked: usize,
    here: Location,
    /// Where the latest token begins.
    location: Location,
    /// Whether `line` was decoded as Latin-1, one byte per character.
    latin: bool,
    /// The bytes of the stream before `line`, and those that have been read.
    offset: u64,
    read: u64,
    format: PhantomData<F>,
}

impl<R: BufRead, F: Format> Lexer<R, F> {
    pub(crate) fn new(source: R) -> Lexer<R, F> {
        Lexer {
            source,
            line: String::new(),
            bytes: Vec::new(),
            at: 0,
            marked: 0,
            here: Location::default(),
            location: Location::default(),
            latin: false,
            offset: 0,
            read: 0,
            format: PhantomData,
        }
    }

    /// Returns where the latest token begins.
    pub(crate) fn location(&self) -> Location {
        self.location
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<Token>> {
        let separates = |letter: char| letter.is_whitespace() || F::DOTS_SEPARATE && letter == '.';
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(separates).len();
            self.mark();
            let Some(first) = self.rest().chars().next() else {
                if !self.next_line()? {
                    return Ok(None);
                }
                continue;
            };
            let token = match first {
                '%' if self.at == 0 => {
                    self.at = self.line.len();
                    continue;
                }
                ';' => {
                    let comment = words(&self.rest()[1..]);
                    self.at = self.line.len();
                    Token::Comment(comment)
                }
                '{' => self.comment()?,
                '[' => self.tag()?,
                '(' => self.single(Token::Open),
                ')' => self.single(Token::Close),
                '$' => {
                    self.at += 1;
                    let digits = self.take(|letter| letter.is_ascii_digit());
                    Token::Nag(digits.parse().map_err(|_| digits))
                }
                _ => Token::Word(self.take(|letter| {
                    !separates(letter) && !matches!(letter, '{' | ';' | '(' | ')' | '$' | '[')
                })),
            };
            return Ok(Some(token));
        }
    }

    /// Returns whether a comment follows on the same line.
    pub(crate) fn comment_follows(&self) -> bool {
        self.rest().trim_start().starts_with(['{', ';'])
    }

    /// Skips the rest of a game: up to the line that ends with its result, or to the next line that
    /// begins with a tag. When starting in the tags, the first lines of tags still belong to the
    /// game.
    pub(crate) fn skip_game(&mut self, from: Section) -> io::Result<()> {
        let mut in_tags = from == Section::Tags;
        let mut in_comment = false;
        // Whether the value of the latest tag continues on the next line.
        let mut in_value = false;
        // A bad tag may have ended before a line of which nothing has been read yet.
        if self.at > 0 || self.line.is_empty() {
            if !in_tags && ends_game::<F>(self.rest(), &mut in_comment) {
                self.at = self.line.len();
                return Ok(());
            }
            if !self.next_line()? {
                return Ok(());
            }
        }
        loop {
            let tag = self.begins_tag();
            if tag && !in_tags {
                return Ok(());
            }
            let line = self.line.trim();
            in_value &= !tag && !line.is_empty();
            in_tags &= tag || in_value || line.is_empty();
            if tag || in_value {
                in_value = F::MULTILINE_TAGS && !line.ends_with(']');
            } else if ends_game::<F>(line, &mut in_comment) {
                self.at = self.line.len();
                return Ok(());
            }
            if !self.next_line()? {
                return Ok(());
            }
        }
    }

    fn begins_tag(&self) -> bool {
        let mut letters = self.line.chars();
        letters.next() == Some('[') && letters.next().is_some_and(char::is_alphabetic)
    }

    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Records that a token begins here.
    fn mark(&mut self) {
        self.here.column += self.line[self.marked..self.at].chars().count();
        self.marked = self.at;
        let bytes = if self.latin { self.here.column - 1 } else { self.at };
        self.here.offset = self.offset + bytes as u64;
        self.location = self.here;
    }

    fn single(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        self.at += end;
        word
    }

    /// Reads a comment in braces, which may span lines.
    fn comment(&mut self) -> io::Result<Token> {
        self.at += 1;
        let mut text = String::new();
        loop {
            if let Some(end) = self.rest().find('}') {
                text += &self.rest()[..end];
                self.at += end + 1;
                return Ok(Token::Comment(words(&text)));
            }
            text += self.rest();
            text.push(' ');
            if !self.next_line()? {
                return Ok(Token::UnclosedComment);
            }
        }
    }

    /// Reads a tag. Where its value may continue on the following lines, it does so up to an empty
    /// line or one that begins a tag.
    fn tag(&mut self) -> io::Result<Token> {
        let (line, inner) = (self.here.line, self.at + 1);
        if let Some(name) = self.tag_name() {
            let mut value = String::new();
            let mut closed = self.tag_value(&mut value);
            while !closed
                && F::MULTILINE_TAGS
                && self.next_line()?
                && !self.begins_tag()
                && !self.line.trim().is_empty()
            {
                closed = self.tag_value(&mut value);
            }
            let after = self.rest().trim_start().strip_prefix(']').filter(|_| closed);
            if let Some(after) = after {
                self.at = self.line.len() - after.len();
                return Ok(Token::Tag(name, value));
            }
        }
        if self.here.line == line {
            // The line is empty at the end of the stream.
            self.at = inner.min(self.line.len());
        }
        Ok(Token::BadTag)
    }

    /// Reads `[Name "`.
    fn tag_name(&mut self) -> Option<String> {
        let inner = self.rest()[1..].trim_start();
        let end = inner.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
        let (name, inner) = inner.split_at(end);
        let value = inner.trim_start().strip_prefix('"').filter(|_| !name.is_empty())?;
        let name = name.to_owned();
        self.at = self.line.len() - value.len();
        Some(name)
    }

    /// Appends the part of a tag's value that is on this line. Returns whether the value ends here.
    fn tag_value(&mut self, value: &mut String) -> bool {
        let mut letters = self.line[self.at..].chars();
        let mut closed = false;
        while let Some(letter) = letters.next() {
            closed = letter == '"';
            if closed {
                break;
            }
            let letter = if letter == '\\' { letters.next() } else { Some(letter) };
            // A tag cannot contain control characters.
            value.extend(letter.map(|letter| if letter.is_control() { ' ' } else { letter }));
        }
        self.at = self.line.len() - letters.as_str().len();
        closed
    }

    /// Reads the next line. Text that is not UTF-8 is decoded as Latin-1, which old files use.
    /// Returns `false` at the end of the stream.
    fn next_line(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        let length = self.source.read_until(b'\n', &mut self.bytes)?;
        let mut bytes = &self.bytes[..];
        while let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| self.here.line == 0) {
            bytes = rest;
        }
        self.read += length as u64;
        self.offset = self.read - bytes.len() as u64;
        let text = std::str::from_utf8(bytes);
        self.latin = text.is_err();
        self.line.clear();
        match text {
            Ok(text) => self.line.push_str(text),
            Err(_) => self.line.extend(bytes.iter().map(|&byte| byte as char)),
        }
        (self.at, self.marked, self.here.column) = (0, 0, 1);
        self.here.line += u64::from(length > 0);
        Ok(length > 0)
    }
}

/// Returns whether the last word of a line, not counting comments, is a result. Updates whether a
/// comment continues on the next line.
fn ends_game<F: Format>(line: &str, in_comment: &mut bool) -> bool {
    let mut rest = line;
    let mut last = "";
    loop {
        if *in_comment {
            let Some((_, after)) = rest.split_once('}') else { return false };
            (rest, *in_comment) = (after, false);
        }
        let end = rest.find(['{', ';']).unwrap_or(rest.len());
        last = rest[..end].split_whitespace().next_back().unwrap_or(last);
        rest = &rest[end..];
        if !rest.starts_with('{') {
            return F::result(last).is_some();
        }
        *in_comment = true;
    }
}

/// Separates words by single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
