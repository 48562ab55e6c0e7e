//! Parsing and writing FEN4.

use std::collections::BTreeSet;

use super::board::{Board, Kind, Man, SIDE, Square};
use super::extra::{Extra, read_extra, write_extra};
use super::player::Player;
use super::position::{LAST_NUMBER, Position, Wing};
use super::rules::Rules;
use super::validity;
use crate::Error;

/// Parses a FEN4 and rejects positions from which no game can be played.
pub(super) fn read(fen4: &str, rules: &Rules) -> Result<Position, Error> {
    let fields: Vec<&str> = fen4.split('-').collect();
    let (turn, dead, short, long, points, clock, extra, board) = match fields[..] {
        [turn, dead, short, long, points, clock, board] => {
            (turn, dead, short, long, points, clock, None, board)
        }
        [turn, dead, short, long, points, clock, extra, board] => {
            (turn, dead, short, long, points, clock, Some(extra), board)
        }
        _ => {
            return Err(Error::new(format!("fen4 has {} fields, not 7 or 8", fields.len())));
        }
    };
    let extra = extra.map_or(Ok(Extra::default()), read_extra)?;
    let dead = read_players("dead", dead)?;
    let living = Player::ALL.into_iter().filter(|player| !dead.contains(player)).collect();
    let with = |wing: Wing| move |player: Player| (player, wing);
    let short = read_players("short castling", short)?.into_iter().map(with(Wing::Short));
    let long = read_players("long castling", long)?.into_iter().map(with(Wing::Long));
    let position = Position {
        board: read_board(board, &living)?,
        turn: read_turn(turn)?,
        living,
        rights: short.chain(long).collect(),
        offers: extra.offers,
        points: read_points(points)?,
        clock: read_number("clock", clock)?,
        resigned: extra.resigned,
        flagged: extra.flagged,
    };
    validity::check(&position, rules)?;
    Ok(position)
}

fn read_turn(text: &str) -> Result<Player, Error> {
    Player::from_letter(text)
        .ok_or_else(|| Error::new(format!("turn '{text}' is not R, B, Y or G")))
}

/// Splits four comma-separated values, in the order Red, Blue, Yellow, Green.
fn read_four<'a>(name: &str, text: &'a str) -> Result<[&'a str; 4], Error> {
    let values: Vec<&str> = text.split(',').collect();
    values.try_into().map_err(|_| Error::new(format!("{name} '{text}' is not four values")))
}

/// Parses four values of 0 or 1 and returns the players with a 1.
fn read_players(name: &str, text: &str) -> Result<BTreeSet<Player>, Error> {
    let mut players = BTreeSet::new();
    for (player, value) in Player::ALL.into_iter().zip(read_four(name, text)?) {
        match value {
            "0" => {}
            "1" => {
                players.insert(player);
            }
            _ => return Err(Error::new(format!("{name} '{text}': '{value}' is not 0 or 1"))),
        }
    }
    Ok(players)
}

fn read_points(text: &str) -> Result<[u32; 4], Error> {
    let mut points = [0; 4];
    for (total, value) in points.iter_mut().zip(read_four("points", text)?) {
        *total = read_number("points", value)?;
    }
    Ok(points)
}

/// Parses a decimal number without a sign or leading zeros.
fn read_number(name: &str, text: &str) -> Result<u32, Error> {
    text.parse()
        .ok()
        .filter(|number: &u32| number.to_string() == text && *number <= LAST_NUMBER)
        .ok_or_else(|| Error::new(format!("{name} '{text}' is not a number up to {LAST_NUMBER}")))
}

fn read_board(text: &str, living: &BTreeSet<Player>) -> Result<Board, Error> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != SIDE {
        return Err(Error::new(format!("board has {} ranks, not {SIDE}", rows.len())));
    }
    let mut board = Board::empty();
    for (row, rank) in rows.into_iter().zip((0..SIDE).rev()) {
        read_row(row, rank, living, &mut board)
            .map_err(|what| Error::new(format!("rank {} {what}: '{row}'", rank + 1)))?;
    }
    Ok(board)
}

