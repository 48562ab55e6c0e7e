//! Kung fu chess: replay files, as readable JSON or in a compact binary format, and drawing a game
//! ([`picture`], [`shape`], [`seats`], [`square`]).
//!
//! ```
//! use fourfold_kung_fu::{Game, Player, PlayerAction, Replay};
//! use fourfold_table::kung_fu::{read_bytes, read_text, write_bytes, write_text};
//!
//! let start = Game::parse("8x8 lightning", "")?;
//! let mut replay = Replay::of(&start);
//! replay.actions.push((40, PlayerAction::Resign { player: Player::ALL[1] }));
//! replay.end = 40;
//! assert!(write_text(&replay).contains("\"40 resign 2\""));
//! assert_eq!(read_text(&write_text(&replay))?, replay);
//! assert_eq!(read_bytes(&write_bytes(&replay))?, replay);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod view;

use fourfold_common::ensure;
use fourfold_kung_fu::{
    Cell, Game, Order, PieceId, PlacedPiece, Player, PlayerAction, RULES_VERSION, Replay, Rules,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::quote_short;
pub use view::{
    outcome, picture, player_in, read_square, recorded_outcome, seat_of, seats, shape, square,
};

/// The version of both file formats.
const FORMAT: u32 = 1;
/// The first bytes of the binary format.
pub(crate) const MAGIC: [u8; 4] = *b"KFR1";
/// The exclusive upper bound for ticks in a file.
const LAST_TICK: u64 = 1 << 48;

/// The JSON format of a replay.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kung_fu_replay: u32,
    rules_version: u32,
    rules: String,
    /// The pieces at the start. `None` for the standard armies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pieces: Option<String>,
    /// The accepted actions in order, written as described at [`write_text`].
    acts: Vec<String>,
    end: u64,
}

/// Returns a replay as JSON: the rules and pieces as text, and a string for each accepted action,
/// which begins with its tick. Examples are `5 1 P:1:6:4->4,4` (an order of player 1),
/// `80 resign 2` and `99 draw 1,2`.
pub fn write_text(replay: &Replay) -> String {
    let names: Vec<String> = names(replay);
    let actions = replay.actions.iter().map(|(tick, action)| match action {
        PlayerAction::Order { player, order } => {
            let name = names.get(usize::from(order.piece.0)).map_or("?", String::as_str);
            format!("{tick} {player} {name}->{},{}", order.to.row(), order.to.column())
        }
        PlayerAction::Resign { player } => format!("{tick} resign {player}"),
        PlayerAction::Draw { players } => {
            let players: Vec<String> = players.iter().map(Player::to_string).collect();
            format!("{tick} draw {}", players.join(","))
        }
    });
    let file = File {
        kung_fu_replay: FORMAT,
        rules_version: replay.version,
        rules: replay.rules.to_string(),
        pieces: pieces(replay),
        acts: actions.collect(),
        end: replay.end,
    };
    let mut text = serde_json::to_string_pretty(&file).expect("strings and numbers only");
    text.push('\n');
    text
}

/// Reads a replay from JSON. This does not check that it can be played; [`Replay::seeker`] does.
///
/// # Errors
/// Returns an error if the text is not a replay, or if it has another version.
pub fn read_text(text: &str) -> Result<Replay, ReplayFileError> {
    let file: File = serde_json::from_str(text)
        .map_err(|error| ReplayFileError::NotAReplay(error.to_string()))?;
    ensure!(file.kung_fu_replay == FORMAT, ReplayFileError::Format(file.kung_fu_replay));
    let mut replay = begin(file.rules_version, &file.rules, file.pieces.as_deref())?;
    let names = names(&replay);
    for (index, text) in file.acts.iter().enumerate() {
        let action = read_action(text, &replay.rules, &names);
        let number = index + 1;
        replay
            .actions
            .push(action.ok_or_else(|| ReplayFileError::Action { number, text: text.clone() })?);
    }
    replay.end = in_time(file.end)?;
    Ok(replay)
}

