//! Game creation: parses the words that choose the rules, and the pieces.

use super::board::{Board, Square};
use super::piece::Piece;
use crate::Error;
use crate::board::Role;
use crate::error::{bail, ensure};
use crate::text;

/// The durations of a game speed, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Speed {
    pub(super) per_square: i64,
    pub(super) rest: i64,
    pub(super) no_move: i64,
    pub(super) no_capture: i64,
    pub(super) no_draw_before: i64,
}

impl Speed {
    const STANDARD: Speed =
        Speed { per_square: 30, rest: 300, no_move: 3600, no_capture: 5400, no_draw_before: 10800 };
    const LIGHTNING: Speed =
        Speed { per_square: 6, rest: 60, no_move: 900, no_capture: 1350, no_draw_before: 2700 };
}

/// What happens to the pieces of an eliminated player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Eliminated {
    Remove,
    Freeze,
}

/// The rules of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setup {
    pub(super) board: Board,
    pub(super) speed: Speed,
    pub(super) players: Vec<i64>,
    pub(super) teams: bool,
    pub(super) eliminated: Eliminated,
    /// The players whose agreement to a draw is not needed.
    pub(super) bots: Vec<i64>,
}

impl Setup {
    /// Parses the words and the pieces; without pieces, every player has a full army.
    pub(super) fn read(words: &str, pieces: Option<&str>) -> Result<(Setup, Vec<Piece>), Error> {
        let words: Vec<&str> = words.split_whitespace().collect();
        let board = match choice(&words, ["8x8", "12x12"])? {
            "8x8" => Board::Small,
            _ => Board::Cross,
        };
        let listed = pieces.map(|pieces| read_pieces(pieces, board)).transpose()?;
        let players = match (value(&words, "players")?, &listed) {
            (Some(digits), _) => read_players(digits)?,
            (None, Some(pieces)) => with_a_king(pieces, board),
            (None, None) => board.players(),
        };
        let setup = Setup {
            board,
            speed: speed(&words)?,
            players,
            teams: words.contains(&"teams"),
            eliminated: match choice(&words, ["remove", "freeze"])? {
                "remove" => Eliminated::Remove,
                _ => Eliminated::Freeze,
            },
            bots: value(&words, "bots")?.map(read_players).transpose()?.unwrap_or_default(),
        };
        require_only_known(&words)?;
        setup.require_players()?;
        let mut pieces = listed.unwrap_or_else(|| setup.armies());
        setup.require_kings(&pieces)?;
        pieces.sort_by(|one, other| one.id.cmp(&other.id));
        Ok((setup, pieces))
    }

    /// Returns the player's side: the team, or the player alone. Pieces of one side do not
    /// interact.
    pub(super) fn team(&self, player: i64) -> i64 {
        if self.teams { player % 2 } else { player }
    }

    fn armies(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for &player in &self.players {
            let army = self.board.army(player).pieces();
            pieces.extend(army.iter().map(|&(role, at)| Piece::new(role, player, at, false)));
        }
        pieces
    }

    fn require_players(&self) -> Result<(), Error> {
        let players = self.board.players();
        for player in &self.players {
            ensure!(players.contains(player), "the board has no player {player}");
        }
        let needed = match self.board {
            Board::Small => "two players",
            Board::Cross => "two to four players",
        };
        let filled = self.players.len();
        ensure!(filled >= 2, "the board needs {needed}, got {filled}");
        let is_with_first = |player: &i64| self.team(*player) == self.team(self.players[0]);
        let one_team = self.teams && self.players.iter().all(is_with_first);
        ensure!(!one_team, "all players are in one team");
        for bot in &self.bots {
            ensure!(self.players.contains(bot), "bot {bot} is not one of the players");
        }
        Ok(())
    }

    /// Checks that every player has exactly one king and that nobody else has pieces.
    fn require_kings(&self, pieces: &[Piece]) -> Result<(), Error> {
        for piece in pieces {
            ensure!(
                self.players.contains(&piece.player),
                "{} belongs to a player who is not in the game",
                piece.id
            );
        }
        for &player in &self.players {
            let is_king = |piece: &&Piece| piece.player == player && piece.role == Role::King;
            let kings = pieces.iter().filter(is_king).count();
            ensure!(kings == 1, "player {player} has {kings} kings");
        }
        Ok(())
    }
}

fn with_a_king(pieces: &[Piece], board: Board) -> Vec<i64> {
    let has_king = |player: &i64| {
        pieces.iter().any(|piece| piece.player == *player && piece.role == Role::King)
    };
    board.players().into_iter().filter(has_king).collect()
}

