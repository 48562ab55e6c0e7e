//! The list of games, and creating a table from a game's id.

use fourfold_blokus::Variant;
use fourfold_common::quote_short;
use fourfold_four_player::{Rules, StartPosition};
use serde::Serialize;
use thiserror::Error;

use crate::{
    BlokusTable, ChessTable, FourPlayerTable, ReadError, Table, blokus, chess, four_player,
    game_file,
};

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
    /// Returns whether a text looks like a file of this game or of another variant of it.
    #[serde(skip)]
    is_file: fn(&str) -> bool,
    #[serde(skip)]
    make: fn() -> Box<dyn Table>,
}

/// Every game, in the order in which menus list them. This is the only list of games in this crate.
pub static GAMES: &[GameInfo] = &[
    info("chess", "Chess", &chess::SEATS, PGN, || Box::new(ChessTable::new())),
    info(four_player::FREE_FOR_ALL, "Four-player chess", &four_player::SEATS, PGN4, || {
        Box::new(FourPlayerTable::new(StartPosition::Modern, Rules::FREE_FOR_ALL))
    }),
    info(four_player::TEAMS, "Four-player teams", &four_player::SEATS, PGN4, || {
        Box::new(FourPlayerTable::new(StartPosition::Modern, Rules::TEAMS))
    }),
    info(blokus::CLASSIC, "Blokus", &blokus::FOUR, SGF, || blokus_table(Variant::CLASSIC)),
    info(blokus::DUO, "Blokus Duo", &blokus::TWO, SGF, || blokus_table(Variant::DUO)),
    info(blokus::CLASSIC_2, "Blokus for two", &blokus::PAIRS, SGF, || {
        blokus_table(Variant::CLASSIC_2)
    }),
    info(blokus::CLASSIC_3, "Blokus for three", &blokus::THREE, SGF, || {
        blokus_table(Variant::CLASSIC_3)
    }),
];

/// A file format: its extension, and how to recognize it.
type Format = (&'static str, fn(&str) -> bool);

const PGN: Format = ("pgn", game_file::is_pgn);
const PGN4: Format = ("pgn4", game_file::is_pgn4);
const SGF: Format = ("blksgf", game_file::is_sgf);

const fn info(
    id: &'static str,
    name: &'static str,
    seats: &'static [&'static str],
    (extension, is_file): Format,
    make: fn() -> Box<dyn Table>,
) -> GameInfo {
    GameInfo { id, name, seats, extension, is_file, make }
}

fn blokus_table(variant: Variant) -> Box<dyn Table> {
    Box::new(BlokusTable::new(variant))
}

impl GameInfo {
    /// Returns the game with this id.
    pub fn of(id: &str) -> Option<&'static GameInfo> {
        GAMES.iter().find(|info| info.id == id)
    }

    /// Returns whether a text looks like a file of this game or of another variant of it.
    pub(crate) fn is_file(&self, text: &str) -> bool {
        (self.is_file)(text)
    }
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
    let info = GameInfo::of(game).ok_or_else(|| UnknownGame { game: game.to_owned() })?;
    Ok((info.make)())
}

/// Reads a file of any game, with all its moves in effect.
///
/// ```
/// let table = fourfold_table::read("[Red \"Ada\"]\n\n1. h2-h4 ..")?;
/// assert_eq!((table.game(), table.ply()), ("four-player", 1));
/// # Ok::<(), fourfold_table::ReadError>(())
/// ```
///
/// # Errors
/// Returns an error if the text does not contain exactly one game, or if a move in it is not legal.
/// [`game_file::GameReader`] also reads files with several games, and positions.
pub fn read(text: &str) -> Result<Box<dyn Table>, ReadError> {
    let text = game_file::trim_start(text);
    // Chess, the first game, recognizes texts of most others.
    let info = GAMES.iter().rev().find(|info| info.is_file(text));
    let info = info.ok_or_else(|| game_file::UnknownFormat::of(text.as_bytes(), text))?;
    let mut table = (info.make)();
    table.import(text)?;
    Ok(table)
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
