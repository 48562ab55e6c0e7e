//! Reads games from a stream.

use std::io::{self, BufRead};

use crate::lexer::{Lexer, Section, Token};
use crate::tree::Tree;
use crate::{Error, ErrorKind, Format, Location, Recovery, Tags};

/// The maximum number of problems kept of one game.
pub const MAX_PROBLEMS: usize = 100;

/// Reads games one after another. Reading continues with the next game after an error.
///
/// A lenient reader keeps what it could read of a game with errors, and reports an error only if the
/// start of the game is unknown or there is nothing to keep. [`Reader::problems`] returns the other
/// errors. A strict reader reports every error instead of the game.
pub struct Reader<R, F: Format> {
    lexer: Lexer<R, F>,
    strict: bool,
    /// A token or an error that was read ahead, such as the first tag of the next game.
    peeked: Option<io::Result<Token>>,
    /// Whether the last game ended with a result.
    after_result: bool,
    problems: Vec<Error<F>>,
    ended: bool,
}

/// An error and its location; `None` means the location of the latest token.
struct Problem<F: Format>(ErrorKind<F>, Option<Location>);

impl<F: Format, K: Into<ErrorKind<F>>> From<K> for Problem<F> {
    fn from(kind: K) -> Problem<F> {
        Problem(kind.into(), None)
    }
}

impl<R: BufRead, F: Format> Reader<R, F> {
    /// Creates a reader from any buffered source, such as a file, a byte slice or standard input. It
    /// is lenient if the format supports that ([`Format::LENIENT`]).
    pub fn new(source: R) -> Reader<R, F> {
        Reader::with(source, !F::LENIENT)
    }

    /// Creates a reader that accepts only games without errors.
    pub fn strict(source: R) -> Reader<R, F> {
        Reader::with(source, true)
    }

