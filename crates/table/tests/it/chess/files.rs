//! Importing and exporting PGN.

use fourfold_table::{ChessTable, ReadError, Table, TagError};

use super::{outcome, play};

const ANNOTATED: &str = "[Event \"Café\"]\n[Result \"1-0\"]\n[Termination \"Normal\"]\n\n\
    { before } 1. e4 $1 { best } ( 1. d4 d5 ( 1... Nf6 ) ) 1... e5 2. Nf3 { ok } 1-0\n";

#[test]
fn import_keeps_comments_and_variations() {
    let mut table = ChessTable::new();
    table.import(ANNOTATED).unwrap();
    assert_eq!(table.export(), ANNOTATED);
    assert_eq!(outcome(&table), "white wins by recorded result");
    table.jump(1).unwrap();
    assert_eq!(
        table.export(),
        "[Event \"Café\"]\n[Result \"*\"]\n\n\
         { before } 1. e4 $1 { best } ( 1. d4 d5 ( 1... Nf6 ) ) *\n"
    );
    table.jump(3).unwrap();
    assert_eq!(table.export(), ANNOTATED, "jumping through the game loses nothing");
    table.jump(2).unwrap();
    play(&mut table, "f4");
    assert!(table.export().ends_with("( 1... Nf6 ) ) 1... e5 2. f4 *\n"), "{}", table.export());
}

#[test]
fn recorded_results_are_kept() {
    let end = |pgn: &str| {
        let mut table = ChessTable::new();
        table.import(pgn).unwrap();
        outcome(&table)
    };
    assert_eq!(end("1. e4 e5 0-1"), "black wins by recorded result");
    assert_eq!(end("1. f3 e5 2. g4 Qh4 0-1"), "black wins by checkmate");
    assert_eq!(end("1. f3 e5 2. g4 Qh4 *"), "black wins by checkmate");
    assert_eq!(end("1. f3 e5 2. g4 Qh4 1-0"), "white wins by recorded result");
    let with = |termination: &str, result: &str| {
        end(&format!("[Termination \"{termination}\"]\n\n1. e4 {result}"))
    };
    assert_eq!(with("Time forfeit", "0-1"), "black wins by time forfeit");
    assert_eq!(with("agreement", "1/2-1/2"), "draw by agreement");
    assert_eq!(with("agreement", "0-1"), "black wins by recorded result");
    assert_eq!(with("unterminated", "*"), "goes on");
}

#[test]
fn import_requires_exactly_one_game() {
    let mut table = ChessTable::new();
    assert_eq!(table.import(" \n"), Err(ReadError::NoGame));
    assert_eq!(table.import("1. e4 * 1. d4 *"), Err(ReadError::SeveralGames));
    let error = table.import("1. e4\ne5 2. Ke3 *").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 7: 'Ke3' is not legal in \
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2"
    );
    let error = table.set("8/8/8/8/8/8/8/8 w - - 0 1").unwrap_err();
    assert!(error.to_string().contains("White has no king"), "{error}");
}

#[test]
fn derived_tags_cannot_be_set() {
    let mut table = ChessTable::new();
    table.set_tag("White", "Ada\n\"L\"").unwrap();
    assert!(table.tags().contains(&("White".to_owned(), "Ada \"L\"".to_owned())));
    for name in ["Result", "FEN", "SetUp", "Variant", "Termination"] {
        assert_eq!(table.set_tag(name, "x"), Err(TagError::Derived(name.to_owned())));
    }
    for name in ["", "a b", "é", "x\"]"] {
        assert_eq!(table.set_tag(name, "x"), Err(TagError::Malformed(name.to_owned())));
    }
}
