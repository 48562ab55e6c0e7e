//! Reads games from a PGN stream.

use std::fmt;
use std::io::BufRead;

use fourfold_common::quote_short;

use super::lexer::{LexError, Lexer, Place, Section, Token};
use super::{Game, GameResult, Line, Node};
use crate::{ParseFenError, ParseMoveError, Position, Variant};

/// The maximum nesting depth of variations; real files stay far below it.
pub const MAX_NESTING: usize = 100;

/// Reads games one after another. A game with an error is reported with its place and skipped;
/// reading continues with the next one. (A comment that is never closed swallows the rest of the
/// stream.)
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// A token or an error that was read ahead, such as the first tag of the next game.
    peeked: Option<Result<Token, LexError>>,
    ended: bool,
}

/// An error and its place; `None` is the place of the latest token.
struct Problem(PgnErrorKind, Option<Place>);

impl<K: Into<PgnErrorKind>> From<K> for Problem {
    fn from(kind: K) -> Problem {
        Problem(kind.into(), None)
    }
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader from any buffered source, such as a file, a byte slice or standard input.
    pub fn new(source: R) -> Reader<R> {
        Reader { lexer: Lexer::new(source), peeked: None, ended: false }
    }

    fn token(&mut self) -> Result<Option<Token>, LexError> {
        match self.peeked.take() {
            Some(peeked) => peeked.map(Some),
            None => self.lexer.next(),
        }
    }

    fn game(&mut self, section: &mut Section) -> Result<Option<Game>, Problem> {
        let mut tags = Tags::default();
        let mut opening = Vec::new();
        let mut token = self.token()?;
        while let Some(Token::Comment(text)) = token {
            opening.push(text);
            token = self.token()?;
        }
        if token.is_none() {
            return Ok(None);
        }
        while let Some(Token::Tag(name, value)) = token {
            tags.add(name, value, self.lexer.place());
            token = self.token()?;
        }
        *section = Section::Moves;
        self.peeked = token.map(Ok);
        let start = tags.start()?;
        let mut moves = Movetext::new(start);
        opening.into_iter().for_each(|text| moves.comment(text));
        let result = self.moves(&mut moves)?.or_else(|| tags.result());
        let line = moves.finish()?;
        let result = result.unwrap_or(GameResult::Open);
        Ok(Some(Game { tags: tags.kept, start, line, result }))
    }

    /// Reads the moves of a game, up to its result or the next game.
    fn moves(&mut self, moves: &mut Movetext) -> Result<Option<GameResult>, Problem> {
        loop {
            let token = match self.token() {
                // A bad tag at the start of a line belongs to the next game.
                Err(LexError::Tag) if self.lexer.place().column == 1 => {
                    self.peeked = Some(Err(LexError::Tag));
                    return Ok(None);
                }
                token => token?,
            };
            match token {
                None => return Ok(None),
                Some(tag @ Token::Tag(..)) => {
                    self.peeked = Some(Ok(tag));
                    return Ok(None);
                }
                Some(Token::Word(word)) => match GameResult::from_text(&word) {
                    // A result in a variation is not that of the game.
                    Some(_) if !moves.outer.is_empty() => {}
                    Some(result) => {
                        while self.lexer.comment_follows() {
                            let Some(Token::Comment(text)) = self.token()? else { break };
                            moves.comment(text);
                        }
                        return Ok(Some(result));
                    }
                    None => moves.word(&word)?,
                },
                Some(Token::Nag(nag)) => moves.nag(nag.map_err(PgnErrorKind::Nag)?)?,
                Some(Token::Comment(text)) => moves.comment(text),
                Some(Token::Open) => moves.open(self.lexer.place())?,
                Some(Token::Close) => moves.close()?,
            }
        }
    }

