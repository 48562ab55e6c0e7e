//! Games from a stream of PGN.

use std::fmt;
use std::io::BufRead;

use fourfold_board::shown;

use super::lexer::{LexError, Lexer, Place, Section, Token};
use super::{Game, GameResult, Line, Node};
use crate::{ParseFenError, ParseMoveError, Position, Variant};

/// Variations may be nested this deep; real files stay far below.
pub const MAX_NESTING: usize = 100;

/// Reads games one after another. A game with an error is reported with its place and left out; the
/// next one follows. (A comment that is never closed swallows all that follows it.)
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// What was read too far: a tag of the next game, or an error in it.
    peeked: Option<Result<Token, LexError>>,
    ended: bool,
}

/// What is wrong, with its place; without one it is that of the latest token.
struct Problem(PgnErrorKind, Option<Place>);

impl<K: Into<PgnErrorKind>> From<K> for Problem {
    fn from(kind: K) -> Problem {
        Problem(kind.into(), None)
    }
}

impl<R: BufRead> Reader<R> {
    /// A reader of a file, a slice of bytes, standard input.
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

    /// Reads the moves of a game, up to its result or to the next game.
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
                    // A result in a variation is somebody's opinion.
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

    /// After an error: finds the next game. A stream that fails meanwhile is reported next.
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

/// The tags of a game; those that describe its start apart, with their places.
#[derive(Default)]
struct Tags {
    kept: Vec<(String, String)>,
    fen: Option<(String, Place)>,
    variant: Option<(String, Place)>,
}

impl Tags {
    /// Takes a tag; of several that describe the start the last counts.
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

/// The moves of a game as they come in, with the variations that are still open.
struct Movetext {
    current: Frame,
    outer: Vec<Frame>,
}

/// A line with the positions before and after its last move, and the place where it was opened.
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

    /// A word between spaces: a move with its number before and its signs behind, or parts of that.
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
        // A variation was opened, so there is a move that it belongs to.
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
                write!(f, "'{}' is no annotation from $0 to $255", shown(text))
            }
            PgnErrorKind::Variant(name) => {
                write!(f, "variant '{}' is neither standard nor Chess960", shown(name))
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