    /// Reads the following games strictly or leniently.
    pub fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
        self.lexer.set_strict(strict);
    }

    fn with(source: R, strict: bool) -> Reader<R, F> {
        let lexer = Lexer::new(source, strict);
        let problems = Vec::new();
        Reader { lexer, strict, peeked: None, after_result: false, problems, ended: false }
    }

    /// Returns what a lenient reader could not read of the latest game, at most the first
    /// [`MAX_PROBLEMS`] errors.
    pub fn problems(&self) -> &[Error<F>] {
        &self.problems
    }

    /// Takes the errors that [`Reader::problems`] returns.
    pub fn take_problems(&mut self) -> Vec<Error<F>> {
        std::mem::take(&mut self.problems)
    }

    fn token(&mut self) -> io::Result<Option<Token>> {
        match self.peeked.take() {
            Some(peeked) => peeked.map(Some),
            None => self.lexer.next(),
        }
    }

    fn error(&self, Problem(kind, location): Problem<F>) -> Error<F> {
        let Location { line, column, offset } = location.unwrap_or(self.lexer.location());
        Error { line, column, offset, kind }
    }

    /// Returns an error, or records it if the reader is lenient.
    fn tolerate(&mut self, problem: impl Into<Problem<F>>) -> Result<(), Problem<F>> {
        let problem = problem.into();
        if self.strict || matches!(problem.0, ErrorKind::Io(_)) {
            return Err(problem);
        }
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(self.error(problem));
        }
        Ok(())
    }

    fn game(&mut self, section: &mut Section) -> Result<Option<F::Game>, Problem<F>> {
        let mut tags = Tags::default();
        let mut opening = Vec::new();
        let mut no_tags = true;
        let mut after_empty_line = false;
        // The latest tag may continue on this line.
        let mut is_wrapped = false;
        loop {
            let token = self.token()?;
            after_empty_line |= self.lexer.after_empty_line();
            is_wrapped &= !self.lexer.after_empty_line();
            match token {
                Some(Token::Comment(text)) if no_tags => opening.push(text),
                Some(Token::UnclosedComment(text)) if no_tags => {
                    self.tolerate(ErrorKind::UnclosedComment)?;
                    opening.push(text);
                }
                // The game before it has no moves.
                Some(Token::Tag(name, value))
                    if self.lexer.after_empty_line() && !no_tags && tags.contains(&name) =>
                {
                    self.peeked = Some(Ok(Token::Tag(name, value)));
                    break;
                }
                Some(Token::Tag(name, value)) => {
                    tags.add::<F>(name, value, self.lexer.location());
                    (no_tags, is_wrapped) = (false, false);
                }
                Some(Token::BadTag) => {
                    self.tolerate(ErrorKind::Tag)?;
                    self.lexer.skip_line();
                    is_wrapped = !self.strict;
                }
                Some(Token::Word(_)) if is_wrapped && self.lexer.ends_tag() => {
                    self.lexer.skip_line();
                }
                Some(Token::Word(word)) if no_tags && self.is_stray(&word, after_empty_line) => {
                    *section = Section::Moves;
                    return Err(ErrorKind::AfterResult(word).into());
                }
                // Signs after a tag would end the tags.
                Some(Token::Word(word)) if !self.strict && !no_tags && is_noise(&word) => {
                    self.tolerate(ErrorKind::Tag)?;
                }
                None if no_tags && self.problems.is_empty() => return Ok(None),
                token => {
                    self.peeked = token.map(Ok);
                    break;
                }
            }
        }
        *section = Section::Moves;
        let start = if self.strict { F::start(&tags) } else { F::lenient_start(&tags) };
        let (format, start) =
            start.map_err(|(error, location)| Problem(ErrorKind::Game(error), Some(location)))?;
        let mut tree = Tree::new(format, start.clone());
        opening.into_iter().for_each(|text| tree.comment(text));
        let result = self.moves(&mut tree)?;
        if let Some(opened) = tree.opened() {
            self.tolerate(Problem(ErrorKind::UnclosedVariation, Some(opened)))?;
        }
        let line = tree.finish();
        self.after_result = result.is_some();
        let nothing = no_tags && line.moves.is_empty() && result.is_none();
        if nothing && self.problems.is_empty() && line.comments.is_empty() && self.peeked.is_none()
        {
            // A number alone.
            return Ok(None);
        }
        if nothing && !self.problems.is_empty() {
            let Error { line, column, offset, kind } = self.problems.remove(0);
            return Err(Problem(kind, Some(Location { line, column, offset })));
        }
        Ok(Some(F::game(tags, start, line, result)))
    }

    /// Returns whether a word comes after the result of a game without beginning another one. After
    /// an empty line, a move without a number or a result begins one.
    fn is_stray(&self, word: &str, after_empty_line: bool) -> bool {
        let numbered = || word.starts_with(|first: char| first.is_ascii_digit());
        let begins = || after_empty_line && (!numbered() || F::result(word).is_some());
        self.after_result && !F::begins_game(word) && !begins()
    }

    /// Reads the moves of a game, up to its result or the next game.
    fn moves(&mut self, tree: &mut Tree<F>) -> Result<Option<F::Result>, Problem<F>> {
        let mut result = None;
        let next_game = loop {
            match self.token()? {
                None => return Ok(result),
                Some(tag @ Token::Tag(..)) => break tag,
                // The game before it has no result.
                Some(Token::Word(word))
                    if self.lexer.after_empty_line()
                        && is_first_number(&word)
                        && tree.may_end() =>
                {
                    break Token::Word(word);
                }
                // A bad tag at the start of a line belongs to the next game.
                Some(Token::BadTag) if self.lexer.location().column == 1 => break Token::BadTag,
                Some(Token::BadTag) => self.tolerate(ErrorKind::Tag)?,
                Some(Token::UnclosedComment(text)) => {
                    self.tolerate(ErrorKind::UnclosedComment)?;
                    tree.comment(text);
                }
                Some(Token::Word(word)) => {
                    let ended = match F::result(&word) {
                        // A result in a variation is not that of the game.
                        Some(_) if tree.in_variation() => None,
                        None if tree.is_skipping() => None,
                        None => self.word(tree, &word)?,
                        ended => ended,
                    };
                    if ended.is_some() {
                        if !result.as_ref().is_some_and(F::is_final) {
                            result = ended;
                        }
                        if !self.continues(tree)? {
                            return Ok(result);
                        }
                    }
                }
                Some(Token::Comment(text)) => tree.comment(text),
                Some(Token::Nag(_)) if tree.is_skipping() => {}
                Some(Token::Nag(nag)) => {
                    let read = nag.map_err(ErrorKind::Nag).and_then(|nag| tree.nag(nag));
                    self.check(read)?;
                }
                Some(Token::Open) => {
                    let opened = tree.open(self.lexer.location());
                    if matches!(opened, Err(ErrorKind::TooDeep)) {
                        tree.skip_variation();
                    }
                    self.check(opened)?;
                }
                Some(Token::Close) => {
                    let closed = tree.close();
                    self.check(closed)?;
                }
            }
        };
        self.peeked = Some(Ok(next_game));
        Ok(result)
    }

    fn check(&mut self, read: Result<(), ErrorKind<F>>) -> Result<(), Problem<F>> {
        read.or_else(|kind| self.tolerate(kind))
    }

    /// Reads a word that is not a result. Returns the result if one is attached to it.
    fn word(&mut self, tree: &mut Tree<F>, word: &str) -> Result<Option<F::Result>, Problem<F>> {
        let error = match tree.word(word) {
            Ok(()) => return Ok(None),
            Err(ErrorKind::Game(error)) if !self.strict => error,
            Err(kind) => return self.tolerate(kind).map(|()| None),
        };
        let signs = &word[word.trim_end_matches(['!', '?']).len()..];
        match tree.recover(word, error) {
            Recovery::Read => {
                let read = tree.signs(signs);
                self.check(read)?;
            }
            Recovery::Assume(error) => {
                self.tolerate(ErrorKind::Game(error))?;
                let read = tree.signs(signs);
                self.check(read)?;
            }
            Recovery::Nag(nag) => {
                let read = tree.nag(nag);
                self.check(read)?;
            }
            Recovery::Ended(result) => return Ok(Some(result).filter(|_| !tree.in_variation())),
            Recovery::Skip(error) => self.tolerate(ErrorKind::Game(error))?,
            Recovery::Stop(error) => {
                self.tolerate(ErrorKind::Game(error))?;
                tree.skip_line();
            }
        }
        Ok(None)
    }

    /// Reads the comments after a result. Returns whether the game continues nevertheless, which
    /// only a lenient reader allows.
    fn continues(&mut self, tree: &mut Tree<F>) -> Result<bool, Problem<F>> {
        while self.lexer.comment_follows() {
            match self.token()? {
                Some(Token::Comment(text)) => tree.comment(text),
                Some(Token::UnclosedComment(text)) => {
                    self.tolerate(ErrorKind::UnclosedComment)?;
                    tree.comment(text);
                }
                token => {
                    self.peeked = token.map(Ok);
                    return Ok(false);
                }
            }
        }
        if self.strict {
            return Ok(false);
        }
        match self.lexer.text_follows() {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) => {
                // The game is complete, so this is reported after it.
                self.peeked = Some(Err(error));
                return Ok(false);
            }
        }
        let token = self.token()?;
        let continues = match &token {
            Some(Token::Word(word)) if !F::begins_game(word) => {
                self.tolerate(ErrorKind::AfterResult(word.clone()))?;
                true
            }
            Some(Token::Nag(_) | Token::Open | Token::Close) => true,
            _ => false,
        };
        self.peeked = token.map(Ok);
        Ok(continues)
    }

    /// Skips to the next game after an error. If the stream fails meanwhile, that is reported next.
    fn recover(&mut self, section: Section) {
        match self.peeked.take() {
            // The game had no moves, only its result.
            Some(Ok(Token::Word(word))) if F::result(&word).is_some() => {}
            Some(next @ (Ok(Token::Tag(..) | Token::BadTag) | Err(_))) => self.peeked = Some(next),
            _ => self.peeked = self.lexer.skip_game(section).err().map(Err),
        }
        self.after_result = false;
    }
}

/// Returns whether a word is, or begins with, the number of a game's first move.
pub fn is_first_number(word: &str) -> bool {
    let rest = word.strip_prefix('1').unwrap_or("?");
    rest.is_empty() || rest.starts_with('.') && !rest.starts_with("..")
}

/// Returns whether a word consists of signs that begin neither a move nor a result.
fn is_noise(word: &str) -> bool {
    word.chars().all(|letter| matches!(letter, ',' | ':' | ']' | '}' | '>' | '"' | '\'' | '\\'))
}

impl<R: BufRead, F: Format> Iterator for Reader<R, F> {
    type Item = Result<F::Game, Error<F>>;

    fn next(&mut self) -> Option<Result<F::Game, Error<F>>> {
        if self.ended {
            return None;
        }
        self.problems.clear();
        let mut section = Section::Tags;
        match self.game(&mut section) {
            Ok(game) => {
                self.ended = game.is_none();
                game.map(Ok)
            }
            Err(problem) => {
                let error = self.error(problem);
                self.ended = matches!(error.kind, ErrorKind::Io(_));
                if !self.ended {
                    self.recover(section);
                }
                Some(Err(error))
            }
        }
    }
}
