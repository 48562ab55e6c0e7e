//! The analysis of a position is computed once, on first use.

use fourfold_analysis::Analysis;
use fourfold_chess::Color;
use fourfold_table::{ChessTable, Table};

#[test]
fn each_position_asked_about_is_analyzed_once() {
    let mut table = ChessTable::new();
    assert_eq!(table.analyses(), 0, "nobody has asked");
    let ask = |table: &ChessTable, expected: u32| {
        assert_eq!(*table.analysis(), Analysis::of(&table.current()));
        assert_eq!(table.analysis().side(Color::White).pieces.len(), 16);
        assert_eq!(table.analyses(), expected);
    };
    ask(&table, 1);
    ask(&table, 1);
    table.play("e4").expect("a move");
    table.play("e5").expect("a move");
    assert_eq!(table.analyses(), 1, "moves alone compute nothing");
    ask(&table, 2);
    table.undo().expect("a move to take back");
    ask(&table, 3);
    table.redo().expect("a move to play again");
    ask(&table, 4);
    table.jump(0).expect("the start");
    ask(&table, 5);
    assert!(table.play("e5").is_err());
    ask(&table, 5);
    let copy = table.clone();
    ask(&copy, 5);
    assert_eq!(copy, table);
    table.set("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
    assert_eq!(table.analyses(), 0, "a new game begins");
    assert_eq!(table.analysis().side(Color::White).material, 5);
}
