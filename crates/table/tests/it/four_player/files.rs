//! Importing and exporting PGN4.

use fourfold_table::{Declaration, FourPlayerTable, ReadError, Table, TagError};

use super::{BLUE, free_for_all, outcome, play, teams};

const ANNOTATED: &str = "[Variant \"FFA\"]\n[StartFen4 \"4PC\"]\n[Red \"Ann\"]\n\
    [Result \"Ann: 9 - Blue: 0 - Yellow: 30 - Green: 0\"]\n[Termination \"claimed\"]\n\n\
    { before }\n1. h2-h3 $1 { best } ( 1. h2-h4 ) .. R .. g13-g12 .. m8-l8\n2. Nj1-i3\n";

#[test]
fn import_keeps_comments_and_variations() {
    let mut table = teams();
    table.import(ANNOTATED).unwrap();
    assert_eq!(table.game(), "four-player", "the file says which game it is");
    assert_eq!(table.export(), ANNOTATED);
    assert_eq!(outcome(&table), "yellow wins by recorded result");
    assert_eq!((table.acting(), table.scene().scores), (vec![], vec![9, 0, 30, 0]));
    table.undo().unwrap();
    assert_eq!((outcome(&table).as_str(), table.ply()), ("goes on", 4));
    table.jump(1).unwrap();
    let one = table.export();
    assert!(one.contains("[Result \"*\"]") && !one.contains("Termination"), "{one}");
    assert!(one.ends_with("{ before }\n1. h2-h3 $1 { best } ( 1. h2-h4 ) .. R\n"), "{one}");
    table.jump(4).unwrap();
    assert_eq!(table.export(), ANNOTATED, "jumping through the game loses nothing");
    table.jump(2).unwrap();
    play(&mut table, "m8k8");
    assert!(table.export().ends_with(".. R .. g13-g12 .. m8-k8\n"), "{}", table.export());
}

#[test]
fn exports_contain_the_end() {
    let mut table = teams();
    table.set_tag("Red", "Ann").unwrap();
    play(&mut table, "h2-h3");
    table.declare(Declaration::Flag(BLUE)).unwrap();
    let text = table.export();
    assert!(text.contains("[Variant \"Teams\"]") && text.contains("[Result \"1-0\"]"), "{text}");
    assert!(text.ends_with("\n1. h2-h3 .. T\n"), "{text}");
    let mut read = free_for_all();
    read.import(&text).unwrap();
    assert_eq!(read, table);
}

#[test]
fn import_requires_exactly_one_game() {
    let mut table = free_for_all();
    assert_eq!(table.import(" \n"), Err(ReadError::NoGame));
    let two = format!("{ANNOTATED}\n{ANNOTATED}");
    assert_eq!(table.import(&two), Err(ReadError::SeveralGames));
    assert_eq!(FourPlayerTable::read(&two).filter(Result::is_ok).count(), 2);
    let error = table.import("1. h2-h3 ..\nb7-b9").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 1: 'b7-b9' is not legal here");
}

#[test]
fn exports_contain_withdrawals() {
    let mut table = free_for_all();
    play(&mut table, "h2h3");
    table.declare(Declaration::Resign(BLUE)).unwrap();
    play(&mut table, "g13g12 m8l8 h3h4");
    let mut read = free_for_all();
    read.import(&table.export()).unwrap();
    assert_eq!(read.position(), table.position());
    assert_eq!(read.scene(), table.scene());
}

#[test]
fn undone_steps_are_not_in_the_file() {
    let mut table = teams();
    play(&mut table, "h2h3 b7c7");
    let two = table.export();
    play(&mut table, "g13g12");
    table.undo().unwrap();
    assert_eq!(table.export(), two);
}

#[test]
fn derived_tags_cannot_be_set() {
    let mut table = free_for_all();
    table.set_tag("Red", "Ada\n\"L\"").unwrap();
    assert!(table.tags().contains(&("Red".to_owned(), "Ada \"L\"".to_owned())));
    for name in ["Result", "StartFen4", "Variant", "Rules", "Termination"] {
        assert_eq!(table.set_tag(name, "x"), Err(TagError::Derived(name.to_owned())));
    }
    assert_eq!(table.set_tag("a b", "x"), Err(TagError::Malformed("a b".to_owned())));
}
