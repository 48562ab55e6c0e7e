//! Reads games from a stream.

use std::io::{self, BufRead};

use crate::lexer::{Lexer, Section, Token};
use crate::tree::Tree;
use crate::{Error, ErrorKind, Format, Location, Tags};

/// Reads games one after another. A game with an error is reported with its location and skipped;
/// reading continues with the next one. (A comment that is never closed swallows the rest of the
/// stream.)
pub struct Reader<R, F> {
    lexer: Lexer<R, F>,
    /// A token or an error that was read ahead, such as the first tag of the next game.
    peeked: Option<io::Result<Token>>,
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
    /// Creates a reader from any buffered source, such as a file, a byte slice or standard input.
    pub fn new(source: R) -> Reader<R, F> {
        Reader { lexer: Lexer::new(source), peeked: None, ended: false }
    }

    fn token(&mut self) -> io::Result<Option<Token>> {
        match self.peeked.take() {
            Some(peeked) => peeked.map(Some),
            None => self.lexer.next(),
        }
    }

    fn game(&mut self, section: &mut Section) -> Result<Option<F::Game>, Problem<F>> {
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
            tags.add::<F>(name, value, self.lexer.location());
            token = self.token()?;
        }
        match token {
            Some(Token::BadTag) => return Err(ErrorKind::Tag.into()),
            Some(Token::UnclosedComment) => return Err(ErrorKind::UnclosedComment.into()),
            token => self.peeked = token.map(Ok),
        }
        *section = Section::Moves;
        let (format, start) = F::start(&tags)
            .map_err(|(error, location)| Problem(ErrorKind::Game(error), Some(location)))?;
        let mut tree = Tree::new(format, start.clone());
        opening.into_iter().for_each(|text| tree.comment(text));
        let result = self.moves(&mut tree)?;
        let line =
            tree.finish().map_err(|opened| Problem(ErrorKind::UnclosedVariation, Some(opened)))?;
        Ok(Some(F::game(tags, start, line, result)))
    }

    /// Reads the moves of a game, up to its result or the next game.
    fn moves(&mut self, tree: &mut Tree<F>) -> Result<Option<F::Result>, ErrorKind<F>> {
        let next_game = loop {
            match self.token()? {
                None => return Ok(None),
                Some(tag @ Token::Tag(..)) => break tag,
                // A bad tag at the start of a line belongs to the next game.
                Some(Token::BadTag) if self.lexer.location().column == 1 => break Token::BadTag,
                Some(Token::BadTag) => return Err(ErrorKind::Tag),
                Some(Token::UnclosedComment) => return Err(ErrorKind::UnclosedComment),
                Some(Token::Word(word)) => match F::result(&word) {
                    // A result in a variation is not that of the game.
                    Some(_) if tree.in_variation() => {}
                    Some(result) => {
                        while self.lexer.comment_follows() {
                            match self.token()? {
                                Some(Token::Comment(text)) => tree.comment(text),
                                _ => return Err(ErrorKind::UnclosedComment),
                            }
                        }
                        return Ok(Some(result));
                    }
                    None => tree.word(&word)?,
                },
                Some(Token::Nag(nag)) => tree.nag(nag.map_err(ErrorKind::Nag)?)?,
                Some(Token::Comment(text)) => tree.comment(text),
                Some(Token::Open) => tree.open(self.lexer.location())?,
                Some(Token::Close) => tree.close()?,
            }
        };
        self.peeked = Some(Ok(next_game));
        Ok(None)
    }

    /// Skips to the next game after an error. If the stream fails meanwhile, that is reported next.
    fn recover(&mut self, section: Section) {
        match self.peeked.take() {
            // The game had no moves, only its result.
            Some(Ok(Token::Word(word))) if F::result(&word).is_some() => {}
            Some(next @ (Ok(Token::Tag(..) | Token::BadTag) | Err(_))) => self.peeked = Some(next),
            _ => self.peeked = self.lexer.skip_game(section).err().map(Err),
        }
    }
}

impl<R: BufRead, F: Format> Iterator for Reader<R, F> {
    type Item = Result<F::Game, Error<F>>;

    fn next(&mut self) -> Option<Result<F::Game, Error<F>>> {
        if self.ended {
            return None;
        }
        let mut section = Section::Tags;
        match self.game(&mut section) {
            Ok(game) => {
                self.ended = game.is_none();
                game.map(Ok)
            }
            Err(Problem(kind, location)) => {
                let Location { line, column, offset } = location.unwrap_or(self.lexer.location());
                self.ended = matches!(kind, ErrorKind::Io(_));
                if !self.ended {
                    self.recover(section);
                }
                Some(Err(Error { line, column, offset, kind }))
            }
        }
    }
}
