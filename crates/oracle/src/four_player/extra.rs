//! The `{…}` field of a FEN4: en passant squares, and the players who resigned or ran out of time.

use std::collections::{BTreeMap, BTreeSet};

use super::board::Square;
use super::player::Player;
use super::position::{Offer, Position};
use crate::Error;

/// The contents of the field.
#[derive(Default)]
pub(super) struct Extra {
    pub(super) offers: BTreeMap<Player, Offer>,
    pub(super) resigned: BTreeSet<Player>,
    pub(super) flagged: BTreeSet<Player>,
}

/// Parses `{'key':(…),'key':(…)}`. Keys come in any order, each at most once.
pub(super) fn read_extra(text: &str) -> Result<Extra, Error> {
    let wrong = |what: &str| Error::new(format!("extra '{text}' {what}"));
    let inside = text
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .ok_or_else(|| wrong("does not stand in braces"))?;
    let mut extra = Extra::default();
    let mut keys = BTreeSet::new();
    let mut rest = inside;
    while !rest.is_empty() {
        if !keys.is_empty() {
            rest = rest.strip_prefix(',').ok_or_else(|| wrong("lacks a comma"))?;
        }
        let (key, values, after) =
            split_entry(rest).ok_or_else(|| wrong("has something else than 'key':(…)"))?;
        if !keys.insert(key) {
            return Err(wrong(&format!("has '{key}' twice")));
        }
        match key {
            "enPassant" => extra.offers = read_offers(values)?,
            "resigned" => extra.resigned = read_flags(key, values)?,
            "flagged" => extra.flagged = read_flags(key, values)?,
            _ => return Err(wrong(&format!("has unknown key '{key}'"))),
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

fn four<'a>(key: &str, values: &'a str) -> Result<[&'a str; 4], Error> {
    let four: Vec<&str> = values.split(',').collect();
    four.try_into().map_err(|_| Error::new(format!("{key} '({values})' is not four values")))
}

/// Parses four quoted strings, each empty or `skipped:pawn`.
fn read_offers(values: &str) -> Result<BTreeMap<Player, Offer>, Error> {
    let mut offers = BTreeMap::new();
    for (player, value) in Player::ALL.into_iter().zip(four("enPassant", values)?) {
        let wrong = || Error::new(format!("enPassant has {value}, not '' or 'skipped:pawn'"));
        let value =
            value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).ok_or_else(wrong)?;
        if value.is_empty() {
            continue;
        }
        let (skipped, pawn) = value.split_once(':').ok_or_else(wrong)?;
        let skipped = Square::from_name(skipped).ok_or_else(wrong)?;
        let pawn = Square::from_name(pawn).ok_or_else(wrong)?;
        offers.insert(player, Offer { skipped, pawn });
    }
    Ok(offers)
}

fn read_flags(key: &str, values: &str) -> Result<BTreeSet<Player>, Error> {
    let mut players = BTreeSet::new();
    for (player, value) in Player::ALL.into_iter().zip(four(key, values)?) {
        match value {
            "true" => {
                players.insert(player);
            }
            "false" => {}
            _ => return Err(Error::new(format!("{key} has '{value}', not true or false"))),
        }
    }
    Ok(players)
}

/// Writes the field, or returns `None` if it would be empty.
pub(super) fn write_extra(position: &Position) -> Option<String> {
    let mut entries = Vec::new();
    if !position.offers.is_empty() {
        let offers = Player::ALL.map(|player| match position.offers.get(&player) {
            Some(offer) => format!("'{}:{}'", offer.skipped, offer.pawn),
            None => "''".to_string(),
        });
        entries.push(format!("'enPassant':({})", offers.join(",")));
    }
    for (key, players) in [("resigned", &position.resigned), ("flagged", &position.flagged)] {
        if !players.is_empty() {
            let flags = Player::ALL.map(|player| players.contains(&player).to_string());
            entries.push(format!("'{key}':({})", flags.join(",")));
        }
    }
    (!entries.is_empty()).then(|| format!("{{{}}}", entries.join(",")))
}