fn read_action(text: &str, rules: &Rules, names: &[String]) -> Option<(u64, PlayerAction)> {
    let words: Vec<&str> = text.split(' ').collect();
    let &[tick, who, what] = &words[..] else { return None };
    let tick: u64 = tick.parse().ok().filter(|&tick| tick < LAST_TICK)?;
    let player = |number: &str| Player::from_number(number.parse().ok()?);
    let action = match who {
        "resign" => PlayerAction::Resign { player: player(what)? },
        "draw" => PlayerAction::Draw {
            players: what.split(',').map(player).collect::<Option<Vec<Player>>>()?,
        },
        _ => {
            let (name, square) = what.split_once("->")?;
            let (row, column) = square.split_once(',')?;
            let piece = names.iter().position(|other| other == name)?;
            let to = Cell::on(rules.board, row.parse().ok()?, column.parse().ok()?)?;
            let order = Order { piece: PieceId(piece as u8), to };
            PlayerAction::Order { player: player(who)?, order }
        }
    };
    Some((tick, action))
}

/// Returns a replay in the binary format, in which an order takes about four bytes.
pub fn write_bytes(replay: &Replay) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    put(&mut out, u64::from(replay.version));
    put_text(&mut out, &replay.rules.to_string());
    put_text(&mut out, &pieces(replay).unwrap_or_default());
    put(&mut out, replay.actions.len() as u64);
    let mut before = 0;
    for (tick, action) in &replay.actions {
        // Ticks never decrease in a playable replay. Wrapping lets the reader restore any others.
        put(&mut out, tick.wrapping_sub(before));
        before = *tick;
        match action {
            PlayerAction::Order { player, order } => {
                let (row, column) = (order.to.row(), order.to.column());
                out.extend([player.number(), order.piece.0, row * 16 + column]);
            }
            PlayerAction::Resign { player } => out.extend([RESIGN, player.number()]),
            PlayerAction::Draw { players } => {
                out.push(DRAW);
                put(&mut out, players.len() as u64);
                out.extend(players.iter().map(|player| player.number()));
            }
        }
    }
    put(&mut out, replay.end);
    out
}

/// Marks a resignation, in place of a player's number.
const RESIGN: u8 = 254;
/// Marks an agreed draw, in place of a player's number.
const DRAW: u8 = 255;

/// Reads a replay in the binary format. This does not check that it can be played;
/// [`Replay::seeker`] does.
///
/// # Errors
/// Returns an error if the bytes are not a replay, or if it has another version.
pub fn read_bytes(bytes: &[u8]) -> Result<Replay, ReplayFileError> {
    let mut bytes = Bytes(bytes);
    let magic = bytes.take(MAGIC.len())?;
    ensure!(magic == MAGIC, ReplayFileError::NotAReplay("wrong magic bytes".to_owned()));
    let version = u32::try_from(bytes.number()?).unwrap_or(u32::MAX);
    let (rules, pieces) = (bytes.text()?, bytes.text()?);
    let mut replay = begin(version, rules, Some(pieces).filter(|pieces| !pieces.is_empty()))?;
    let mut tick: u64 = 0;
    for number in 1..=bytes.number()? {
        tick = in_time(tick.wrapping_add(bytes.number()?))?;
        let number = number as usize;
        let wrong = |text: String| ReplayFileError::Action { number, text };
        let player =
            |byte: u8| Player::from_number(byte).ok_or_else(|| wrong(format!("player {byte}")));
        let action = match bytes.byte()? {
            RESIGN => PlayerAction::Resign { player: player(bytes.byte()?)? },
            DRAW => {
                let count = bytes.number()?.min(LAST_TICK) as usize;
                let players = bytes.take(count)?.iter().map(|&byte| player(byte));
                PlayerAction::Draw { players: players.collect::<Result<Vec<Player>, _>>()? }
            }
            byte => {
                let (piece, square) = (PieceId(bytes.byte()?), bytes.byte()?);
                let (row, column) = (i32::from(square / 16), i32::from(square % 16));
                let to = Cell::on(replay.rules.board, row, column);
                let to = to.ok_or_else(|| wrong(format!("square {row},{column}")))?;
                PlayerAction::Order { player: player(byte)?, order: Order { piece, to } }
            }
        };
        replay.actions.push((tick, action));
    }
    replay.end = in_time(bytes.number()?)?;
    ensure!(bytes.0.is_empty(), ReplayFileError::NotAReplay("trailing data".to_owned()));
    Ok(replay)
}

