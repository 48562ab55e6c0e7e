//! Tests of the four-player chess table: whole games, every ending, files, and property tests on
//! random games.

mod files;
mod play;
mod properties;

use fourfold_four_player::{Rules, StartPosition};
use fourfold_table::{FourPlayerTable, Seat, Table};

const RED: Seat = Seat::new(0);
const BLUE: Seat = Seat::new(1);
const YELLOW: Seat = Seat::new(2);
const GREEN: Seat = Seat::new(3);

fn free_for_all() -> FourPlayerTable {
    FourPlayerTable::new(StartPosition::Modern, Rules::FREE_FOR_ALL)
}

fn teams() -> FourPlayerTable {
    FourPlayerTable::new(StartPosition::Modern, Rules::TEAMS)
}

/// Returns a table with the same rules at a position.
fn at(mut table: FourPlayerTable, fen4: &str) -> FourPlayerTable {
    table.set(fen4).unwrap_or_else(|error| panic!("{fen4}: {error}"));
    table
}

fn play(table: &mut FourPlayerTable, moves: &str) {
    for text in moves.split_whitespace() {
        table.play(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

fn outcome(table: &FourPlayerTable) -> String {
    table.outcome().map_or_else(|| "goes on".to_owned(), |outcome| outcome.text)
}

/// Returns the FEN4 of a position in which nobody is eliminated. Each piece is written as in FEN4
/// and followed by its square: `rKh1`.
fn fen4(turn: char, points: [u16; 4], pieces: &str) -> String {
    let mut cells = vec![vec![String::from("1"); 14]; 14];
    for piece in pieces.split_whitespace() {
        let (piece, square) = piece.split_at(2);
        let square = fourfold_four_player::at(square);
        let rank = fourfold_four_player::BOARD.rank(square);
        cells[13 - rank][fourfold_four_player::BOARD.file(square)] = piece.to_owned();
    }
    let ranks: Vec<String> = cells.iter().map(|rank| rank.join(",")).collect();
    let points = points.map(|points| points.to_string()).join(",");
    format!("{turn}-0,0,0,0-0,0,0,0-0,0,0,0-{points}-0-{}", ranks.join("/"))
}
