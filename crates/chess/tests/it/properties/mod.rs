//! Properties that must hold for any input. The tests check them on random inputs; the fuzz
//! targets in `fuzz/` check them without a bound.

use std::io::Cursor;

use fourfold_chess::pgn::{Commands, Game, Reader};
use fourfold_chess::{Move, ParseMoveError, Position, Setup, Variant, perft, random_walk};

const VARIANTS: [Variant; 2] = [Variant::Standard, Variant::Chess960];

/// Returns a position from random play; of Chess960 if `start` is the number of a start position.
pub(crate) fn position(start: u16, plies: u8, seed: u64) -> Position {
    let start = match Setup::chess960(start) {
        Some(setup) => setup.validate().expect("a start is valid"),
        None => Position::start(),
    };
    random_walk(start, seed).take(plies as usize + 1).last().expect("a walk has a start")
}

/// A string accepted as a FEN is a position that can be played, and it reads back after
/// writing; in standard chess, what is written is the same text.
pub(crate) fn fen(text: &str) {
    for variant in VARIANTS {
        let Ok(position) = Position::from_fen_in(text, variant) else { continue };
        let written = position.fen();
        assert_eq!(Position::from_fen_in(&written, variant).as_ref(), Ok(&position), "{text}");
        if variant == Variant::Standard {
            assert_eq!(text, written);
        }
        assert!(perft(&position, 2) < 218 * 218);
    }
}

/// A string accepted as a UCI move is a legal move that reads back after writing. There is a
/// refusal exactly for moves that are well-formed but not legal.
pub(crate) fn uci(position: &Position, text: &str) {
    let parsed = position.parse_uci(text);
    let illegal = matches!(parsed, Err(ParseMoveError::Illegal { .. }));
    assert_eq!(position.uci_refusal(text).is_some(), illegal, "{text} in {position}");
    if let Ok(mv) = parsed {
        is_read_back(position, mv);
    }
}

/// A string accepted as a SAN move is a legal move that reads back after writing.
pub(crate) fn san(position: &Position, text: &str) {
    if let Ok(mv) = position.parse_san(text) {
        is_read_back(position, mv);
    }
}

/// A legal move reads back from its UCI notation and from its SAN.
pub(crate) fn is_read_back(position: &Position, mv: Move) {
    assert!(position.is_legal(mv));
    assert_eq!(position.parse_uci(&mv.uci(position.variant())), Ok(mv));
    assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
}

/// What the strict reader accepts, the lenient one accepts with the same result and without
/// problems.
fn lenient_pgn_agrees_with_strict(bytes: &[u8]) {
    let strict: Result<Vec<Game>, _> = Reader::strict(Cursor::new(bytes)).collect();
    let Ok(strict) = strict else { return };
    let mut reader = Reader::new(Cursor::new(bytes));
    let mut games = Vec::new();
    while let Some(game) = reader.next() {
        games.push(game.expect("the strict reader accepted it"));
        assert!(reader.problems().is_empty(), "{:?}", reader.problems());
    }
    assert_eq!(games, strict);
}

/// A FEN that the strict parser accepts is read alike by the lenient one, and what the lenient one
/// accepts reads back strictly. Errors quote the field.
pub(crate) fn lenient_fen(text: &str) {
    for variant in VARIANTS {
        let lenient = Position::from_fen_lenient(text, variant);
        if let Ok(strict) = Position::from_fen_in(text, variant) {
            assert_eq!(lenient, Ok(strict), "{text}");
        }
        match lenient {
            Ok(position) => {
                let written = position.fen();
                assert_eq!(Position::from_fen_in(&written, position.variant()), Ok(position));
                assert!(perft(&position, 2) < 218 * 218);
            }
            Err(error) => assert!(error.to_string().contains('\''), "{error}"),
        }
    }
}

fn open(bytes: &[u8], strict: bool) -> Reader<Cursor<&[u8]>> {
    let source = Cursor::new(bytes);
    if strict { Reader::strict(source) } else { Reader::new(source) }
}

/// Games that are read also read back after writing, and the reader terminates.
pub(crate) fn pgn(bytes: &[u8]) {
    lenient_pgn_agrees_with_strict(bytes);
    for strict in [true, false] {
        for game in open(bytes, strict).flatten() {
            let written = game.to_string();
            let mut again = open(written.as_bytes(), strict);
            let read =
                again.next().expect("a game").unwrap_or_else(|error| panic!("{error}\n{written}"));
            assert_eq!(read, game, "\n{written}");
            assert!(again.problems().is_empty(), "{:?}\n{written}", again.problems());
            assert!(again.next().is_none(), "one game became two\n{written}");
            assert!(game.positions().count() == game.moves().count() + 1);
        }
    }
}

/// Any comment can be parsed. What is not a command remains in it, and a command before it changes
/// nothing else.
pub(crate) fn commands(comment: &str) {
    let commands = Commands::parse(comment);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(commands.text, words(&commands.text));
    assert!(commands.text.len() <= comment.len(), "{comment}");
    if !comment.contains("[%") {
        let mut expected = Commands::default();
        expected.text = words(comment);
        assert_eq!(commands, expected);
    }
    let mut expected = commands.clone();
    expected.shapes.insert(0, Commands::parse("[%csl Ga1]").shapes[0]);
    assert_eq!(Commands::parse(&format!("[%csl Ga1]{comment}")), expected);
}
