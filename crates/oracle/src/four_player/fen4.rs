//! Parsing and writing FEN4.

use std::collections::BTreeSet;

use super::board::{Board, Piece, SIDE};
use super::extra::{Extra, read_extra, write_extra};
use super::player::Player;
use super::position::{MAX_COUNTER, Position, Wing};
use super::rules::Rules;
use super::validity;
use crate::Error;
use crate::board::{Role, Square};
use crate::error::{bail, ensure};
use crate::text;

/// Parses a FEN4 and rejects positions from which no game can be played.
pub(super) fn read(fen4: &str, rules: &Rules) -> Result<Position, Error> {
    let fields: Vec<&str> = fen4.split('-').collect();
    let [turn, dead, short, long, points, clock, ref extra @ .., board] = fields[..] else {
        bail!("expected a FEN4 with 7 or 8 fields, got {}", fields.len());
    };
    let extra = match extra {
        [] => Extra::default(),
        [extra] => read_extra(extra)?,
        _ => bail!("expected a FEN4 with 7 or 8 fields, got {}", fields.len()),
    };
    let dead = read_players("dead", dead, ["0", "1"])?;
    let alive = Player::ALL.into_iter().filter(|player| !dead.contains(player)).collect();
    let mut rights = BTreeSet::new();
    for (name, text, wing) in
        [("short castling", short, Wing::Short), ("long castling", long, Wing::Long)]
    {
        let players = read_players(name, text, ["0", "1"])?;
        rights.extend(players.into_iter().map(|player| (player, wing)));
    }
    let mut totals = [0; 4];
    for (total, text) in totals.iter_mut().zip(read_four("points", points)?) {
        *total = read_number("points", text)?;
    }
    let position = Position {
        board: read_board(board, &alive)?,
        turn: Player::from_letter(turn)
            .ok_or_else(|| format!("turn: expected R, B, Y or G, got '{turn}'"))?,
        alive,
        rights,
        en_passant: extra.en_passant,
        points: totals,
        clock: read_number("clock", clock)?,
        resigned: extra.resigned,
        flagged: extra.flagged,
    };
    validity::check(&position, rules)?;
    Ok(position)
}

/// Splits four comma-separated values, in the order Red, Blue, Yellow, Green.
pub(super) fn read_four<'a>(name: &str, text: &'a str) -> Result<[&'a str; 4], Error> {
    let values: Vec<&str> = text.split(',').collect();
    values.try_into().map_err(|_| format!("{name}: expected four values, got '{text}'").into())
}

/// Parses four values, each one of two words, and returns the players with the second one.
pub(super) fn read_players(
    name: &str,
    text: &str,
    [no, yes]: [&str; 2],
) -> Result<BTreeSet<Player>, Error> {
    let mut players = BTreeSet::new();
    for (player, value) in Player::ALL.into_iter().zip(read_four(name, text)?) {
        ensure!(
            value == no || value == yes,
            "{name} '{text}': expected {no} or {yes}, got '{value}'"
        );
        if value == yes {
            players.insert(player);
        }
    }
    Ok(players)
}

fn read_number(name: &str, text: &str) -> Result<u32, Error> {
    text::read_number(text).filter(|number| *number <= MAX_COUNTER).ok_or_else(|| {
        format!("{name}: expected a number up to {MAX_COUNTER}, got '{text}'").into()
    })
}

fn read_board(text: &str, alive: &BTreeSet<Player>) -> Result<Board, Error> {
    let rows: Vec<&str> = text.split('/').collect();
    ensure!(rows.len() == SIDE, "expected {SIDE} ranks, got {}", rows.len());
    let mut board = Board::empty();
    for (row, rank) in rows.into_iter().zip((0..SIDE as i32).rev()) {
        read_row(row, rank, alive, &mut board)
            .map_err(|what| format!("rank {} {what}: '{row}'", rank + 1))?;
    }
    Ok(board)
}

/// Parses one rank: pieces, `x` for a cut cell, numbers for runs of empty cells.
fn read_row(
    row: &str,
    rank: i32,
    alive: &BTreeSet<Player>,
    board: &mut Board,
) -> Result<(), String> {
    let mut file = 0;
    for cell in row.split(',') {
        let square = Square { file, rank };
        if let Some(run) = text::read_number(cell).filter(|run| (1..=SIDE as u32).contains(run)) {
            file += run as i32;
            continue;
        }
        ensure!(file < SIDE as i32, "has more than {SIDE} cells");
        if cell == "x" {
            ensure!(!Board::has(square), "has 'x' for a cell that is not cut off");
        } else {
            let piece = read_piece(cell, alive)?;
            ensure!(Board::has(square), "has '{cell}' on a cut corner");
            board.put(square, piece.owner, piece.role);
        }
        file += 1;
    }
    if file == SIDE as i32 { Ok(()) } else { Err(format!("has {file} cells, not {SIDE}")) }
}

/// Parses a piece: `rP`, `drP` if its owner is eliminated, `dP` if it has no owner.
fn read_piece(cell: &str, alive: &BTreeSet<Player>) -> Result<Piece, String> {
    let unknown = || format!("has unknown cell '{cell}'");
    let letters: Vec<char> = cell.chars().collect();
    let (dead, color, role) = match letters[..] {
        ['d', role] => (true, None, role),
        ['d', color, role] => (true, Some(color), role),
        [color, role] => (false, Some(color), role),
        _ => return Err(unknown()),
    };
    let role = match role {
        'D' => Role::OnePointQueen,
        _ => Role::from_letter(role).ok_or_else(unknown)?,
    };
    let Some(color) = color else {
        return Ok(Piece { owner: None, role });
    };
    let owner = Player::ALL
        .into_iter()
        .find(|player| player.letter().to_ascii_lowercase() == color)
        .ok_or_else(unknown)?;
    match (dead, alive.contains(&owner)) {
        (false, false) => Err(format!("has '{cell}', a live piece of an eliminated player")),
        (true, true) => Err(format!("has '{cell}', a gray piece of a living player")),
        (false, true) | (true, false) => Ok(Piece { owner: Some(owner), role }),
    }
}

/// Writes a position in its canonical form.
pub(super) fn write(position: &Position) -> String {
    let dead = write_players(|player| !position.is_alive(player));
    let short = write_players(|player| position.rights.contains(&(player, Wing::Short)));
    let long = write_players(|player| position.rights.contains(&(player, Wing::Long)));
    let points = position.points.map(|points| points.to_string()).join(",");
    let extra = write_extra(position).map_or(String::new(), |extra| format!("-{extra}"));
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
    let rows: Vec<String> = (0..SIDE as i32).rev().map(|rank| write_row(position, rank)).collect();
    rows.join("/")
}

fn write_row(position: &Position, rank: i32) -> String {
    let cell = |file| {
        let piece = position.board.at(Square { file, rank });
        piece.map(|piece| write_piece(position, piece))
    };
    text::write_row((0..SIDE as i32).map(cell)).join(",")
}

fn write_piece(position: &Position, piece: Piece) -> String {
    let role = piece.role.letter();
    match piece.owner {
        None => format!("d{role}"),
        Some(owner) => {
            let color = owner.letter().to_ascii_lowercase();
            let dead = if position.is_alive(owner) { "" } else { "d" };
            format!("{dead}{color}{role}")
        }
    }
}
