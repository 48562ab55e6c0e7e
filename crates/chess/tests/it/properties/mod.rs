//! Properties that must hold for any input. The tests check them on random inputs; the fuzz
//! targets in `fuzz/` check them without a bound.

use std::io::Cursor;

use fourfold_chess::pgn::Reader;
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

/// Games that are read also read back after writing, and the reader terminates.
pub(crate) fn pgn(bytes: &[u8]) {
    for game in Reader::new(Cursor::new(bytes)).flatten() {
        let written = game.to_string();
        let mut again = Reader::new(written.as_bytes());
        let read =
            again.next().expect("a game").unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(read, game, "\n{written}");
        assert!(again.next().is_none(), "one game became two\n{written}");
    }
}
