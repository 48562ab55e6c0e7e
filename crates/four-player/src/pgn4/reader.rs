//! Reads games from a stream of PGN4.

use std::io::BufRead;

use super::error::{Pgn4Error, Pgn4ErrorKind};
use super::lexer::{LexError, Lexer, Place, Section, Token};
use super::movetext::Movetext;
use super::tags::Tags;
use super::{Game, GameResult};

/// An iterator over the games of a stream. A game with an error is reported with the location of
/// the error and skipped; the next game follows. (An unclosed comment swallows everything after
/// it.)
///
/// ```
/// use fourfold_four_player::pgn4::Reader;
///
/// let text = "1. h2-h3 .. b7-b9\n\n[Variant \"FFA\"]\n\n1. h2-h4";
/// let mut reader = Reader::new(text.as_bytes());
/// let error = reader.next().expect("a game").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 13: 'b7-b9' is not legal here");
/// assert_eq!(reader.next().expect("a game")?.plies().count(), 1);
/// # Ok::<(), fourfold_four_player::pgn4::Pgn4Error>(())
/// ```
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// A token that was read ahead: a tag of the next game, or an error in it.
    peeked: Option<Result<Token, LexError>>,
    ended: bool,
}

/// An error with its place. `None` is the place of the latest token.
pub(super) struct Problem(pub(super) Pgn4ErrorKind, pub(super) Option<Place>);

impl<K: Into<Pgn4ErrorKind>> From<K> for Problem {
    fn from(kind: K) -> Problem {
        Problem(kind.into(), None)
    }
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader for a file, a byte slice, standard input or any other source.
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
        let start = tags.start().map_err(|(kind, place)| Problem(kind, Some(place)))?;
        let mut moves = Movetext::new(start);
        opening.into_iter().for_each(|text| moves.comment(text));
        let tagged = tags.value("Result").and_then(GameResult::from_text);
        let result = self.moves(&mut moves)?.or(tagged).unwrap_or(GameResult::Open);
        let line = moves.finish()?;
        Ok(Some(Game { tags: tags.kept, start, line, result }))
    }

    /// Reads the moves of a game, up to its result or the next game.
    fn moves(&mut self, moves: &mut Movetext) -> Result<Option<GameResult>, Problem> {
        loop {
            let token = match self.token() {
                // An invalid tag at the start of a line belongs to the next game.
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
                    // A result inside a variation is only an annotation.
                    Some(_) if moves.in_variation() => {}
                    Some(result) => {
                        while self.lexer.comment_follows() {
                            let Some(Token::Comment(text)) = self.token()? else { break };
                            moves.comment(text);
                        }
                        // `*` only marks the end of the moves; the `Result` tag may say more.
                        return Ok(Some(result).filter(|&result| result != GameResult::Open));
                    }
                    None => moves.word(&word)?,
                },
                Some(Token::Nag(nag)) => moves.nag(nag.map_err(Pgn4ErrorKind::Nag)?)?,
                Some(Token::Comment(text)) => moves.comment(text),
                Some(Token::Open) => moves.open(self.lexer.place())?,
                Some(Token::Close) => moves.close()?,
            }
        }
    }

    /// Finds the next game after an error. If reading fails in the meantime, that is reported next.
    fn recover(&mut self, section: Section) {
        if self.peeked.as_ref().is_some_and(|peeked| !matches!(peeked, Ok(Token::Tag(..)) | Err(_)))
        {
            self.peeked = None;
        }
        if self.peeked.is_none() {
            self.peeked = self.lexer.skip_game(section).err().map(Err);
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Game, Pgn4Error>;

    fn next(&mut self) -> Option<Result<Game, Pgn4Error>> {
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
                let Place { line, column } = place.unwrap_or(self.lexer.place());
                if matches!(kind, Pgn4ErrorKind::Io(_)) {
                    self.ended = true;
                } else {
                    self.recover(section);
                }
                Some(Err(Pgn4Error { line, column, kind }))
            }
        }
    }
}
