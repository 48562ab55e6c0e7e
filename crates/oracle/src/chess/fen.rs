//! Parsing and writing FEN.

use std::collections::BTreeSet;

use super::Variant;
use super::board::{Board, Kind, Piece, Side, Square};
use super::position::{LAST_NUMBER, Position, Right, Wing};
use super::validity;
use crate::Error;

/// Parses a FEN of exactly six fields and rejects positions that no game can have reached.
pub(super) fn read(fen: &str, variant: Variant) -> Result<Position, Error> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let [board, turn, castling, en_passant, halfmoves, fullmove] = fields[..] else {
        return Err(Error::new(format!("fen has {} fields, not 6: '{fen}'", fields.len())));
    };
    let board = read_board(board)?;
    validity::check_men(&board)?;
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
    if rows.len() != 8 {
        return Err(Error::new(format!("board has {} ranks, not 8: '{text}'", rows.len())));
    }
    let mut board = Board::empty();
    for (row, rank) in rows.into_iter().zip((0..8).rev()) {
        read_row(row, rank, &mut board)?;
    }
    Ok(board)
}

/// Parses one rank: letters for pieces, digits for runs of empty squares.
fn read_row(row: &str, rank: usize, board: &mut Board) -> Result<(), Error> {
    let wrong = |what: &str| Error::new(format!("rank {} {what}: '{row}'", rank + 1));
    let mut file = 0;
    let mut after_digit = false;
    for letter in row.chars() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            if after_digit {
                return Err(wrong("has two digits in a row"));
            }
            file += empty as usize;
            after_digit = true;
        } else if let Some(piece) = Piece::from_letter(letter) {
            if file < 8 {
                board.put(Square { file, rank }, piece);
            }
            file += 1;
            after_digit = false;
        } else {
            return Err(wrong(&format!("has unknown letter '{letter}'")));
        }
    }
    if file != 8 {
        return Err(wrong(&format!("has {file} files, not 8")));
    }
    Ok(())
}

fn read_turn(text: &str) -> Result<Side, Error> {
    match text {
        "w" => Ok(Side::White),
        "b" => Ok(Side::Black),
        _ => Err(Error::new(format!("turn '{text}' is not w or b"))),
    }
}

fn read_rights(text: &str, board: &Board, variant: Variant) -> Result<BTreeSet<Right>, Error> {
    let mut rights = BTreeSet::new();
    if text == "-" {
        return Ok(rights);
    }
    if text.is_empty() {
        return Err(Error::new("castling field is empty"));
    }
    for letter in text.chars() {
        let wrong = |why: &str| Error::new(format!("castling '{letter}' in '{text}': {why}"));
        let right = match variant {
            Variant::Standard => standard_right(letter, board),
            Variant::Chess960 => chess960_right(letter, board),
        };
        let right = right.map_err(wrong)?;
        let same = |other: &Right| other.side == right.side && other.wing == right.wing;
        if rights.iter().any(same) {
            return Err(wrong("that side and wing is given twice"));
        }
        if variant == Variant::Standard && rights.last() > Some(&right) {
            return Err(wrong("letters are not in the order KQkq"));
        }
        rights.insert(right);
    }
    Ok(rights)
}

/// Parses a letter of `KQkq`, which requires the king on the e-file and the rook in the corner.
fn standard_right(letter: char, board: &Board) -> Result<Right, &'static str> {
    let side = side_of(letter);
    let rank = side.first_rank();
    let (wing, file) = match letter.to_ascii_uppercase() {
        'K' => (Wing::King, 7),
        'Q' => (Wing::Queen, 0),
        _ => return Err("not one of KQkq"),
    };
    let rook = Square { file, rank };
    if !board.holds(Square { file: 4, rank }, side, Kind::King) {
        return Err("the king is not on the e-file of its first rank");
    }
    if !board.holds(rook, side, Kind::Rook) {
        return Err("no rook in that corner");
    }
    Ok(Right { side, wing, rook })
}

/// Parses a letter of `KQkq`, meaning the outermost rook on that wing, or the letter of a rook's
/// file.
fn chess960_right(letter: char, board: &Board) -> Result<Right, &'static str> {
    let side = side_of(letter);
    let rank = side.first_rank();
    let king = board
        .king(side)
        .filter(|king| king.rank == rank)
        .ok_or("the king is not on its first rank")?;
    let rook = match letter.to_ascii_uppercase() {
        'K' => outermost_rook(board, side, king, Wing::King),
        'Q' => outermost_rook(board, side, king, Wing::Queen),
        upper @ 'A'..='H' => {
            let file = upper as usize - 'A' as usize;
            Some(Square { file, rank }).filter(|square| board.holds(*square, side, Kind::Rook))
        }
        _ => return Err("not one of KQkq or a file"),
    };
    let rook = rook.ok_or("no such rook on the king's rank")?;
    let wing = if rook.file > king.file { Wing::King } else { Wing::Queen };
    Ok(Right { side, wing, rook })
}

fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::White } else { Side::Black }
}

/// Finds the rook farthest from the king on that wing of the king's rank.
fn outermost_rook(board: &Board, side: Side, king: Square, wing: Wing) -> Option<Square> {
    let from_the_edge: Vec<usize> = match wing {
        Wing::King => (king.file + 1..8).rev().collect(),
        Wing::Queen => (0..king.file).collect(),
    };
    let rank = king.rank;
    from_the_edge
        .into_iter()
        .map(|file| Square { file, rank })
        .find(|square| board.holds(*square, side, Kind::Rook))
}

fn read_en_passant(text: &str, board: &Board, turn: Side) -> Result<Option<Square>, Error> {
    if text == "-" {
        return Ok(None);
    }
    let passed = Square::from_name(text)
        .ok_or_else(|| Error::new(format!("en passant '{text}' is not - or a square")))?;
    validity::check_en_passant(board, turn, passed)?;
    Ok(Some(passed))
}

/// Parses a decimal number without a sign or leading zeros.
fn read_number(name: &str, text: &str, least: u32) -> Result<u32, Error> {
    text.parse()
        .ok()
        .filter(|number: &u32| number.to_string() == text)
        .filter(|number| (least..=LAST_NUMBER).contains(number))
        .ok_or_else(|| {
            Error::new(format!("{name} '{text}' is not a number from {least} to {LAST_NUMBER}"))
        })
}

/// Writes all six fields.
pub(super) fn write(position: &Position) -> String {
    let turn = match position.turn {
        Side::White => "w",
        Side::Black => "b",
    };
    let en_passant = match position.en_passant {
        Some(square) => square.to_string(),
        None => "-".to_string(),
    };
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

fn write_row(board: &Board, rank: usize) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in 0..8 {
        match board.at(Square { file, rank }) {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(piece.letter());
            }
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

fn write_rights(position: &Position) -> String {
    if position.rights.is_empty() {
        return "-".to_string();
    }
    position.rights.iter().map(|right| right_letter(&position.board, *right)).collect()
}

/// Returns K or Q if the rook is the outermost one on its wing, else the letter of its file.
fn right_letter(board: &Board, right: Right) -> char {
    let outermost =
        board.king(right.side).and_then(|king| outermost_rook(board, right.side, king, right.wing));
    let letter = match right.wing {
        _ if outermost != Some(right.rook) => right.rook.file_letter(),
        Wing::King => 'k',
        Wing::Queen => 'q',
    };
    match right.side {
        Side::White => letter.to_ascii_uppercase(),
        Side::Black => letter,
    }
}
