//! Parsing and writing FEN.

use std::collections::BTreeSet;

use super::Variant;
use super::board::{Board, Color, from_letter, letter};
use super::position::{MAX_COUNTER, Position, Right, Wing};
use super::validity;
use crate::Error;
use crate::board::{Role, Square};
use crate::error::{bail, ensure};
use crate::text;

/// Parses a FEN of exactly six fields and rejects positions that no game can have reached.
pub(crate) fn read(fen: &str, variant: Variant) -> Result<Position, Error> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, turn, castling, en_passant, halfmoves, fullmove] = fields[..] else {
        bail!("expected a FEN with 6 fields, got {}: '{fen}'", fields.len());
    };
    let board = read_board(board)?;
    validity::check_pieces(&board)?;
    let turn = read_turn(turn)?;
    let position = Position {
        board,
        turn,
        rights: read_rights(castling, &board, variant)?,
        en_passant: read_en_passant(en_passant, &board, turn)?,
        halfmoves: read_number("halfmove clock", halfmoves, 0)?,
        fullmove: read_number("fullmove number", fullmove, 1)?,
    };
    validity::check_kings(&position)?;
    Ok(position)
}

fn read_board(text: &str) -> Result<Board, Error> {
    let rows: Vec<&str> = text.split('/').collect();
    ensure!(rows.len() == 8, "expected 8 ranks, got {}: '{text}'", rows.len());
    let mut board = Board::empty();
    for (row, rank) in rows.into_iter().zip((0..8).rev()) {
        read_row(row, rank, &mut board)?;
    }
    Ok(board)
}

/// Parses one rank: letters for pieces, digits for runs of empty squares.
fn read_row(row: &str, rank: i32, board: &mut Board) -> Result<(), Error> {
    let number = rank + 1;
    let mut file = 0;
    let mut after_digit = false;
    for letter in row.chars() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            ensure!(!after_digit, "rank {number} has two digits in a row: '{row}'");
            file += empty as i32;
            after_digit = true;
        } else if let Some(piece) = from_letter(letter) {
            if file < 8 {
                board.put(Square { file, rank }, piece.owner, piece.role);
            }
            file += 1;
            after_digit = false;
        } else {
            bail!("rank {number} has unknown letter '{letter}': '{row}'");
        }
    }
    ensure!(file == 8, "expected 8 squares in rank {number}, got {file}: '{row}'");
    Ok(())
}

fn read_turn(text: &str) -> Result<Color, Error> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => bail!("turn: expected w or b, got '{text}'"),
    }
}

fn read_rights(text: &str, board: &Board, variant: Variant) -> Result<BTreeSet<Right>, Error> {
    let mut rights = BTreeSet::new();
    if text == "-" {
        return Ok(rights);
    }
    ensure!(!text.is_empty(), "castling field is empty");
    for letter in text.chars() {
        let at = format!("castling '{letter}' in '{text}'");
        let right = match variant {
            Variant::Standard => standard_right(letter, board),
            Variant::Chess960 => chess960_right(letter, board),
        };
        let right = right.map_err(|why| format!("{at}: {why}"))?;
        let same = |other: &Right| other.color == right.color && other.wing == right.wing;
        ensure!(!rights.iter().any(same), "{at}: that color and wing is given twice");
        let in_order = variant == Variant::Chess960 || rights.last() < Some(&right);
        ensure!(in_order, "{at}: letters are not in the order KQkq");
        rights.insert(right);
    }
    Ok(rights)
}

/// Parses a letter of `KQkq`, which requires the king on the e-file and the rook in the corner.
fn standard_right(letter: char, board: &Board) -> Result<Right, String> {
    let color = color_of(letter);
    let rank = color.relative_rank(0);
    let (wing, file) = match letter.to_ascii_uppercase() {
        'K' => (Wing::King, 7),
        'Q' => (Wing::Queen, 0),
        _ => bail!("not one of KQkq"),
    };
    let rook = Square { file, rank };
    let king_at_home = board.holds(Square { file: 4, rank }, color, Role::King);
    ensure!(king_at_home, "the king is not on the e-file of its first rank");
    ensure!(board.holds(rook, color, Role::Rook), "no rook in that corner");
    Ok(Right { color, wing, rook })
}

