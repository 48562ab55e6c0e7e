//! Converting a game to another format.

use std::fmt;

use fourfold_chess::{Position, Variant, pgn};
use fourfold_common::join;
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::{Content, FileGame};
use crate::{Outcome, Played, Table, kung_fu};

/// A format that a game can be converted to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Target {
    /// A game of chess as PGN.
    Pgn,
    /// A game of four-player chess as PGN4.
    Pgn4,
    /// A game of Blokus as SGF.
    Sgf,
    /// Every position of a game of chess, one on each line.
    Fen,
    /// The same, without move counters in the fields: they are the operations `hmvc` and `fmvn`.
    Epd,
    /// Every position of a game of four-player chess, one on each line.
    Fen4,
    /// Every position of a game of Blokus, one on each line.
    Positions,
    /// A game of chess as the UCI command `position`.
    Uci,
    /// A game with turns as a line of JSON, and a replay of kung fu chess in its JSON format.
    Json,
    /// A replay of kung fu chess in its binary format.
    Binary,
}

impl Target {
    /// Every target.
    pub const ALL: [Target; 10] = [
        Target::Pgn,
        Target::Pgn4,
        Target::Sgf,
        Target::Fen,
        Target::Epd,
        Target::Fen4,
        Target::Positions,
        Target::Uci,
        Target::Json,
        Target::Binary,
    ];

    /// Returns the name of the target.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Pgn => "pgn",
            Target::Pgn4 => "pgn4",
            Target::Sgf => "sgf",
            Target::Fen => "fen",
            Target::Epd => "epd",
            Target::Fen4 => "fen4",
            Target::Positions => "positions",
            Target::Uci => "uci",
            Target::Json => "json",
            Target::Binary => "binary",
        }
    }

    /// Returns the target with this name.
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a game could not be converted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// Nothing of the game could be read.
    #[error("the game cannot be read")]
    Unreadable,
    /// The game has no such format.
    #[error("cannot convert {game} to {target}: expected one of {}", join(*accepted, ", "))]
    Target {
        /// The name of the game.
        game: &'static str,
        /// The target.
        target: Target,
        /// The formats that the game has.
        accepted: &'static [Target],
    },
}

impl FileGame {
    /// Returns the name of the game and the formats that it can be converted to.
    fn targets(&self) -> Option<(&'static str, &'static [Target])> {
        use Target::{Binary, Epd, Fen, Fen4, Json, Pgn, Pgn4, Positions, Sgf, Uci};
        Some(match self.game()? {
            "chess" => ("chess", &[Pgn, Fen, Epd, Uci, Json]),
            "kung-fu" => ("kung fu chess", &[Json, Binary]),
            _ if matches!(self.content, Content::FourPlayer(_)) => {
                ("four-player chess", &[Pgn4, Fen4, Json])
            }
            id if id.starts_with("blokus") => ("Blokus", &[Sgf, Positions, Json]),
            id => (id, &[Positions, Json]),
        })
    }

    /// Converts the game. The result ends with a line break, except in the binary format.
    ///
    /// # Errors
    /// Returns an error if nothing of the game could be read, or if it has no such format.
    pub fn convert(&self, target: Target) -> Result<Vec<u8>, ConvertError> {
        let (game, accepted) = self.targets().ok_or(ConvertError::Unreadable)?;
        if !accepted.contains(&target) {
            return Err(ConvertError::Target { game, target, accepted });
        }
        let text = match (&self.content, target) {
            (Content::KungFu(replay), Target::Binary) => return Ok(kung_fu::write_bytes(replay)),
            (Content::KungFu(replay), _) => kung_fu::write_text(replay),
            (_, Target::Json) => format!("{}\n", self.json()),
            (Content::Chess(game), Target::Pgn) => game.to_string(),
            (Content::Chess(game), Target::Uci) => format!("{}\n", uci(game)),
            (Content::Chess(game), Target::Epd) => lines(game.positions().map(|each| epd(&each))),
            (Content::Chess(game), _) => lines(game.positions().map(|each| each.fen())),
            (Content::FourPlayer(game), Target::Pgn4) => game.to_string(),
            (Content::FourPlayer(game), _) => lines(game.positions().map(|each| each.fen4())),
            (Content::Table(table, _), Target::Positions) => positions(table.fork()),
            (Content::Table(table, _), _) => table.export(),
            (Content::Unreadable, _) => return Err(ConvertError::Unreadable),
        };
        Ok(text.into_bytes())
    }

    fn json(&self) -> String {
        let table = self.table();
        let json = Json {
            game: self.game(),
            number: self.number,
            tags: Tags(self.tags()),
            start: self.start(),
            moves: table.as_ref().map(|table| table.played()).unwrap_or_default(),
            result: self.result(),
            outcome: table.as_ref().and_then(|table| table.outcome()),
            problems: &self.problems,
        };
        // This cannot fail: all keys are strings.
        serde_json::to_string(&json).unwrap_or_default()
    }
}

/// A game with turns as JSON.
#[derive(Serialize)]
struct Json<'a> {
    game: Option<&'static str>,
    number: u64,
    tags: Tags<'a>,
    start: Option<String>,
    moves: &'a [Played],
    result: Option<String>,
    outcome: Option<Outcome>,
    problems: &'a [String],
}

/// Tags as a JSON object, in the order of the file.
struct Tags<'a>(&'a [(String, String)]);

impl Serialize for Tags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

fn lines(texts: impl Iterator<Item = String>) -> String {
    texts.map(|text| text + "\n").collect()
}

/// Returns every position of a game, from its start.
fn positions(mut table: Box<dyn Table>) -> String {
    let last = table.ply();
    lines((0..=last).map(|ply| {
        // This cannot fail: the game has that many plies.
        let _ = table.jump(ply);
        table.position()
    }))
}

fn uci(game: &pgn::Game) -> String {
    let variant = game.start.variant();
    let start = if game.start == Position::start() && variant == Variant::Standard {
        "startpos".to_owned()
    } else {
        format!("fen {}", game.start.fen())
    };
    let moves = game.positions().zip(game.moves()).map(|(before, mv)| before.uci_recorded(mv));
    let moves = join(moves, " ");
    let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
    format!("position {start}{moves}")
}

/// Returns a position as EPD, with the move counters as operations.
fn epd(position: &Position) -> String {
    let fen = position.fen();
    let fields: Vec<&str> = fen.splitn(5, ' ').collect();
    let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
    format!("{} hmvc {halfmoves}; fmvn {fullmoves};", fields[..fields.len().min(4)].join(" "))
}
