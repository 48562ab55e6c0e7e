//! Converts between tags and the start position with its rules.

use fourfold_common::ensure;
use fourfold_movetext::{Location, Tags, tag};

use super::{Game, GameError};
use crate::{Mode, ParseFen4Error, Position, Rules, StartPosition, Winner};

/// The names of the start positions on chess.com.
const START_POSITIONS: [(&str, StartPosition); 5] = [
    ("4PC", StartPosition::Modern),
    ("4PCo", StartPosition::Classic),
    ("4PCb", StartPosition::By),
    ("4PCn", StartPosition::Byg),
    ("4PCrg", StartPosition::Rg),
];

/// Returns the start position that the tags describe, or an error with its location. `parse` parses a
/// FEN4.
pub(super) fn start(
    tags: &Tags,
    parse: fn(&str, Rules) -> Result<Position, ParseFen4Error>,
) -> Result<Position, (GameError, Location)> {
    let rules = rules(tags)?;
    let Some((text, location)) = tags.start_tag("StartFen4") else {
        return Ok(Position::start(unnamed_start(tags), rules));
    };
    let name = text.trim();
    if let Some(start) = start_position(name) {
        return Ok(Position::start(start, rules));
    }
    ensure!(name.contains('-'), (GameError::Start(name.to_owned()), location));
    // chess.com writes each rank on its own line.
    let fen4: String = name.split_whitespace().collect();
    parse(&fen4, rules).map_err(|error| (GameError::Fen4(error), location))
}

/// Returns the start position of a game that does not name it. Before 2020, when games on chess.com
/// began from the classic one, its files did not.
pub(super) fn unnamed_start(tags: &Tags) -> StartPosition {
    match tag(&tags.others, "Site") {
        Some(site) if site.to_ascii_lowercase().contains("chess.com") => StartPosition::Classic,
        _ => StartPosition::Modern,
    }
}

fn rules(tags: &Tags) -> Result<Rules, (GameError, Location)> {
    let mode = match tags.start_tag("Variant") {
        None => None,
        Some((name, location)) => match name.trim().to_ascii_lowercase().as_str() {
            "ffa" | "solo" => Some(Mode::FreeForAll),
            "teams" => Some(Mode::Teams),
            _ => return Err((GameError::Variant(name.to_owned()), location)),
        },
    };
    match tags.start_tag("Rules") {
        Some((words, location)) => {
            let rules = Rules::parse(words).map_err(|error| (GameError::Rules(error), location))?;
            Ok(Rules { mode: mode.unwrap_or(rules.mode), ..rules })
        }
        None => Ok(implied(mode.unwrap_or(Mode::FreeForAll), tag(&tags.others, "RuleVariants"))),
    }
}

fn start_position(name: &str) -> Option<StartPosition> {
    let named = START_POSITIONS.into_iter().find(|(code, _)| code.eq_ignore_ascii_case(name));
    named.map(|(_, start)| start).or_else(|| StartPosition::from_name(name))
}

/// Returns the rules implied by the tags `Variant` and `RuleVariants`. The latter marks a game from
/// chess.com. Words that are not rules of this crate are ignored.
fn implied(mode: Mode, variants: Option<&str>) -> Rules {
    let variants = variants.filter(|_| mode == Mode::FreeForAll);
    let Some(words) = variants else { return Rules { mode, ..Rules::FREE_FOR_ALL } };
    let mut rules = Rules::CHESS_COM;
    for word in words.split_whitespace() {
        match word {
            "DeadKingWalking" => rules.walking_king = true,
            "Play4Mate" | "Play-4-Mate" => rules.winner = Winner::Survivors,
            _ => {}
        }
    }
    rules
}

/// Returns the tags that describe the start of a game.
pub(super) fn start_tags(game: &Game) -> Vec<(&'static str, String)> {
    let rules = game.start.rules();
    let variant = match rules.mode {
        Mode::FreeForAll => "FFA",
        Mode::Teams => "Teams",
    };
    let named =
        START_POSITIONS.into_iter().find(|&(_, start)| Position::start(start, rules) == game.start);
    let start = named.map_or_else(|| game.start.fen4(), |(code, _)| code.to_owned());
    let mut tags = vec![("Variant", variant.to_owned()), ("StartFen4", start)];
    if rules != implied(rules.mode, game.tag("RuleVariants")) {
        let words = rules.to_string();
        // The mode comes first, and the `Variant` tag already contains it.
        let words = words.split_once(' ').map_or("", |(_, words)| words);
        tags.push(("Rules", words.to_owned()));
    }
    tags
}
