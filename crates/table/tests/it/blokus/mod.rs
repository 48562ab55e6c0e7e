//! Tests of the Blokus table: whole games, every ending, files, and property tests on random games.

mod play;
mod properties;

use fourfold_blokus::Variant;
use fourfold_table::{BlokusTable, Seat, Table};

const BLUE: Seat = Seat::new(0);
const YELLOW: Seat = Seat::new(1);
const RED: Seat = Seat::new(2);
const GREEN: Seat = Seat::new(3);

const VARIANTS: [Variant; 4] =
    [Variant::CLASSIC, Variant::CLASSIC_2, Variant::CLASSIC_3, Variant::DUO];

fn play(table: &mut BlokusTable, moves: &str) {
    for text in moves.split_whitespace() {
        table.play(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

fn outcome(table: &BlokusTable) -> String {
    table.outcome().map_or_else(|| "goes on".to_owned(), |outcome| outcome.text)
}
