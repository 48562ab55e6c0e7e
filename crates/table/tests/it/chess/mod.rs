//! Tests of the chess table: whole games, every ending, files, studies, and property tests on
//! random games.

mod analysis;
mod files;
mod play;
mod properties;
mod study;

use fourfold_table::{ChessTable, Seat, Table};

const WHITE: Seat = Seat::new(0);
const BLACK: Seat = Seat::new(1);

fn play(table: &mut ChessTable, moves: &str) {
    for text in moves.split_whitespace() {
        table.play(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

fn at(fen: &str) -> ChessTable {
    let mut table = ChessTable::new();
    table.set(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    table
}

fn outcome(table: &ChessTable) -> String {
    table.outcome().map_or_else(|| "goes on".to_owned(), |outcome| outcome.text)
}
