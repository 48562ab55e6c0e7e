//! Parsing and writing cells, placements and positions.

use super::board::{Board, Cell, Colour};
use super::position::{Position, Refusal};
use super::validity;
use super::variant::Variant;
use crate::Error;

/// Parses a position and rejects invalid ones.
pub(super) fn read_position(text: &str) -> Result<Position, Error> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [variant, turn, rows, bonus] = fields[..] else {
        return Err(Error::new(format!("position has {} fields, not 4", fields.len())));
    };
    let variant = Variant::from_name(variant)?;
    let board = read_board(rows, &variant)?;
    let turn = if turn == "-" { None } else { Some(variant.colour(turn)?) };
    let bonus = read_bonus(bonus, &variant)?;
    let position = Position { variant, board, turn, bonus };
    validity::check(&position)?;
    Ok(position)
}

/// Parses colors in the order of play, or `-` for none.
fn read_bonus(text: &str, variant: &Variant) -> Result<Vec<Colour>, Error> {
    let mut colours = variant.colours.clone();
    colours.retain(|colour| text.contains(colour.letter()));
    if write_bonus(&colours) == text {
        return Ok(colours);
    }
    Err(Error::new(format!("bonus '{text}' is not colours in the order of play, or '-'")))
}

fn read_board(text: &str, variant: &Variant) -> Result<Board, Error> {
    let side = variant.side;
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != side as usize {
        return Err(Error::new(format!("board has {} rows, not {side}", rows.len())));
    }
    let mut board = Board::empty(side);
    for (row, line) in (0..).zip(rows) {
        read_row(line, row, variant, &mut board)
            .map_err(|what| Error::new(format!("row {} {what}: '{line}'", side - row)))?;
    }
    Ok(board)
}

/// Parses one row: letters for colors, numbers for runs of empty cells.
fn read_row(line: &str, row: i32, variant: &Variant, board: &mut Board) -> Result<(), String> {
    let side = variant.side;
    let mut col = 0;
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        if digits > 0 {
            let number = &rest[..digits];
            let run = (1..=side).find(|run| run.to_string() == number);
            col += run.ok_or_else(|| format!("has '{number}', no run of empty cells"))?;
            rest = &rest[digits..];
            continue;
        }
        let colour = variant.colour(&first.to_string());
        let colour = colour.map_err(|_| format!("has unknown cell '{first}'"))?;
        if !board.has((row, col)) {
            return Err(format!("has more than {side} cells"));
        }
        board.put((row, col), colour);
        col += 1;
        rest = &rest[first.len_utf8()..];
    }
    if col == side { Ok(()) } else { Err(format!("has {col} cells, not {side}")) }
}

pub(super) fn write_position(position: &Position) -> String {
    let Position { variant, board, turn, bonus } = position;
    let turn = turn.map_or('-', Colour::letter);
    let rows: Vec<String> = (0..variant.side).map(|row| write_row(board, row)).collect();
    format!("{} {turn} {} {}", variant.name, rows.join("/"), write_bonus(bonus))
}

fn write_bonus(colours: &[Colour]) -> String {
    if colours.is_empty() {
        return "-".to_string();
    }
    colours.iter().map(|colour| colour.letter()).collect()
}

fn write_row(board: &Board, row: i32) -> String {
    let mut line = String::new();
    let mut empty = 0;
    for col in 0..board.side() {
        let Some(colour) = board.at((row, col)) else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            line += &empty.to_string();
            empty = 0;
        }
        line.push(colour.letter());
    }
    if empty > 0 {
        line += &empty.to_string();
    }
    line
}

/// Parses a cell: a letter for the column and a number from 1 to 99 for the row from the bottom.
/// The cell may be off the board.
fn read_cell(text: &str, side: i32) -> Result<Cell, Error> {
    let cell = || {
        let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
        let number = (1..100).find(|number: &i32| text[1..] == number.to_string())?;
        Some((side - number, letter as i32 - 'a' as i32))
    };
    cell().ok_or_else(|| Error::new(format!("'{text}' is not a cell")))
}

pub(super) fn write_cell((row, col): Cell, side: i32) -> String {
    let letter = (b'a' + col as u8) as char;
    format!("{letter}{}", side - row)
}

/// Parses a placement, whose cells may come in any order, and sorts its cells canonically.
pub(super) fn read_placement(text: &str, side: i32) -> Result<Vec<Cell>, Error> {
    let cells: Result<Vec<Cell>, Error> =
        text.split(',').map(|cell| read_cell(cell, side)).collect();
    cells.map(in_order).map_err(|error| Error::new(format!("placement '{text}': {error}")))
}

pub(super) fn write_placement(cells: &[Cell], side: i32) -> String {
    let cells = in_order(cells.to_vec());
    let cells: Vec<String> = cells.into_iter().map(|cell| write_cell(cell, side)).collect();
    cells.join(",")
}

/// Sorts cells by row from the bottom, then by column from the left.
fn in_order(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_by_key(|&(row, col)| (-row, col));
    cells
}

pub(super) fn write_refusal(refusal: &Refusal, side: i32) -> String {
    match refusal {
        Refusal::NotAPiece => "not-a-piece".to_string(),
        Refusal::OffBoard => "off-board".to_string(),
        Refusal::AlreadyPlaced => "already-placed".to_string(),
        Refusal::Occupied(cell) => format!("occupied:{}", write_cell(*cell, side)),
        Refusal::OwnEdge(cell) => format!("own-edge:{}", write_cell(*cell, side)),
        Refusal::NoCorner => "no-corner".to_string(),
        Refusal::NotOnStart(starts) => format!("not-on-start:{}", write_placement(starts, side)),
        Refusal::GameOver => "game-over".to_string(),
    }
}