/// Returns the word of the pair that is given, or the first one if neither is.
fn choice<'a>(words: &[&str], [first, second]: [&'a str; 2]) -> Result<&'a str, Error> {
    match (words.contains(&first), words.contains(&second)) {
        (true, true) => bail!("both {first} and {second}"),
        (false, true) => Ok(second),
        (true, false) | (false, false) => Ok(first),
    }
}

/// Returns the text after `key=`, if the key is given.
fn value<'a>(words: &[&'a str], key: &str) -> Result<Option<&'a str>, Error> {
    let values: Vec<&str> =
        words.iter().filter_map(|word| word.strip_prefix(key)?.strip_prefix('=')).collect();
    match values[..] {
        [] => Ok(None),
        [value] => Ok(Some(value)),
        _ => bail!("{key} is given {} times", values.len()),
    }
}

fn speed(words: &[&str]) -> Result<Speed, Error> {
    let named = match choice(words, ["standard", "lightning"])? {
        "standard" => Speed::STANDARD,
        _ => Speed::LIGHTNING,
    };
    let number = |key: &str, range: std::ops::RangeInclusive<i64>, default: i64| {
        let Some(text) = value(words, key)? else { return Ok(default) };
        let (first, last) = range.into_inner();
        let number = read_number(text).filter(|number| (first..=last).contains(number));
        let fault = || format!("expected {key} from {first} to {last}, got '{text}'").into();
        number.ok_or_else::<Error, _>(fault)
    };
    let any = 0..=1_000_000_000;
    Ok(Speed {
        per_square: number("ticks-per-square", 1..=1000, named.per_square)?,
        rest: number("rest", any.clone(), named.rest)?,
        no_move: number("no-move", any.clone(), named.no_move)?,
        no_capture: number("no-capture", any.clone(), named.no_capture)?,
        no_draw_before: number("no-draw-before", any, named.no_draw_before)?,
    })
}

/// Parses players as ascending digits: `134`.
fn read_players(digits: &str) -> Result<Vec<i64>, Error> {
    let players: Option<Vec<i64>> =
        digits.chars().map(|digit| digit.to_digit(10).map(i64::from)).collect();
    let ascending = players.filter(|players| players.is_sorted_by(|one, next| one < next));
    ascending
        .ok_or_else(|| format!("expected player numbers in ascending order, got '{digits}'").into())
}

fn require_only_known(words: &[&str]) -> Result<(), Error> {
    let plain = ["8x8", "12x12", "standard", "lightning", "teams", "remove", "freeze"];
    let keys =
        ["ticks-per-square", "rest", "no-move", "no-capture", "no-draw-before", "players", "bots"];
    for (index, word) in words.iter().enumerate() {
        let is_known = match word.split_once('=') {
            Some((key, _)) => keys.contains(&key),
            None => plain.contains(word),
        };
        ensure!(is_known, "unknown word '{word}'");
        ensure!(!words[..index].contains(word), "'{word}' is given twice");
    }
    Ok(())
}

/// Parses `K:1:7:4 R:1:7:7+moved …`.
fn read_pieces(text: &str, board: Board) -> Result<Vec<Piece>, Error> {
    let mut pieces: Vec<Piece> = Vec::new();
    for word in text.split_whitespace() {
        let piece = read_piece(word, board)?;
        if let Some(other) = pieces.iter().find(|other| other.place == piece.place) {
            bail!("{} is on the same square as {}", piece.id, other.id);
        }
        pieces.push(piece);
    }
    Ok(pieces)
}

fn read_piece(word: &str, board: Board) -> Result<Piece, Error> {
    let fault = || format!("expected a piece on the board, like 'K:1:7:4', got '{word}'");
    let (id, moved) = match word.strip_suffix("+moved") {
        Some(id) => (id, true),
        None => (word, false),
    };
    let fields: Vec<&str> = id.split(':').collect();
    let [role, player, row, col] = fields[..] else { return Err(fault().into()) };
    let role = role.parse().ok().and_then(Role::from_letter).ok_or_else(fault)?;
    let number = |text| read_number(text).ok_or_else(fault);
    let (player, at) = (number(player)?, Square { row: number(row)?, col: number(col)? });
    ensure!(board.players().contains(&player) && board.has(at), fault());
    Ok(Piece::new(role, player, at, moved))
}

fn read_number(text: &str) -> Option<i64> {
    text::read_number(text).map(i64::from)
}
