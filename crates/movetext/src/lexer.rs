//! Splits a stream into tokens, line by line.

use std::io::{self, BufRead};
use std::marker::PhantomData;

use crate::Format;

/// Some editors write this at the start of UTF-8 files.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How the tags of a game usually begin.
pub(crate) const FIRST_TAG: &str = "[Event";

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
    /// A comment without its `}`. It ends at the end of the stream, or before the next game.
    UnclosedComment(String),
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
    /// Whether only standard tags and words are accepted.
    strict: bool,
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
    /// Whether there is an empty line between the latest token and the one before it.
    after_empty_line: bool,
    /// Whether the latest line ended with a carriage return, which a line feed may follow.
    after_return: bool,
    /// Whether `line` was decoded as Latin-1, one byte per character.
    latin: bool,
    /// The bytes of the stream before `line`, and those that have been read.
    offset: u64,
    read: u64,
    format: PhantomData<F>,
}

impl<R: BufRead, F: Format> Lexer<R, F> {
    pub(crate) fn new(source: R, strict: bool) -> Lexer<R, F> {
        Lexer {
            source,
            strict,
            line: String::new(),
            bytes: Vec::new(),
            at: 0,
            marked: 0,
            here: Location::default(),
            location: Location::default(),
            after_empty_line: false,
            after_return: false,
            latin: false,
            offset: 0,
            read: 0,
            format: PhantomData,
        }
    }