    /// Skips to the next game after an error. If the stream fails meanwhile, that is reported next.
    fn recover(&mut self, section: Section) {
        match self.peeked.take() {
            // The game had no moves, only its result.
            Some(Ok(Token::Word(word))) if GameResult::from_text(&word).is_some() => return,
            Some(next @ (Ok(Token::Tag(..)) | Err(_))) => self.peeked = Some(next),
            _ => {}
        }
        if self.peeked.is_none() {
            self.peeked = self.lexer.skip_game(section).err().map(Err);
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Result<Game, PgnError>> {
        if self.ended {
            return None;
        }
        let mut section = Section::Tags;
        match self.game(&mut section) {
            Ok(Some(game)) => Some(Ok(game)),
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(Problem(kind, place)) => {
                let Place { line, column, offset } = place.unwrap_or(self.lexer.place());
                if matches!(kind, PgnErrorKind::Io(_)) {
                    self.ended = true;
                } else {
                    self.recover(section);
                }
                Some(Err(PgnError { line, column, offset, kind }))
            }
        }
    }
}

/// The tags of a game. Those that describe the start position are kept apart, with their places.
#[derive(Default)]
struct Tags {
    kept: Vec<(String, String)>,
    fen: Option<(String, Place)>,
    variant: Option<(String, Place)>,
}

impl Tags {
    /// Adds a tag. If a tag that describes the start position is repeated, the last one counts.
    fn add(&mut self, name: String, value: String, place: Place) {
        match name.as_str() {
            "FEN" => self.fen = Some((value, place)),
            "Variant" => self.variant = Some((value, place)),
            "SetUp" => {}
            _ => self.kept.push((name, value)),
        }
    }

    fn start(&self) -> Result<Position, Problem> {
        let variant = match &self.variant {
            None => Variant::Standard,
            Some((name, place)) => match name.to_lowercase().replace([' ', '-'], "").as_str() {
                "chess960" | "fischerandom" | "fischerrandom" => Variant::Chess960,
                "" | "chess" | "standard" | "normal" | "fromposition" => Variant::Standard,
                _ => return Err(Problem(PgnErrorKind::Variant(name.clone()), Some(*place))),
            },
        };
        match (&self.fen, &self.variant) {
            (Some((fen, place)), _) => Position::from_fen_in(fen, variant)
                .map_err(|error| Problem(PgnErrorKind::Fen(error), Some(*place))),
            (None, Some((_, place))) if variant == Variant::Chess960 => {
                Err(Problem(PgnErrorKind::NoFen, Some(*place)))
            }
            (None, _) => Ok(Position::start()),
        }
    }

    fn result(&self) -> Option<GameResult> {
        let tag = self.kept.iter().find(|(name, _)| name == "Result");
        tag.and_then(|(_, value)| GameResult::from_text(value))
    }
}

/// The moves read so far, and the variations that are still open.
struct Movetext {
    current: Frame,
    outer: Vec<Frame>,
}

/// A line, the positions before and after its last move, and the place where it was opened.
struct Frame {
    line: Line,
    before: Position,
    after: Position,
    opened: Place,
}

impl Frame {
    fn new(start: Position, opened: Place) -> Frame {
        Frame { line: Line::default(), before: start, after: start, opened }
    }
}

impl Movetext {
    fn new(start: Position) -> Movetext {
        Movetext { current: Frame::new(start, Place::default()), outer: Vec::new() }
    }

    /// Adds a word: a move with its number before it and annotation signs after it, or only parts
    /// of that.
    fn word(&mut self, word: &str) -> Result<(), PgnErrorKind> {
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let numbered = digits.is_empty() || digits.starts_with('.');
        let text = if numbered { digits.trim_start_matches('.') } else { word };
        let bare = text.trim_end_matches(['!', '?']);
        let san = bare.strip_suffix("e.p.").unwrap_or(bare);
        if !san.is_empty() {
            let mv = self.current.after.parse_san(san).map_err(PgnErrorKind::Move)?;
            self.current.before = self.current.after;
            self.current.after.play_unchecked(mv);
            self.current.line.moves.push(Node::new(mv));
        }
        match &text[bare.len()..] {
            "" => Ok(()),
            "!" => self.nag(1),
            "?" => self.nag(2),
            "!?" => self.nag(5),
            "?!" => self.nag(6),
            signs if signs.starts_with("!!") => self.nag(3),
            signs if signs.starts_with("??") => self.nag(4),
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

    fn open(&mut self, place: Place) -> Result<(), PgnErrorKind> {
        if self.current.line.moves.is_empty() {
            return Err(PgnErrorKind::NothingToAnnotate);
        }
        if self.outer.len() == MAX_NESTING {
            return Err(PgnErrorKind::TooDeep);
        }
        let inner = Frame::new(self.current.before, place);
        self.outer.push(std::mem::replace(&mut self.current, inner));
        Ok(())
    }

    fn close(&mut self) -> Result<(), PgnErrorKind> {
        let outer = self.outer.pop().ok_or(PgnErrorKind::UnopenedVariation)?;
        let inner = std::mem::replace(&mut self.current, outer);
        // A variation is only opened after a move, so there is one that it belongs to.
        if let Some(node) = self.current.line.moves.last_mut() {
            node.variations.push(inner.line);
        }
        Ok(())
    }

    fn finish(self) -> Result<Line, Problem> {
        if self.outer.is_empty() {
            Ok(self.current.line)
        } else {
            Err(Problem(PgnErrorKind::UnclosedVariation, Some(self.current.opened)))
        }
    }
}

/// An error in a game, and its place.
#[derive(Debug)]
#[non_exhaustive]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: u64,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// The byte in the stream, counted from 0.
    pub offset: u64,
    /// What is wrong.
    pub kind: PgnErrorKind,
}

/// What can be wrong with a game.
#[derive(Debug)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// The stream could not be read.
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
    /// An annotation that is not from `$0` to `$255`, or unknown signs.
    Nag(String),
    /// An unsupported chess variant.
    Variant(String),
    /// A Chess960 game without a start position.
    NoFen,
    /// An invalid start position.
    Fen(ParseFenError),
    /// An invalid move.
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
            PgnErrorKind::Tag => write!(f, "expected a tag like [Name \"value\"] on one line"),
            PgnErrorKind::UnclosedComment => {
                write!(f, "unclosed comment: '{{' without '}}'")
            }
            PgnErrorKind::UnclosedVariation => {
                write!(f, "unclosed variation: '(' without ')'")
            }
            PgnErrorKind::UnopenedVariation => write!(f, "')' without a matching '('"),
            PgnErrorKind::TooDeep => write!(f, "variations are nested deeper than {MAX_NESTING}"),
            PgnErrorKind::NothingToAnnotate => {
                write!(f, "annotation or variation before the first move")
            }
            PgnErrorKind::Nag(text) => {
                write!(f, "'{}' is not an annotation: expected $0 to $255", quote_short(text))
            }
            PgnErrorKind::Variant(name) => {
                write!(f, "unknown variant '{}': expected standard or Chess960", quote_short(name))
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

impl std::error::Error for PgnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            PgnErrorKind::Io(error) => Some(error),
            PgnErrorKind::Fen(error) => Some(error),
            PgnErrorKind::Move(error) => Some(error),
            PgnErrorKind::Tag
            | PgnErrorKind::UnclosedComment
            | PgnErrorKind::UnclosedVariation
            | PgnErrorKind::UnopenedVariation
            | PgnErrorKind::TooDeep
            | PgnErrorKind::NothingToAnnotate
            | PgnErrorKind::Nag(_)
            | PgnErrorKind::Variant(_)
            | PgnErrorKind::NoFen => None,
        }
    }
}
