//! The list of games, and creating a table from a game's id.

use std::fmt;

use fourfold_blokus::Variant;
use fourfold_common::quote_short;
use fourfold_four_player::{Opening, Rules};
use serde::Serialize;

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
    #[serde(skip)]
    make: fn() -> Box<dyn Table>,
}

/// Every game, in the order in which menus list them.
pub static GAMES: &[GameInfo] = &[
    GameInfo {
        id: "chess",
        name: "Chess",
        seats: &chess::SEATS,
        extension: "pgn",
        make: || Box::new(ChessTable::new()),
    },
    GameInfo {
        id: four_player::FREE_FOR_ALL,
        name: "Four-player chess",
        seats: &four_player::SEATS,
        extension: "pgn4",
        make: || Box::new(FourPlayerTable::new(Opening::Modern, Rules::FREE_FOR_ALL)),
    },
    GameInfo {
        id: four_player::TEAMS,
        name: "Four-player teams",
        seats: &four_player::SEATS,
        extension: "pgn4",
        make: || Box::new(FourPlayerTable::new(Opening::Modern, Rules::TEAMS)),
    },
    GameInfo {
        id: blokus::CLASSIC,
        name: "Blokus",
        seats: &blokus::FOUR,
        extension: blokus::EXTENSION,
        make: || Box::new(BlokusTable::new(Variant::CLASSIC)),
    },
    GameInfo {
        id: blokus::DUO,
        name: "Blokus Duo",
        seats: &blokus::TWO,
        extension: blokus::EXTENSION,
        make: || Box::new(BlokusTable::new(Variant::DUO)),
    },
    GameInfo {
        id: blokus::CLASSIC_2,
        name: "Blokus for two",
        seats: &blokus::PAIRS,
        extension: blokus::EXTENSION,
        make: || Box::new(BlokusTable::new(Variant::CLASSIC_2)),
    },
    GameInfo {
        id: blokus::CLASSIC_3,
        name: "Blokus for three",
        seats: &blokus::THREE,
        extension: blokus::EXTENSION,
        make: || Box::new(BlokusTable::new(Variant::CLASSIC_3)),
    },
];

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
    let found = GAMES.iter().find(|info| info.id == game);
    found.map(|info| (info.make)()).ok_or_else(|| UnknownGame { game: game.to_owned() })
}

/// The error for an id that no game has.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownGame {
    /// The unknown id.
    pub game: String,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = GAMES.iter().map(|info| info.id).collect();
        let game = quote_short(&self.game);
        write!(f, "unknown game '{game}': expected one of {}", known.join(", "))
    }
}

impl std::error::Error for UnknownGame {}
