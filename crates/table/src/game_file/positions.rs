//! Lists of positions: FEN, EPD, FEN4 and positions of Blokus.

use fourfold_chess::{self as chess, ParseFenError, Variant, pgn};
use fourfold_four_player::{Position, Rules, pgn4};

use super::{Content, FileFormat};
use crate::{BlokusTable, study};

/// Reads a line with a position.
pub(super) fn read(format: FileFormat, line: &str, strict: bool) -> Result<Content, String> {
    match format {
        FileFormat::Fen4 => {
            let parse = if strict { Position::from_fen4 } else { Position::from_fen4_lenient };
            let position = parse(line, Rules::FREE_FOR_ALL).map_err(|error| error.to_string())?;
            Ok(Content::FourPlayer(Box::new(pgn4::Game::new(position))))
        }
        FileFormat::BlokusPositions => {
            let position = fourfold_blokus::Position::parse(line);
            let position = position.map_err(|error| error.to_string())?;
            Ok(Content::Table(Box::new(BlokusTable::from_position(position)), Vec::new()))
        }
        _ if strict => {
            let position =
                study::position(&split_epd(line).0).map_err(|error| error.to_string())?;
            Ok(Content::Chess(Box::new(pgn::Game::new(position))))
        }
        _ => {
            let (position, tags) = chess_position(line).map_err(|error| error.to_string())?;
            let game = pgn::Game { tags, ..pgn::Game::new(position) };
            Ok(Content::Chess(Box::new(game)))
        }
    }
}

/// Reads a FEN or an EPD leniently, with the operations of the latter.
pub(crate) fn chess_position(
    line: &str,
) -> Result<(chess::Position, Vec<(String, String)>), ParseFenError> {
    let (fen, operations) = split_epd(line);
    Ok((chess::Position::from_fen_lenient(&fen, Variant::Standard)?, operations))
}

/// Splits a line of EPD into a FEN and the other operations. A FEN is returned unchanged.
fn split_epd(line: &str) -> (String, Vec<(String, String)>) {
    let mut rest = line;
    let mut fields = Vec::new();
    for _ in 0..4 {
        let Some((field, after)) = rest.split_once(char::is_whitespace) else { break };
        fields.push(field);
        rest = after.trim_start();
    }
    // The fifth field of a FEN is a number; an EPD has an operation there, or nothing.
    let is_epd = fields.len() == 4 && rest.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if !is_epd {
        return (line.to_owned(), Vec::new());
    }
    let (mut halfmoves, mut fullmoves) = ("0".to_owned(), "1".to_owned());
    let mut tags = Vec::new();
    for operation in operations(rest) {
        let (name, value) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let value = value.trim().trim_matches('"').to_owned();
        match name {
            "hmvc" => halfmoves = value,
            "fmvn" => fullmoves = value,
            _ => tags.push((name.to_owned(), value)),
        }
    }
    (format!("{} {halfmoves} {fullmoves}", fields.join(" ")), tags)
}

/// Splits operations at their semicolons, except for those inside quotes.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let parts = text.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}
