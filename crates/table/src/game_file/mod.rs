//! Files of any game: recognizing their format, reading one game after another, and converting
//! between formats.
//!
//! ```
//! use fourfold_table::game_file::{FileFormat, GameReader, Target};
//!
//! let pgn = "[White \"Ada\"]\n\n1. e4 e5 1-0\n\n[White \"Ben\"]\n\n1. d4 *\n";
//! let reader = GameReader::new(Box::new(pgn.as_bytes()), None)?;
//! assert_eq!(reader.format(), FileFormat::Pgn);
//! let games = reader.collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(games[0].tag("White").as_deref(), Some("Ada"));
//! assert_eq!((games[0].result(), games[0].moves().len()), (Some("1-0".to_owned()), 2));
//! assert_eq!(games[1].convert(Target::Uci)?, b"position startpos moves d2d4\n");
//! assert_eq!(games[1].convert(Target::Sgf).unwrap_err().to_string(),
//!     "cannot convert chess to sgf: expected one of pgn, fen, epd, uci, json");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod convert;
mod format;
mod positions;
mod reader;

use fourfold_chess::pgn;
use fourfold_four_player::pgn4;
use fourfold_kung_fu::Replay;

pub use convert::{ConvertError, Target};
pub use format::{FileFormat, HEAD, UnknownFormat};
pub(crate) use format::{is_pgn, is_pgn4, is_position_list, is_sgf, trim_start};
pub(crate) use positions::chess_position;
pub(crate) use reader::{Counted, next_line};
pub use reader::{GameReader, OpenError};

use crate::{ChessTable, FourPlayerTable, Outcome, Played, Table, kung_fu};

/// A game or a position of a file.
pub struct FileGame {
    /// The format of the file.
    pub format: FileFormat,
    /// The number of the game in its file, counted from 1.
    pub number: u64,
    /// What is wrong with the game. Everything before the first problem can be used.
    pub problems: Vec<String>,
    content: Content,
}

enum Content {
    /// Nothing of the game could be read.
    Unreadable,
    /// Chess, as recorded. It is played only if that is needed, so that large files are read fast.
    Chess(Box<pgn::Game>),
    /// Four-player chess, as recorded.
    FourPlayer(Box<pgn4::Game>),
    /// Any other game with turns, with the tags of its file.
    Table(Box<dyn Table>, Vec<(String, String)>),
    /// Kung fu chess.
    KungFu(Box<Replay>),
}

/// The tags that name players, in seat order for every game.
const PLAYER_TAGS: [&str; 12] =
    ["White", "Black", "Red", "Blue", "Yellow", "Green", "PB", "PW", "P1", "P2", "P3", "P4"];

impl FileGame {
    /// Returns the id of the game, as in [`GAMES`](crate::GAMES), or `kung-fu`. `None` if nothing
    /// of it could be read.
    pub fn game(&self) -> Option<&'static str> {
        match &self.content {
            Content::Unreadable => None,
            Content::Chess(_) => Some("chess"),
            Content::FourPlayer(game) => Some(crate::four_player::id(&game.start)),
            Content::Table(table, _) => Some(table.game()),
            Content::KungFu(_) => Some("kung-fu"),
        }
    }

    /// Returns the tags as in the file, without those that describe the start. EPD opcodes are tags
    /// too.
    pub fn tags(&self) -> &[(String, String)] {
        match &self.content {
            Content::Chess(game) => &game.tags,
            Content::FourPlayer(game) => &game.tags,
            Content::Table(_, tags) => tags,
            Content::Unreadable | Content::KungFu(_) => &[],
        }
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<String> {
        let found = self.tags().iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.clone())
    }

    /// Returns the start position in the game's own notation or, for kung fu chess, the rules.
    pub fn start(&self) -> Option<String> {
        Some(match &self.content {
            Content::Unreadable => return None,
            Content::Chess(game) => game.start.fen(),
            Content::FourPlayer(game) => game.start.fen4(),
            Content::Table(table, _) => table.start(),
            Content::KungFu(replay) => replay.rules.to_string(),
        })
    }

    /// Returns the game with all its moves in effect. `None` for kung fu chess, and if nothing of
    /// it could be read.
    pub fn table(&self) -> Option<Box<dyn Table>> {
        match &self.content {
            Content::Unreadable | Content::KungFu(_) => None,
            Content::Chess(game) => Some(Box::new(ChessTable::from_record((**game).clone()))),
            Content::FourPlayer(game) => {
                // This cannot fail: the reader has already played the plies.
                let table = FourPlayerTable::from_record((**game).clone());
                table.ok().map(|table| Box::new(table) as Box<dyn Table>)
            }
            Content::Table(table, _) => Some(table.fork()),
        }
    }

    /// Returns the replay of a game of kung fu chess. Whether it can be played is among the
    /// [`problems`](FileGame::problems).
    pub fn replay(&self) -> Option<&Replay> {
        if let Content::KungFu(replay) = &self.content { Some(replay) } else { None }
    }

    /// Returns the moves. Empty for kung fu chess, which has no turns.
    pub fn moves(&self) -> Vec<Played> {
        self.table().map(|table| table.played().to_vec()).unwrap_or_default()
    }

    /// Returns the number of moves or, in kung fu chess, of accepted actions.
    pub fn plies(&self) -> usize {
        match &self.content {
            Content::Unreadable => 0,
            Content::Chess(game) => game.line.moves.len(),
            Content::FourPlayer(game) => {
                game.plies().filter(|ply| matches!(ply, pgn4::Ply::Move(_))).count()
            }
            Content::Table(table, _) => table.ply(),
            Content::KungFu(replay) => replay.actions.len(),
        }
    }

    /// Returns the names of the players in seat order, as far as the tags give them.
    pub fn players(&self) -> Vec<&str> {
        let tags = self.tags();
        let named = PLAYER_TAGS.iter().filter_map(|name| tags.iter().find(|(tag, _)| tag == name));
        named.map(|(_, value)| value.as_str()).collect()
    }

    /// Returns how the game ended, by its rules or as recorded.
    pub fn outcome(&self) -> Option<Outcome> {
        match &self.content {
            Content::KungFu(replay) => {
                let seeker = replay.seeker().ok()?;
                kung_fu::recorded_outcome(replay, &seeker)
            }
            _ => self.table()?.outcome(),
        }
    }

    /// Returns the result as the format writes it, such as `1-0`. `None` if the format has none for
    /// this game.
    pub fn result(&self) -> Option<String> {
        match &self.content {
            Content::Chess(game) => self.format.has_moves().then(|| game.result.text().to_owned()),
            Content::FourPlayer(_) => self.tag("Result"),
            Content::Table(..) => self.tag("RE"),
            Content::Unreadable | Content::KungFu(_) => None,
        }
    }
}

impl FileFormat {
    /// Returns whether files in this format have games, not only positions.
    pub const fn has_moves(self) -> bool {
        !matches!(self, FileFormat::Fen | FileFormat::Fen4 | FileFormat::BlokusPositions)
    }
}
