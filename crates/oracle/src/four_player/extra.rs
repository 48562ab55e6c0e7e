//! The `{…}` field of a FEN4: en passant squares, and the players who resigned or ran out of time.

use std::collections::{BTreeMap, BTreeSet};

use super::board::Board;
use super::fen4::{read_four, read_players};
use super::player::Player;
use super::position::{EnPassant, Position};
use crate::Error;
use crate::error::{bail, ensure};

/// The contents of the field.
#[derive(Default)]
pub(super) struct Extra {
    pub(super) en_passant: BTreeMap<Player, EnPassant>,
    pub(super) resigned: BTreeSet<Player>,
    pub(super) flagged: BTreeSet<Player>,
}

/// Parses `{'key':(…),'key':(…)}`. Keys come in any order, each at most once.
pub(super) fn read_extra(text: &str) -> Result<Extra, Error> {
    let wrong = |what: &str| format!("extra '{text}' {what}");
    let inside = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let mut rest = inside.ok_or_else(|| wrong("is not in braces"))?;
    let mut extra = Extra::default();
    let mut keys = BTreeSet::new();
    while !rest.is_empty() {
        if !keys.is_empty() {
            rest = rest.strip_prefix(',').ok_or_else(|| wrong("lacks a comma"))?;
        }
        let (key, values, after) =
            split_entry(rest).ok_or_else(|| wrong("has an entry that is not 'key':(…)"))?;
        ensure!(keys.insert(key), "extra '{text}' has '{key}' twice");
        match key {
            "enPassant" => extra.en_passant = read_en_passant(values)?,
            "resigned" => extra.resigned = read_players(key, values, ["false", "true"])?,
            "flagged" => extra.flagged = read_players(key, values, ["false", "true"])?,
            _ => bail!("extra '{text}' has unknown key '{key}'"),
        }
        rest = after;
    }
    Ok(extra)
}

/// Splits `'key':(values)rest`.
fn split_entry(text: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = text.strip_prefix('\'')?.split_once("':(")?;
    let (values, rest) = rest.split_once(')')?;
    Some((key, values, rest))
}

/// Parses four quoted strings, each empty or `skipped:pawn`.
fn read_en_passant(values: &str) -> Result<BTreeMap<Player, EnPassant>, Error> {
    let mut en_passant = BTreeMap::new();
    for (player, value) in Player::ALL.into_iter().zip(read_four("enPassant", values)?) {
        let pawn = || {
            let (skipped, pawn) = value.strip_prefix('\'')?.strip_suffix('\'')?.split_once(':')?;
            let (skipped, pawn) = (Board::square_named(skipped)?, Board::square_named(pawn)?);
            Some(EnPassant { skipped, pawn })
        };
        match pawn() {
            Some(pawn) => drop(en_passant.insert(player, pawn)),
            None => ensure!(value == "''", "enPassant has {value}, not '' or 'skipped:pawn'"),
        }
    }
    Ok(en_passant)
}

/// Writes the field, or returns `None` if it would be empty.
pub(super) fn write_extra(position: &Position) -> Option<String> {
    let mut entries = Vec::new();
    if !position.en_passant.is_empty() {
        let en_passant = Player::ALL.map(|player| match position.en_passant.get(&player) {
            Some(pawn) => format!("'{}:{}'", pawn.skipped, pawn.pawn),
            None => "''".to_string(),
        });
        entries.push(format!("'enPassant':({})", en_passant.join(",")));
    }
    for (key, players) in [("resigned", &position.resigned), ("flagged", &position.flagged)] {
        if !players.is_empty() {
            let flags = Player::ALL.map(|player| players.contains(&player).to_string());
            entries.push(format!("'{key}':({})", flags.join(",")));
        }
    }
    (!entries.is_empty()).then(|| format!("{{{}}}", entries.join(",")))
}
