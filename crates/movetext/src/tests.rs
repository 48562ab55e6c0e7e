//! A format whose moves are numbers that count up: `1`, `2` and so on. `[Start "5"]` begins at 5.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use crate::lexer::{Lexer, Token};
use crate::{ErrorKind, Format, Line, Location, OpenLine, Tags, Writer};

type Reader<R> = crate::Reader<R, Counting>;

/// How many variations are open.
#[derive(Debug)]
struct Counting(usize);

#[derive(Debug)]
struct Counted {
    tags: Vec<(String, String)>,
    line: Line<u32>,
    ended: bool,
}

impl Format for Counting {
    const MULTILINE_TAGS: bool = true;
    const DOTS_SEPARATE: bool = true;
    const START_TAGS: &'static [&'static str] = &["Start"];

    type Game = Counted;
    type State = u32;
    type Move = u32;
    type Result = ();
    type Error = io::Error;

    fn start(tags: &Tags) -> Result<(Counting, u32), (io::Error, Location)> {
        let Some((text, location)) = tags.start_tag("Start") else { return Ok((Counting(0), 0)) };
        let start = text.parse().map_err(|error| (io::Error::other(error), location))?;
        Ok((Counting(0), start))
    }

    fn result(text: &str) -> Option<()> {
        (text == "*").then_some(())
    }

    fn word(&mut self, word: &str, line: &mut OpenLine<Counting>) -> Result<(), io::Error> {
        match word.parse() {
            Ok(number) if number == line.state() + 1 => {
                line.add(number, |state| *state = number);
                Ok(())
            }
            _ => Err(io::Error::other(format!("{word} after {}", line.state()))),
        }
    }

    fn open_variation(&mut self) {
        self.0 += 1;
    }

    fn close_variation(&mut self, variation: &Line<u32>, after: &u32) {
        self.0 -= 1;
        assert!(variation.moves.iter().all(|node| node.mv >= *after));
    }

    fn game(tags: Tags, _start: u32, line: Line<u32>, result: Option<()>) -> Counted {
        Counted { tags: tags.others, line, ended: result.is_some() }
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn write_line(text: &mut Writer<'_, '_>, line: &Line<u32>) -> fmt::Result {
            text.comments(&line.comments)?;
            for node in &line.moves {
                text.word(&node.mv.to_string())?;
                text.annotations(node, write_line)?;
            }
            Ok(())
        }
        let mut text = Writer::new(f, 20);
        self.tags.iter().try_for_each(|(name, value)| text.tag(name, value))?;
        text.newline()?;
        write_line(&mut text, &self.line)?;
        text.end_line()
    }
}

/// A stream that fails after a text.
fn failing(text: &str) -> impl BufRead + '_ {
    struct Failure;
    impl Read for Failure {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    BufReader::new(text.as_bytes().chain(Failure))
}

#[test]
fn the_lexer_continues_after_malformed_text() {
    let text = "[x\n[A \"b\n[C \"d\"]\n1 $999 [ 2 (\n\n[E \"f\n\n3 { never";
    let mut lexer = Lexer::<_, Counting>::new(text.as_bytes(), true);
    let tokens: Vec<Token> = std::iter::from_fn(|| lexer.next().unwrap()).collect();
    let word = |text: &str| Token::Word(text.to_owned());
    assert_eq!(
        tokens,
        [
            Token::BadTag,
            word("x"),
            Token::BadTag,
            Token::Tag("C".to_owned(), "d".to_owned()),
            word("1"),
            Token::Nag(Err("999".to_owned())),
            Token::BadTag,
            word("2"),
            Token::Open,
            Token::BadTag,
            word("3"),
            Token::UnclosedComment("never".to_owned()),
        ]
    );
    assert_eq!(lexer.location().line, 8);
}

#[test]
fn a_failing_stream_is_reported_once() {
    // In the moves, in a comment, in a tag, and while a bad game is skipped.
    for (text, before) in [("1 2\n", 0), ("1 { a\n", 0), ("[A \"b\n", 0), ("7 1\n2\n", 1)] {
        let games: Vec<_> = Reader::new(failing(text)).collect();
        assert_eq!(games.len(), before + 1, "{text}");
        let last = games.into_iter().next_back().unwrap().unwrap_err();
        assert!(matches!(last.kind, ErrorKind::Io(_)), "{text}");
        assert!(last.to_string().ends_with("could not read the stream: gone"), "{last}");
    }
}

#[test]
fn start_tags_are_kept_separately() {
    let text = "[A \"x\"] [Start \"4\"] [Start \"6\"] [B \"y\"] 7 8 *";
    let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(game.tags, [("A", "x"), ("B", "y")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert!(game.ended);
    let error = Reader::new("[A \"x\"]\n [Start \"z\"] 1".as_bytes()).next().unwrap().unwrap_err();
    assert_eq!((error.line, error.column, error.offset), (2, 2, 9));
}

#[test]
fn a_game_is_written_in_lines_of_the_given_width() {
    let text = "[A \"x\\\\ \\\"y\"]\n\n{ a } 1 $1 2 ( 2 3 {\nb c d e f g h i } (\n3 ) ) 3\n\
                ; never } closed\n4 {\na_word_that_is_too_long\n}\n";
    let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(game.tags[0].1, "x\\ \"y");
    assert_eq!(game.to_string(), text);
    assert!(!game.ended);
}