/// Parses one rank: pieces, `x` for a cut cell, numbers for runs of empty cells.
fn read_row(
    row: &str,
    rank: usize,
    living: &BTreeSet<Player>,
    board: &mut Board,
) -> Result<(), String> {
    let mut file = 0;
    for cell in row.split(',') {
        let square = Square::new(file, rank);
        if let Some(run) = read_run(cell) {
            file += run;
            continue;
        }
        if file >= SIDE {
            return Err(format!("has more than {SIDE} cells"));
        }
        if cell == "x" {
            if square.is_some() {
                return Err("has 'x' for a cell that is not cut off".to_string());
            }
        } else {
            let man = read_man(cell, living)?;
            let square = square.ok_or_else(|| format!("has '{cell}' on a cut corner"))?;
            board.put(square, man);
        }
        file += 1;
    }
    if file == SIDE { Ok(()) } else { Err(format!("has {file} cells, not {SIDE}")) }
}

fn read_run(cell: &str) -> Option<usize> {
    (1..=SIDE).find(|run| run.to_string() == cell)
}

/// Parses a piece: `rP`, `drP` if its owner is eliminated, `dP` if it has no owner.
fn read_man(cell: &str, living: &BTreeSet<Player>) -> Result<Man, String> {
    let unknown = || format!("has unknown cell '{cell}'");
    let letters: Vec<char> = cell.chars().collect();
    let (dead, colour, kind) = match letters[..] {
        ['d', kind] => (true, None, kind),
        ['d', colour, kind] => (true, Some(colour), kind),
        [colour, kind] => (false, Some(colour), kind),
        _ => return Err(unknown()),
    };
    let kind = Kind::from_letter(kind).ok_or_else(unknown)?;
    let Some(colour) = colour else {
        return Ok(Man { owner: None, kind });
    };
    let owner = Player::ALL
        .into_iter()
        .find(|player| player.letter().to_ascii_lowercase() == colour)
        .ok_or_else(unknown)?;
    match (dead, living.contains(&owner)) {
        (false, false) => Err(format!("has '{cell}', a living man of a dead player")),
        (true, true) => Err(format!("has '{cell}', a dead man of a living player")),
        (false, true) | (true, false) => Ok(Man { owner: Some(owner), kind }),
    }
}

/// Writes a position in its canonical form.
pub(super) fn write(position: &Position) -> String {
    let dead = write_players(|player| !position.lives(player));
    let short = write_players(|player| position.rights.contains(&(player, Wing::Short)));
    let long = write_players(|player| position.rights.contains(&(player, Wing::Long)));
    let points = position.points.map(|points| points.to_string()).join(",");
    let extra = match write_extra(position) {
        Some(extra) => format!("-{extra}"),
        None => String::new(),
    };
    format!(
        "{}-{dead}-{short}-{long}-{points}-{}{extra}-{}",
        position.turn.letter(),
        position.clock,
        write_board(position),
    )
}

fn write_players(holds: impl Fn(Player) -> bool) -> String {
    Player::ALL.map(|player| if holds(player) { "1" } else { "0" }).join(",")
}

fn write_board(position: &Position) -> String {
    let rows: Vec<String> = (0..SIDE).rev().map(|rank| write_row(position, rank)).collect();
    rows.join("/")
}

fn write_row(position: &Position, rank: usize) -> String {
    let mut cells = Vec::new();
    let mut empty = 0;
    for file in 0..SIDE {
        let man = Square::new(file, rank).and_then(|square| position.board.at(square));
        let Some(man) = man else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            cells.push(empty.to_string());
            empty = 0;
        }
        cells.push(write_man(position, man));
    }
    if empty > 0 {
        cells.push(empty.to_string());
    }
    cells.join(",")
}

fn write_man(position: &Position, man: Man) -> String {
    let kind = man.kind.letter();
    match man.owner {
        None => format!("d{kind}"),
        Some(owner) => {
            let colour = owner.letter().to_ascii_lowercase();
            let dead = if position.lives(owner) { "" } else { "d" };
            format!("{dead}{colour}{kind}")
        }
    }
}
