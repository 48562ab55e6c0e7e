//! Splits a stream of PGN4 into tokens, line by line.

use std::io::{self, BufRead};

/// Some editors write it at the start of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A token of PGN4. Dots are separators, not tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `[Name "value"]`
    Tag(String, String),
    /// A move, a move number, a result or any other text between separators.
    Word(String),
    /// `$n`, or the digits after `$` if they are not a number up to 255.
    Nag(Result<u8, String>),
    Comment(String),
    Open,
    Close,
}

/// A position in the stream. Lines and columns are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: usize,
}

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Section {
    Tags,
    Moves,
}

/// An error in the text itself.
#[derive(Debug)]
pub(super) enum LexError {
    Io(io::Error),
    Tag,
    UnclosedComment,
}

pub(super) struct Lexer<R> {
    source: R,
    line: String,
    /// The current byte offset in `line`.
    at: usize,
    /// A byte offset in `line` whose place is `here`. Columns are counted from there.
    marked: usize,
    here: Place,
    /// Where the latest token starts.
    place: Place,
    /// Whether `next_line` should return the current line again.
    held: bool,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(source: R) -> Lexer<R> {
        let place = Place::default();
        Lexer { source, line: String::new(), at: 0, marked: 0, here: place, place, held: false }
    }

    /// Returns where the latest token starts.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    pub(super) fn next(&mut self) -> Result<Option<Token>, LexError> {
        loop {
            let rest = self.rest();
            let between = |letter: char| letter.is_whitespace() || letter == '.';
            self.at += rest.len() - rest.trim_start_matches(between).len();
            self.mark();
            let Some(first) = self.rest().chars().next() else {
                if !self.next_line()? {
                    return Ok(None);
                }
                continue;
            };
            return Ok(Some(match first {
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
                    !between(letter) && !matches!(letter, '{' | ';' | '(' | ')' | '$' | '[')
                })),
            }));
        }
    }

    /// Returns whether a comment follows on the same line.
    pub(super) fn comment_follows(&self) -> bool {
        self.rest().trim_start().starts_with(['{', ';'])
    }

    /// Skips the rest of a game: everything up to the next line that starts with a tag or, from
    /// within the tags, up to the first such line after the moves.
    pub(super) fn skip_game(&mut self, from: Section) -> Result<(), LexError> {
        let mut in_tags = from == Section::Tags;
        // Whether the previous tag continues on this line.
        let mut open = false;
        while self.next_line()? {
            if self.begins_tag() {
                if !in_tags {
                    break;
                }
                open = !self.line.trim_end().ends_with(']');
            } else if self.line.trim().is_empty() {
                open = false;
            } else {
                in_tags &= open;
                open &= !self.line.trim_end().ends_with(']');
            }
        }
        Ok(())
    }

    fn begins_tag(&self) -> bool {
        let mut letters = self.line.chars();
        letters.next() == Some('[') && letters.next().is_some_and(char::is_alphabetic)
    }

    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// Records the start of a token. Counts columns from the previous token, because lines may be
    /// megabytes long.
    fn mark(&mut self) {
        self.here.column += self.line[self.marked..self.at].chars().count();
        self.marked = self.at;
        self.place = self.here;
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

    /// Reads a comment in braces, which may span several lines.
    fn comment(&mut self) -> Result<String, LexError> {
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
                return Err(LexError::UnclosedComment);
            }
        }
    }

    /// Reads a tag. Its value may continue on the following lines, up to an empty line or one that
    /// starts a tag: chess.com writes each rank of a FEN4 on its own line.
    fn tag(&mut self) -> Result<Token, LexError> {
        let inner = self.rest()[1..].trim_start();
        let end = inner.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let (name, inner) = inner.split_at(end.ok_or(LexError::Tag)?);
        let inner = inner.trim_start().strip_prefix('"').ok_or(LexError::Tag)?;
        if name.is_empty() {
            return Err(LexError::Tag);
        }
        let name = name.to_owned();
        self.at = self.line.len() - inner.len();
        let mut value = String::new();
        while !self.value(&mut value)? {
            let more = self.next_line()?;
            if !more || self.begins_tag() || self.line.trim().is_empty() {
                self.held = more;
                return Err(LexError::Tag);
            }
        }
        let after = self.rest().trim_start().strip_prefix(']').ok_or(LexError::Tag)?;
        self.at = self.line.len() - after.len();
        Ok(Token::Tag(name, value))
    }

    /// Appends the part of a tag's value that is on this line. Returns whether the value ends here.
    fn value(&mut self, value: &mut String) -> Result<bool, LexError> {
        let mut letters = self.rest().chars();
        let mut ended = false;
        while let Some(letter) = letters.next() {
            match letter {
                '"' => {
                    ended = true;
                    break;
                }
                '\\' => value.push(printable(letters.next().ok_or(LexError::Tag)?)),
                letter => value.push(printable(letter)),
            }
        }
        self.at = self.line.len() - letters.as_str().len();
        Ok(ended)
    }

    /// Reads the next line. Invalid UTF-8 is replaced. Returns `false` at the end of the stream.
    fn next_line(&mut self) -> Result<bool, LexError> {
        (self.at, self.marked, self.here.column) = (0, 0, 1);
        if std::mem::take(&mut self.held) {
            return Ok(true);
        }
        let mut bytes = Vec::new();
        let length = self.source.read_until(b'\n', &mut bytes).map_err(LexError::Io)?;
        self.line = String::from_utf8_lossy(&bytes).into_owned();
        if self.here.line == 0 {
            self.line = self.line.trim_start_matches(BYTE_ORDER_MARK).to_owned();
        }
        if length > 0 {
            self.here.line += 1;
        }
        Ok(length > 0)
    }
}

/// Replaces control characters, which tags cannot contain, with spaces.
fn printable(letter: char) -> char {
    if letter.is_control() { ' ' } else { letter }
}

/// Collapses whitespace to single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
