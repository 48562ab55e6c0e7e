//! Games from files and back.

use fourfold_table::{Declaration, Table, TagError};

use super::{BLUE, free_for_all, play, teams};

#[test]
fn a_file_keeps_who_left_and_when() {
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
fn tags_that_follow_from_the_game_cannot_be_set() {
    let mut table = free_for_all();
    table.set_tag("Red", "Ada\n\"L\"").unwrap();
    assert!(table.tags().contains(&("Red".to_owned(), "Ada \"L\"".to_owned())));
    for name in ["Result", "StartFen4", "Variant", "Termination"] {
        assert_eq!(table.set_tag(name, "x"), Err(TagError::Derived { name: name.to_owned() }));
    }
    assert_eq!(table.set_tag("a b", "x"), Err(TagError::Malformed { name: "a b".to_owned() }));
}
