//! Parsing and writing cells, placements and positions.

use super::board::{Board, Cell, Color};
use super::position::{Position, Refusal};
use super::validity;
use super::variant::Variant;
use crate::Error;
use crate::error::{bail, ensure};
use crate::text;

/// Parses a position and rejects invalid ones.
pub(super) fn read_position(text: &str) -> Result<Position, Error> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [variant, turn, rows, bonus] = fields[..] else {
        bail!("expected a position with 4 fields, got {}", fields.len());
    };
    let variant = Variant::from_name(variant)?;
    let board = read_board(rows, &variant)?;
    let turn = if turn == "-" { None } else { Some(variant.color(turn)?) };
    let bonus = read_bonus(bonus, &variant)?;
    let position = Position { variant, board, turn, bonus };
    validity::check(&position)?;
    Ok(position)
}

/// Parses colors in the order of play, or `-` for none.
fn read_bonus(text: &str, variant: &Variant) -> Result<Vec<Color>, Error> {
    let mut colors = variant.colors.clone();
    colors.retain(|color| text.contains(color.letter()));
    let is_canonical = write_bonus(&colors) == text;
    ensure!(is_canonical, "bonus: expected colors in the order of play, or '-', got '{text}'");
    Ok(colors)
}

fn read_board(text: &str, variant: &Variant) -> Result<Board, Error> {
    let side = variant.side;
    let rows: Vec<&str> = text.split('/').collect();
    ensure!(rows.len() == side as usize, "expected {side} rows, got {}", rows.len());
    let mut board = Board::empty(side);
    for (row, line) in (0..).zip(rows) {
        read_row(line, row, variant, &mut board)
            .map_err(|what| format!("row {} {what}: '{line}'", side - row))?;
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
            col +=
                run.ok_or_else(|| format!("has '{number}', which is not a number of empty cells"))?;
            rest = &rest[digits..];
            continue;
        }
        let color = variant.color(&first.to_string());
        let color = color.map_err(|_| format!("has unknown cell '{first}'"))?;
        ensure!(board.has((row, col)), "has more than {side} cells");
        board.put((row, col), color);
        col += 1;
        rest = &rest[first.len_utf8()..];
    }
    if col == side { Ok(()) } else { Err(format!("has {col} cells, not {side}")) }
}

pub(super) fn write_position(position: &Position) -> String {
    let Position { variant, board, turn, bonus } = position;
    let turn = turn.map_or('-', Color::letter);
    let rows: Vec<String> = (0..variant.side).map(|row| write_row(board, row)).collect();
    format!("{} {turn} {} {}", variant.name, rows.join("/"), write_bonus(bonus))
}

fn write_bonus(colors: &[Color]) -> String {
    if colors.is_empty() {
        return "-".to_string();
    }
    colors.iter().map(|color| color.letter()).collect()
}

fn write_row(board: &Board, row: i32) -> String {
    let cell = |col| board.at((row, col)).map(|color| color.letter().to_string());
    text::write_row((0..board.side()).map(cell)).concat()
}

/// Parses a cell: a letter for the column and a number from 1 to 99 for the row from the bottom.
/// The cell may be off the board.
fn read_cell(text: &str, side: i32) -> Result<Cell, Error> {
    let cell = || {
        let letter = text.chars().next().filter(char::is_ascii_lowercase)?;
        let number = (1..100).find(|number: &i32| text[1..] == number.to_string())?;
        Some((side - number, letter as i32 - 'a' as i32))
    };
    cell().ok_or_else(|| format!("expected a cell like 'a1', got '{text}'").into())
}

pub(super) fn write_cell((row, col): Cell, side: i32) -> String {
    let letter = (b'a' + col as u8) as char;
    format!("{letter}{}", side - row)
}

/// Parses a placement, whose cells may come in any order, and sorts its cells canonically.
pub(super) fn read_placement(text: &str, side: i32) -> Result<Vec<Cell>, Error> {
    let cells: Result<Vec<Cell>, Error> =
        text.split(',').map(|cell| read_cell(cell, side)).collect();
    cells.map(in_order).map_err(|error| format!("placement '{text}': {error}").into())
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
        Refusal::Occupied(cell) => format!("occupied:{}", write_cell(*cell, side)),
        Refusal::OwnEdge(cell) => format!("own-edge:{}", write_cell(*cell, side)),
        Refusal::NotOnStart(starts) => format!("not-on-start:{}", write_placement(starts, side)),
        Refusal::NotAPiece
        | Refusal::OffBoard
        | Refusal::AlreadyPlaced
        | Refusal::NoCorner
        | Refusal::GameOver => text::kebab_case(refusal),
    }
}