/// Creates a replay without actions from the rules and pieces of a file.
fn begin(version: u32, rules: &str, pieces: Option<&str>) -> Result<Replay, ReplayFileError> {
    ensure!(version == RULES_VERSION, ReplayFileError::Rules(version));
    let start = Game::parse(rules, pieces.unwrap_or_default());
    Ok(Replay::of(&start.map_err(|error| ReplayFileError::Start(error.to_string()))?))
}

fn in_time(tick: u64) -> Result<u64, ReplayFileError> {
    let late = || ReplayFileError::NotAReplay(format!("tick {tick} is out of range"));
    ensure!(tick < LAST_TICK, late());
    Ok(tick)
}

/// Returns the names of the pieces, indexed by [`PieceId`].
fn names(replay: &Replay) -> Vec<String> {
    let mut names: Vec<String> = replay.pieces.iter().map(PlacedPiece::name).collect();
    names.sort();
    names
}

/// Returns the pieces at the start as text, or `None` for the standard armies.
fn pieces(replay: &Replay) -> Option<String> {
    let usual = Game::new(replay.rules).is_ok_and(|game| Replay::of(&game).pieces == replay.pieces);
    let words: Vec<String> = replay.pieces.iter().map(PlacedPiece::to_string).collect();
    (!usual).then(|| words.join(" "))
}

/// Appends a number with seven bits per byte, the lowest first (LEB128).
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend(text.bytes());
}

/// A reader over a byte slice.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], ReplayFileError> {
        let short = || ReplayFileError::NotAReplay("unexpected end of file".to_owned());
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(short)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, ReplayFileError> {
        Ok(self.take(1)?[0])
    }

    fn number(&mut self) -> Result<u64, ReplayFileError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(ReplayFileError::NotAReplay("invalid number".to_owned()))
    }

    fn text(&mut self) -> Result<&'a str, ReplayFileError> {
        let length = self.number()?.min(LAST_TICK) as usize;
        let broken = |_| ReplayFileError::NotAReplay("invalid UTF-8".to_owned());
        std::str::from_utf8(self.take(length)?).map_err(broken)
    }
}

/// Why a file could not be read as a replay.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReplayFileError {
    /// The file is something else or is damaged, with a description of the problem.
    #[error("not a kung fu chess replay: {0}")]
    NotAReplay(String),
    /// The file has this unsupported version of the format.
    #[error("unsupported replay format {0}: expected {FORMAT}")]
    Format(u32),
    /// The game was played under this unsupported version of the rules.
    #[error(
        "the game was played under version {0} of the rules, but this program supports version \
         {RULES_VERSION}: open it with the version that wrote it"
    )]
    Rules(u32),
    /// The rules or the pieces at the start are invalid.
    #[error("the game cannot start: {0}")]
    Start(String),
    /// An action cannot be read.
    #[error(
        "entry {number}: expected an action like '5 1 P:1:6:4->4,4', '80 resign 2' or '99 draw 1,2', \
         got '{}'",
        quote_short(.text)
    )]
    Action {
        /// Its number in the file, counted from 1.
        number: usize,
        /// Its text or, in the binary format, the invalid square.
        text: String,
    },
}
