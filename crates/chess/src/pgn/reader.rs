//! Games from a stream of PGN.

use std::fmt;
use std::io::BufRead;

use super::lexer::{LexError, Lexer, Place, Token};
use super::{Game, GameResult, Line, Node};
use crate::{ParseFenError, ParseMoveError, Position, Variant};

/// Variations may be nested this deep; real files stay far below.
pub const MAX_NESTING: usize = 100;

/// Reads games one after another. A game with an error is reported with its place and left out; the
/// next one follows.
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// A tag that was read too far.
    peeked: Option<Token>,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// A reader of a file, a slice of bytes, standard input.
    pub fn new(source: R) -> Reader<R> {
        Reader { lexer: Lexer::new(source), peeked: None, ended: false }
    }

    fn token(&mut self) -> Result<Option<Token>, PgnErrorKind> {
        match self.peeked.take() {
            Some(token) => Ok(Some(token)),
            None => self.lexer.next().map_err(PgnErrorKind::from),
        }
    }

    fn game(&mut self, in_tags: &mut bool) -> Result<Option<Game>, PgnErrorKind> {
        let mut tags = Vec::new();
        let mut first = self.token()?;
        let mut opening = Vec::new();
        while let Some(Token::Comment(text)) = first {
            opening.push(text);
            first = self.token()?;
        }
        if first.is_none() {
            return Ok(None);
        }
        while let Some(Token::Tag(name, value)) = first {
            tags.push((name, value));
            first = self.token()?;
        }
        *in_tags = false;
        self.peeked = first;
        let start = start_position(&mut tags)?;
        let mut moves = Movetext::new(start);
        opening.into_iter().for_each(|text| moves.comment(text));
        let result = loop {
            let Some(token) = self.token()? else { break None };
            match token {
                Token::Tag(..) => {
                    self.peeked = Some(token);
                    break None;
                }
                Token::Word(word) => match GameResult::from_text(&word) {
                    Some(result) => break Some(result),
                    None => moves.word(&word)?,
                },
                Token::Nag(nag) => moves.nag(nag.map_err(PgnErrorKind::Nag)?)?,
                Token::Comment(text) => moves.comment(text),
                Token::Open => moves.open()?,
                Token::Close => moves.close()?,
            }
        };
        let line = moves.finish()?;
        let tag = tags.iter().find(|(name, _)| name == "Result");
        let from_tag = tag.and_then(|(_, value)| GameResult::from_text(value));
        let result = result.or(from_tag).unwrap_or(GameResult::Open);
        Ok(Some(Game { tags, start, line, result }))
    }

    /// After an error: finds the next game.
    fn recover(&mut self, in_tags: bool) {
        if !matches!(self.peeked, Some(Token::Tag(..))) {
            self.peeked = None;
            self.ended = self.lexer.skip_game(in_tags).is_err();
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Result<Game, PgnError>> {
        if self.ended {
            return None;
        }
        let mut in_tags = true;
        match self.game(&mut in_tags) {
            Ok(Some(game)) => Some(Ok(game)),
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(kind) => {
                let Place { line, column, offset } = self.lexer.place();
                match kind {
                    PgnErrorKind::Io(_) => self.ended = true,
                    _ => self.recover(in_tags),
                }
                Some(Err(PgnError { line, column, offset, kind }))
            }
        }
    }
}

/// The start that the tags describe; those that do so are taken out.
fn start_position(tags: &mut Vec<(String, String)>) -> Result<Position, PgnErrorKind> {
    let mut take = |name: &str| {
        let index = tags.iter().position(|(key, _)| key == name)?;
        Some(tags.remove(index).1)
    };
    let variant = match take("Variant") {
        None => Variant::Standard,
        Some(name) => match name.to_lowercase().replace([' ', '-'], "").as_str() {
            "chess960" | "fischerandom" | "fischerrandom" => Variant::Chess960,
            "" | "chess" | "standard" | "normal" | "fromposition" => Variant::Standard,
            _ => return Err(PgnErrorKind::Variant(name)),
        },
    };
    take("SetUp");
    match take("FEN") {
        Some(fen) => Position::from_fen_in(&fen, variant).map_err(PgnErrorKind::Fen),
        None if variant == Variant::Chess960 => Err(PgnErrorKind::NoFen),
        None => Ok(Position::start()),
    }
}

/// The moves of a game as they come in, with the variations that are still open.
struct Movetext {
    current: Frame,
    outer: Vec<Frame>,
}

/// A line with the positions before and after its last move.
struct Frame {
    line: Line,
    before: Position,
    after: Position,
}

impl Frame {
    fn new(start: Position) -> Frame {
        Frame { line: Line::default(), before: start, after: start }
    }
}

impl Movetext {
    fn new(start: Position) -> Movetext {
        Movetext { current: Frame::new(start), outer: Vec::new() }
    }

    /// A word between spaces: a move with its number before and its signs behind, or parts of that.
    fn word(&mut self, word: &str) -> Result<(), PgnErrorKind> {
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let numbered = digits.is_empty() || digits.starts_with('.');
        let text = if numbered { digits.trim_start_matches('.') } else { word };
        let san = text.trim_end_matches(['!', '?']);
        if !san.is_empty() && san != "e.p." {
            let mv = self.current.after.parse_san(san).map_err(PgnErrorKind::Move)?;
            self.current.before = self.current.after;
            self.current.after.play_unchecked(mv);
            self.current.line.moves.push(Node::new(mv));
        }
        match &text[san.len()..] {
            "" => Ok(()),
            "!" => self.nag(1),
            "?" => self.nag(2),
            "!!" => self.nag(3),
            "??" => self.nag(4),
            "!?" => self.nag(5),
            "?!" => self.nag(6),
            signs => Err(PgnErrorKind::Nag(signs.to_owned())),
        }
    }

    fn nag(&mut self, nag: u8) -> Result<(), PgnErrorKind> {
        let last = self.current.line.moves.last_mut().ok_or(PgnErrorKind::NothingToAnnotate)?;
        last.nags.push(nag);
        Ok(())
    }

    fn comment(&mut self, text: String) {
        let line = &mut self.current.line;
        let comments = match line.moves.last_mut() {
            Some(node) => &mut node.comments,
            None => &mut line.comments,
        };
        comments.extend(Some(text).filter(|text| !text.is_empty()));
    }

    fn open(&mut self) -> Result<(), PgnErrorKind> {
        if self.current.line.moves.is_empty() {
            return Err(PgnErrorKind::NothingToAnnotate);
        }
        if self.outer.len() == MAX_NESTING {
            return Err(PgnErrorKind::TooDeep);
        }
        let inner = Frame::new(self.current.before);
        self.outer.push(std::mem::replace(&mut self.current, inner));
        Ok(())
    }

    fn close(&mut self) -> Result<(), PgnErrorKind> {
        let outer = self.outer.pop().ok_or(PgnErrorKind::UnopenedVariation)?;
        let inner = std::mem::replace(&mut self.current, outer);
        // A variation was opened, so there is a move that it belongs to.
        if let Some(node) = self.current.line.moves.last_mut() {
            node.variations.push(inner.line);
        }
        Ok(())
    }

    fn finish(self) -> Result<Line, PgnErrorKind> {
        if self.outer.is_empty() {
            Ok(self.current.line)
        } else {
            Err(PgnErrorKind::UnclosedVariation)
        }
    }
}

/// What is wrong with a game, and where.
#[derive(Debug)]
#[non_exhaustive]
pub struct PgnError {
    /// The line, from 1.
    pub line: u64,
    /// The character in the line, from 1.
    pub column: usize,
    /// The byte in the stream, from 0.
    pub offset: u64,
    /// What is wrong.
    pub kind: PgnErrorKind,
}

/// What may be wrong with a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// The stream cannot be read.
    Io(std::io::Error),
    /// A tag that is not written `[Name "value"]`.
    Tag,
    /// A `{` without a `}`.
    UnclosedComment,
    /// A `(` without a `)`.
    UnclosedVariation,
    /// A `)` without a `(`.
    UnopenedVariation,
    /// Variations nested deeper than [`MAX_NESTING`].
    TooDeep,
    /// An annotation or a variation before any move.
    NothingToAnnotate,
    /// An annotation that is none.
    Nag(String),
    /// A variant of chess that is not played here.
    Variant(String),
    /// Chess960 without a start position.
    NoFen,
    /// A bad start position.
    Fen(ParseFenError),
    /// A bad move.
    Move(ParseMoveError),
}

