//! The list of games, and creating a table from a game's id.

use fourfold_blokus::Variant;
use fourfold_common::quote_short;
use fourfold_four_player::{Opening, Rules};
use serde::Serialize;
use thiserror::Error;

use crate::{BlokusTable, ChessTable, FourPlayerTable, Table, blokus, chess, four_player};

/// A game that can be played at a table.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct GameInfo {
    /// Its id, as returned by [`Table::game`], such as `chess`.
    pub id: &'static str,
    /// Its display name, such as `Chess`.
    pub name: &'static str,
    /// The names of its seats, in seat order.
    pub seats: &'static [&'static str],
    /// The extension of its files, such as `pgn`.
    pub extension: &'static str,
}

/// Every game, in the order in which menus list them.
pub static GAMES: &[GameInfo] = &[
    info("chess", "Chess", &chess::SEATS, "pgn"),
    info(four_player::FREE_FOR_ALL, "Four-player chess", &four_player::SEATS, "pgn4"),
    info(four_player::TEAMS, "Four-player teams", &four_player::SEATS, "pgn4"),
    info(blokus::CLASSIC, "Blokus", &blokus::FOUR, blokus::EXTENSION),
    info(blokus::DUO, "Blokus Duo", &blokus::TWO, blokus::EXTENSION),
    info(blokus::CLASSIC_2, "Blokus for two", &blokus::PAIRS, blokus::EXTENSION),
    info(blokus::CLASSIC_3, "Blokus for three", &blokus::THREE, blokus::EXTENSION),
];

const fn info(
    id: &'static str,
    name: &'static str,
    seats: &'static [&'static str],
    extension: &'static str,
) -> GameInfo {
    GameInfo { id, name, seats, extension }
}

/// Creates a table at the start of a game.
///
/// ```
/// use fourfold_table::{GAMES, make};
///
/// for game in GAMES {
///     assert_eq!(make(game.id)?.game(), game.id);
/// }
/// assert_eq!(make("checkers").err().unwrap().to_string(),
///     "unknown game 'checkers': expected one of chess, four-player, four-player-teams, blokus, \
///      blokus-duo, blokus-2, blokus-3");
/// # Ok::<(), fourfold_table::UnknownGame>(())
/// ```
///
/// # Errors
/// Returns an error if there is no game with that id.
pub fn make(game: &str) -> Result<Box<dyn Table>, UnknownGame> {
    Ok(match game {
        "chess" => Box::new(ChessTable::new()),
        four_player::FREE_FOR_ALL => {
            Box::new(FourPlayerTable::new(Opening::Modern, Rules::FREE_FOR_ALL))
        }
        four_player::TEAMS => Box::new(FourPlayerTable::new(Opening::Modern, Rules::TEAMS)),
        blokus::CLASSIC => Box::new(BlokusTable::new(Variant::CLASSIC)),
        blokus::DUO => Box::new(BlokusTable::new(Variant::DUO)),
        blokus::CLASSIC_2 => Box::new(BlokusTable::new(Variant::CLASSIC_2)),
        blokus::CLASSIC_3 => Box::new(BlokusTable::new(Variant::CLASSIC_3)),
        _ => return Err(UnknownGame { game: game.to_owned() }),
    })
}

/// The error for an id that no game has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown game '{}': expected one of {}", quote_short(.game), known_games())]
#[non_exhaustive]
pub struct UnknownGame {
    /// The unknown id.
    pub game: String,
}

fn known_games() -> String {
    GAMES.iter().map(|info| info.id).collect::<Vec<_>>().join(", ")
}