/// Parses a letter of `KQkq`, meaning the outermost rook on that wing, or the letter of a rook's
/// file.
fn chess960_right(letter: char, board: &Board) -> Result<Right, String> {
    let color = color_of(letter);
    let rank = color.relative_rank(0);
    let king = board
        .king(color)
        .filter(|king| king.rank == rank)
        .ok_or("the king is not on its first rank")?;
    let rook = match letter.to_ascii_uppercase() {
        'K' => outermost_rook(board, color, king, Wing::King),
        'Q' => outermost_rook(board, color, king, Wing::Queen),
        upper @ 'A'..='H' => {
            let file = upper as i32 - 'A' as i32;
            Some(Square { file, rank }).filter(|square| board.holds(*square, color, Role::Rook))
        }
        _ => bail!("not one of KQkq or a file"),
    };
    let rook = rook.ok_or("no such rook on the king's rank")?;
    let wing = if rook.file > king.file { Wing::King } else { Wing::Queen };
    Ok(Right { color, wing, rook })
}

fn color_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() { Color::White } else { Color::Black }
}

/// Finds the rook farthest from the king on that wing of the king's rank.
fn outermost_rook(board: &Board, color: Color, king: Square, wing: Wing) -> Option<Square> {
    let from_the_edge: Vec<i32> = match wing {
        Wing::King => (king.file + 1..8).rev().collect(),
        Wing::Queen => (0..king.file).collect(),
    };
    let rank = king.rank;
    from_the_edge
        .into_iter()
        .map(|file| Square { file, rank })
        .find(|square| board.holds(*square, color, Role::Rook))
}

fn read_en_passant(text: &str, board: &Board, turn: Color) -> Result<Option<Square>, Error> {
    if text == "-" {
        return Ok(None);
    }
    let passed = Board::square_named(text)
        .ok_or_else(|| format!("en passant: expected - or a square, got '{text}'"))?;
    validity::check_en_passant(board, turn, passed)?;
    Ok(Some(passed))
}

fn read_number(name: &str, text: &str, least: u32) -> Result<u32, Error> {
    let number = text::read_number(text).filter(|number| (least..=MAX_COUNTER).contains(number));
    number.ok_or_else(|| {
        format!("{name}: expected a number from {least} to {MAX_COUNTER}, got '{text}'").into()
    })
}

/// Writes all six fields.
pub(super) fn write(position: &Position) -> String {
    let turn = ['w', 'b'][position.turn as usize];
    let en_passant = position.en_passant.map_or("-".to_string(), |square| square.to_string());
    format!(
        "{} {turn} {} {en_passant} {} {}",
        write_board(&position.board),
        write_rights(position),
        position.halfmoves,
        position.fullmove,
    )
}

fn write_board(board: &Board) -> String {
    let rows: Vec<String> = (0..8).rev().map(|rank| write_row(board, rank)).collect();
    rows.join("/")
}

fn write_row(board: &Board, rank: i32) -> String {
    let cell = |file| board.at(Square { file, rank }).map(|piece| letter(piece).to_string());
    text::write_row((0..8).map(cell)).concat()
}

fn write_rights(position: &Position) -> String {
    if position.rights.is_empty() {
        return "-".to_string();
    }
    position.rights.iter().map(|right| right_letter(&position.board, *right)).collect()
}

/// Returns K or Q if the rook is the outermost one on its wing, else the letter of its file.
fn right_letter(board: &Board, right: Right) -> char {
    let outermost = board
        .king(right.color)
        .and_then(|king| outermost_rook(board, right.color, king, right.wing));
    let letter = match right.wing {
        _ if outermost != Some(right.rook) => right.rook.file_letter(),
        Wing::King => 'k',
        Wing::Queen => 'q',
    };
    match right.color {
        Color::White => letter.to_ascii_uppercase(),
        Color::Black => letter,
    }
}
