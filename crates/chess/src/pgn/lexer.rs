//! Splits a PGN stream into tokens, line by line.

use std::io::{self, BufRead};

use super::GameResult;

/// Some editors put this at the start of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A PGN token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// A move, a move number, a result, or anything else between spaces.
    Word(String),
    /// `$n`, or the digits after `$` if they are not a number up to 255.
    Nag(Result<u8, String>),
    Comment(String),
    Open,
    Close,
}

/// A place in the stream. Lines and columns count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: usize,
    /// Bytes from the start of the stream.
    pub(super) offset: u64,
}

/// A section of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    Tags,
    Moves,
}

/// An error while splitting the stream into tokens.
#[derive(Debug)]
pub(super) enum LexError {
    Io(io::Error),
    Tag,
    UnclosedComment,
}

pub(super) struct Lexer<R> {
    source: R,
    line: String,
    /// The current byte in `line`.
    at: usize,
    /// Where the latest token began, in the stream and as a byte in `line`.
    place: Place,
    marked: usize,
    bytes: Vec<u8>,
    /// Whether `line` was decoded as Latin-1, one byte per character.
    latin: bool,
    /// Bytes of the byte order mark that was cut off before `line`.
    skipped: usize,
    /// Bytes of the stream before `line`, and bytes of `line` itself as read.
    offset: u64,
    length: u64,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(source: R) -> Lexer<R> {
        Lexer {
            source,
            line: String::new(),
            at: 0,
            place: Place::default(),
            marked: 0,
            bytes: Vec::new(),
            latin: false,
            skipped: 0,
            offset: 0,
            length: 0,
        }
    }

    /// Returns where the latest token began.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    pub(super) fn next(&mut self) -> Result<Option<Token>, LexError> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
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
                '{' => Token::Comment(self.comment()?),
                '[' => self.tag()?,
                '(' => self.single(Token::Open),
                ')' => self.single(Token::Close),
                '$' => {
                    self.at += 1;
                    let digits = self.take(|letter| letter.is_ascii_digit());
                    Token::Nag(digits.parse().map_err(|_| digits))
                }
                _ => Token::Word(self.take(|letter| {
                    !letter.is_whitespace() && !matches!(letter, '{' | ';' | '(' | ')' | '$' | '[')
                })),
            };
            return Ok(Some(token));
        }
    }

    /// Returns whether a comment follows on the same line.
    pub(super) fn comment_follows(&self) -> bool {
        self.rest().trim_start().starts_with(['{', ';'])
    }

    /// Skips the rest of a game: up to the line that ends with its result, or to the next line that
    /// begins with a tag. When starting in the tags, the first lines of tags still belong to the
    /// game.
    pub(super) fn skip_game(&mut self, from: Section) -> Result<(), LexError> {
        let mut in_tags = from == Section::Tags;
        let mut in_comment = false;
        if !in_tags && ends_game(self.rest(), &mut in_comment) {
            self.at = self.line.len();
            return Ok(());
        }
        while self.next_line()? {
            let mut letters = self.line.chars();
            let tag =
                letters.next() == Some('[') && letters.next().is_some_and(char::is_alphabetic);
            if tag && !in_tags {
                break;
            }
            in_tags &= tag || self.line.trim().is_empty();
            if !tag && ends_game(&self.line, &mut in_comment) {
                self.at = self.line.len();
                break;
            }
        }
        Ok(())
    }

    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Records that a token begins here. Columns are counted from the previous token, because lines
    /// may be megabytes long.
    fn mark(&mut self) {
        self.place.column += self.line[self.marked..self.at].chars().count();
        self.marked = self.at;
        let bytes = if self.latin { self.place.column - 1 } else { self.at };
        self.place.offset = self.offset + (self.skipped + bytes) as u64;
    }

    fn single(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        let taken = rest[..end].to_owned();
        self.at += end;
        taken
    }

    /// Reads a comment in braces, which may span lines.
    fn comment(&mut self) -> Result<String, LexError> {
        let opened = self.place;
        self.at += 1;
        let mut text = String::new();
        loop {
            if let Some(end) = self.rest().find('}') {
                text += &self.rest()[..end];
                self.at += end + 1;
                return Ok(words(&text));
            }
            text += self.rest();
            text.push(' ');
            if !self.next_line()? {
                self.place = opened;
                return Err(LexError::UnclosedComment);
            }
        }
    }

    /// Reads a tag, which must be on one line.
    fn tag(&mut self) -> Result<Token, LexError> {
        let rest = self.rest();
        let inner = rest[1..].trim_start();
        let end = inner.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let (name, inner) = inner.split_at(end.ok_or(LexError::Tag)?);
        let inner = inner.trim_start().strip_prefix('"').ok_or(LexError::Tag)?;
        let mut value = String::new();
        let mut letters = inner.chars();
        loop {
            match letters.next().ok_or(LexError::Tag)? {
                '"' => break,
                '\\' => value.push(printable(letters.next().ok_or(LexError::Tag)?)),
                letter => value.push(printable(letter)),
            }
        }
        let after = letters.as_str().trim_start().strip_prefix(']').ok_or(LexError::Tag)?;
        if name.is_empty() {
            return Err(LexError::Tag);
        }
        let token = Token::Tag(name.to_owned(), value);
        self.at = self.line.len() - after.len();
        Ok(token)
    }

    /// Reads the next line, if there is one. Text that is not UTF-8 is decoded as Latin-1, which
    /// old files use.
    fn next_line(&mut self) -> Result<bool, LexError> {
        self.bytes.clear();
        self.offset += self.length;
        self.length = self.source.read_until(b'\n', &mut self.bytes).map_err(LexError::Io)? as u64;
        let marked = self.place.line == 0 && self.bytes.starts_with(BYTE_ORDER_MARK);
        self.skipped = if marked { BYTE_ORDER_MARK.len() } else { 0 };
        let bytes = &self.bytes[self.skipped..];
        let text = std::str::from_utf8(bytes);
        self.latin = text.is_err();
        self.line = match text {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&byte| byte as char).collect(),
        };
        (self.at, self.marked) = (0, 0);
        self.place.column = 1;
        if self.length > 0 {
            self.place.line += 1;
        }
        Ok(self.length > 0)
    }
}

/// Returns whether the last word of a line, not counting comments, is a result. Updates whether a
/// comment continues on the next line.
fn ends_game(line: &str, in_comment: &mut bool) -> bool {
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
            return GameResult::from_text(last).is_some();
        }
        *in_comment = true;
    }
}

/// Replaces control characters, which a tag cannot contain, with spaces.
fn printable(letter: char) -> char {
    if letter.is_control() { ' ' } else { letter }
}

/// Separates words by single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