impl From<LexError> for PgnErrorKind {
    fn from(error: LexError) -> PgnErrorKind {
        match error {
            LexError::Io(error) => PgnErrorKind::Io(error),
            LexError::Tag => PgnErrorKind::Tag,
            LexError::UnclosedComment => PgnErrorKind::UnclosedComment,
        }
    }
}

impl fmt::Display for PgnErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnErrorKind::Io(error) => write!(f, "cannot read: {error}"),
            PgnErrorKind::Tag => write!(f, "a tag is written [Name \"value\"] on one line"),
            PgnErrorKind::UnclosedComment => {
                write!(f, "a comment is opened by '{{' and not closed")
            }
            PgnErrorKind::UnclosedVariation => {
                write!(f, "a variation is opened by '(' and not closed")
            }
            PgnErrorKind::UnopenedVariation => write!(f, "')' closes no variation"),
            PgnErrorKind::TooDeep => write!(f, "variations are nested deeper than {MAX_NESTING}"),
            PgnErrorKind::NothingToAnnotate => {
                write!(f, "an annotation or a variation stands before any move")
            }
            PgnErrorKind::Nag(text) => {
                write!(f, "'{}' is no annotation from $0 to $255", crate::shown(text))
            }
            PgnErrorKind::Variant(name) => {
                write!(f, "variant '{}' is neither standard nor Chess960", crate::shown(name))
            }
            PgnErrorKind::NoFen => write!(f, "a Chess960 game needs a FEN tag"),
            PgnErrorKind::Fen(error) => write!(f, "{error}"),
            PgnErrorKind::Move(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind)
    }
}

impl std::error::Error for PgnError {}