    pub(crate) fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
    }

    /// Returns where the latest token begins.
    pub(crate) fn location(&self) -> Location {
        self.location
    }

    /// Returns whether there is an empty line between the latest token and the one before it.
    pub(crate) fn after_empty_line(&self) -> bool {
        self.after_empty_line
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<Token>> {
        self.after_empty_line = false;
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(separates::<F>).len();
            self.mark();
            let Some(first) = self.rest().chars().next() else {
                self.after_empty_line |= self.line.trim_start().is_empty();
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
                '[' if !self.strict
                    && let Some(length) = self.command_length() =>
                {
                    let command = words(&self.rest()[..length]);
                    self.at += length;
                    Token::Comment(command)
                }
                '[' => self.tag()?,
                // A draw offer.
                '(' if !self.strict && self.rest().starts_with("(=)") => self.word(3),
                '(' => self.single(Token::Open),
                ')' => self.single(Token::Close),
                '$' => {
                    self.at += 1;
                    let digits = self.take(|letter| letter.is_ascii_digit());
                    Token::Nag(digits.parse().map_err(|_| digits))
                }
                _ => self.word(self.word_length()),
            };
            return Ok(Some(token));
        }
    }

    /// Returns whether a comment follows on the same line.
    pub(crate) fn comment_follows(&self) -> bool {
        self.rest().trim_start().starts_with(['{', ';'])
    }

    /// Returns whether the same line or the next one continues with something other than a comment
    /// or a tag. Does not read past an empty line, so that games of a live stream are not delayed.
    pub(crate) fn text_follows(&mut self) -> io::Result<bool> {
        if self.rest().trim_start().is_empty() && !self.next_line()? {
            return Ok(false);
        }
        let rest = self.rest().trim_start();
        Ok(!rest.is_empty() && !rest.starts_with(['{', ';', '[', '%']))
    }

    /// Skips the rest of the line on which the latest token begins.
    pub(crate) fn skip_line(&mut self) {
        if self.here.line == self.location.line {
            self.at = self.line.len();
        }
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

    /// Returns whether the line begins with a name and a quote, as tags do.
    fn begins_quoted_tag(&self) -> bool {
        let name = self.line.strip_prefix('[').unwrap_or_default();
        let value = name.trim_start_matches(|letter: char| is_in_tag_name(letter));
        value.len() < name.len() && value.trim_start().starts_with('"')
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

    #[inline]
    fn word(&mut self, length: usize) -> Token {
        let word = self.rest()[..length].to_owned();
        self.at += length;
        Token::Word(word)
    }

    /// Returns the length of the word that begins here.
    fn word_length(&self) -> usize {
        let rest = self.rest();
        let ends = |letter: char| {
            separates::<F>(letter) || matches!(letter, '{' | ';' | '(' | ')' | '$' | '[')
        };
        // Nearly all words are ASCII, whose bytes are faster to examine than characters.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'=');
        let start = rest.bytes().position(|byte| !plain(byte)).unwrap_or(rest.len());
        let length = rest[start..].find(ends).map_or(rest.len(), |length| start + length);
        // A promotion written `a8(Q)`.
        // In PGN4 a letter in parentheses is a variation: a player withdraws.
        let parenthesis = !F::DOTS_SEPARATE && rest.as_bytes().get(length) == Some(&b'(');
        let promotes = parenthesis
            && !self.strict
            && rest[..length].ends_with(['1', '8'])
            && matches!(rest.as_bytes()[length..], [_, role, b')', ..] if role.is_ascii_alphabetic());
        if promotes { length + 3 } else { length }
    }

    /// Returns the length of a command such as `[%clk 0:01:00]` that begins here, outside of a comment.
    fn command_length(&self) -> Option<usize> {
        let inner = self.rest().strip_prefix("[%")?;
        // Up to the next bracket, so that no text is searched twice.
        let end = inner.find(['[', ']'])?;
        inner[end..].starts_with(']').then_some(end + 3)
    }

    /// Returns whether the current line ends like a tag.
    pub(crate) fn ends_tag(&self) -> bool {
        self.line.trim_end().ends_with("\"]")
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let end = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        self.at += end;
        word
    }

    /// Reads a comment in braces, which may span lines. The closing brace is missing if a tag follows
    /// an empty line, or the tag `Event` follows a line that ends with a result.
    fn comment(&mut self) -> io::Result<Token> {
        self.at += 1;
        let mut text = String::new();
        let (mut after_empty_line, mut after_result) = (false, false);
        loop {
            let ends = after_empty_line || after_result && self.line.starts_with(FIRST_TAG);
            if ends && self.begins_quoted_tag() {
                return Ok(Token::UnclosedComment(words(&text)));
            }
            if let Some(end) = self.rest().find('}') {
                text += &self.rest()[..end];
                self.at += end + 1;
                return Ok(Token::Comment(words(&text)));
            }
            text += self.rest();
            text.push(' ');
            after_empty_line = self.line.trim_start().is_empty();
            let last = self.rest().split_whitespace().next_back();
            after_result = last.is_some_and(|last| F::result(last).is_some());
            if !self.next_line()? {
                return Ok(Token::UnclosedComment(words(&text)));
            }
        }
    }

    /// Reads a tag. Where its value may continue on the following lines, it does so up to an empty
    /// line or one that begins a tag.
    fn tag(&mut self) -> io::Result<Token> {
        let (line, start) = (self.here.line, self.at);
        let name = self.tag_name();
        let named = name.is_some();
        if let Some(name) = name {
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
            // A value that is not closed takes the rest of the line, so that no text is searched
            // for a quote twice. The line is empty at the end of the stream.
            let mut skipped = if named && !self.strict { self.line.len() } else { start + 1 };
            if !self.strict
                && let Some((name, inner)) = self.line.get(start..).and_then(lenient_tag_name)
            {
                if let Some((value, length)) = lenient_tag_value(inner) {
                    let name = name.to_owned();
                    self.at = self.line.len() - inner.len() + length;
                    return Ok(Token::Tag(name, value));
                }
                skipped = self.line.len();
            }
            self.at = skipped.min(self.line.len());
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
            value.extend(letter.map(without_controls));
        }
        self.at = self.line.len() - letters.as_str().len();
        closed
    }

    /// Reads bytes up to the end of a line, which is a line feed, a carriage return or both.
    fn read_line(&mut self) -> io::Result<()> {
        self.bytes.clear();
        loop {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            let Some(&first) = buffer.first() else { return Ok(()) };
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                self.source.consume(1);
                self.read += 1;
                continue;
            }
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = end.map_or(buffer.len(), |end| end + 1);
            self.after_return = end.is_some_and(|end| buffer[end] == b'\r');
            self.bytes.extend_from_slice(&buffer[..length]);
            self.source.consume(length);
            self.read += length as u64;
            if end.is_some() {
                return Ok(());
            }
        }
    }

    /// Reads the next line. Text that is not UTF-8 is decoded as Latin-1, which old files use.
    /// Returns `false` at the end of the stream.
    fn next_line(&mut self) -> io::Result<bool> {
        self.read_line()?;
        let length = self.bytes.len();
        let mut bytes = &self.bytes[..];
        while let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| self.here.line == 0) {
            bytes = rest;
        }
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

/// Returns whether a character separates words. Invisible characters come from web pages and from
/// files that were joined.
fn separates<F: Format>(letter: char) -> bool {
    letter.is_whitespace()
        || F::DOTS_SEPARATE && letter == '.'
        || matches!(letter, '\u{200b}' | '\u{feff}')
}

/// Returns whether a tag's name may contain a character, outside of the standard.
fn is_in_tag_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '+' | '#' | '=' | ':' | '.' | '/')
}

/// Control characters in a tag's value become spaces, because a tag must be on one line.
fn without_controls(letter: char) -> char {
    if letter.is_control() { ' ' } else { letter }
}

/// Parses `[Name "`, where the name may contain dashes and other signs. Returns the name and what
/// follows.
fn lenient_tag_name(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?.trim_start();
    let (name, inner) = inner.split_at(inner.find(|letter| !is_in_tag_name(letter))?);
    let inner = inner.trim_start().strip_prefix('"').filter(|_| !name.is_empty())?;
    Some((name, inner))
}

/// Parses the rest of a tag on one line, where the value may contain quotes and end with a backslash.
/// Returns the value and the length up to the closing bracket.
fn lenient_tag_value(inner: &str) -> Option<(String, usize)> {
    let ends = |&(at, _): &(usize, &str)| inner[at + 1..].trim_start().starts_with(']');
    let (end, _) = inner.match_indices('"').find(ends)?;
    let after = inner[end + 1..].trim_start();
    let value = inner[..end].replace("\\\"", "\"").chars().map(without_controls).collect();
    Some((value, inner.len() - after.len() + 1))
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
