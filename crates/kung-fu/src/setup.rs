//! Creates games with full armies or from a list of pieces.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use fourfold_common::{ensure, quote_short};
use thiserror::Error;

use crate::board::{Cell, Side};
use crate::game::NO_PIECE;
use crate::piece::{Piece, Status};
use crate::{
    Board, Game, MAX_PIECES, ParseRulesError, PieceId, Player, Players, Role, Rules, Timing,
};

/// A piece at the start of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlacedPiece {
    /// The role of the piece.
    pub role: Role,
    /// The player it belongs to.
    pub player: Player,
    /// The row, counted from 0 at the top.
    pub row: u8,
    /// The column, counted from 0 at the left.
    pub column: u8,
    /// Whether the piece counts as moved, so that it may no longer castle.
    pub moved: bool,
}

impl PlacedPiece {
    /// Parses `K:1:7:4` or `K:1:7:4+moved`.
    ///
    /// # Errors
    /// Returns an error if the text does not have this form, or if the player is not one of 1 to 4.
    pub fn parse(text: &str) -> Result<PlacedPiece, CreateError> {
        let fault = || CreateError::NotAPiece(text.to_owned());
        let (name, moved) = match text.strip_suffix("+moved") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let fields: Vec<&str> = name.split(':').collect();
        let [role, player, row, column] = fields[..] else { return Err(fault()) };
        let role = role.parse().ok().and_then(Role::from_letter).ok_or_else(fault)?;
        let number = |text: &str| {
            let number: u8 = text.parse().map_err(|_| fault())?;
            if number.to_string() == text { Ok(number) } else { Err(fault()) }
        };
        let (player, row, column) = (number(player)?, number(row)?, number(column)?);
        let not_playing = || CreateError::NotPlaying(name.to_owned());
        let player = Player::from_number(player).ok_or_else(not_playing)?;
        Ok(PlacedPiece { role, player, row, column, moved })
    }

    /// Returns the name that the piece keeps for the whole game: `K:1:7:4`.
    pub fn name(&self) -> String {
        format!("{}:{}:{}:{}", self.role.letter(), self.player, self.row, self.column)
    }
}

/// Writes the piece in the format that [`PlacedPiece::parse`] reads.
impl fmt::Display for PlacedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        f.write_str(if self.moved { "+moved" } else { "" })
    }
}

impl Game {
    /// Creates a game with full armies.
    ///
    /// # Errors
    /// Returns an error if the board does not allow these players, if they are all in one team, or
    /// if a bot does not take part.
    pub fn new(rules: Rules) -> Result<Game, CreateError> {
        Game::with_pieces(rules, &armies(&rules))
    }

    /// Creates a game that starts with the given pieces.
    ///
    /// # Errors
    /// Returns an error if the players or the pieces do not fit the rules.
    pub fn with_pieces(rules: Rules, pieces: &[PlacedPiece]) -> Result<Game, CreateError> {
        check_players(&rules)?;
        ensure!(rules.speed.is_valid(), CreateError::Timing(rules.speed));
        ensure!(pieces.len() <= MAX_PIECES, CreateError::TooMany(pieces.len()));
        let mut sorted: Vec<(String, PlacedPiece)> =
            pieces.iter().map(|piece| (piece.name(), *piece)).collect();
        sorted.sort_by(|one, other| one.0.cmp(&other.0));
        let mut game = Game::empty(rules);
        for (name, piece) in sorted {
            ensure!(rules.players.contains(piece.player), CreateError::NotPlaying(name));
            let cell = Cell::on(rules.board, i32::from(piece.row), i32::from(piece.column));
            let cell = cell.ok_or_else(|| CreateError::OffBoard(name.clone()))?;
            ensure!(game.standing[cell.0 as usize] == NO_PIECE, CreateError::Occupied(name));
            let mut new = Piece::new(piece.role, piece.player, cell);
            new.set_moved(piece.moved);
            game.add(new);
        }
        for player in rules.players.iter() {
            let king = |piece: &&Piece| piece.player == player && piece.role() == Role::King;
            let kings = game.pieces().filter(king).count();
            ensure!(kings == 1, CreateError::Kings { player, kings });
        }
        game.look_ahead();
        Ok(game)
    }

    /// Creates a game from words for the rules and a list of pieces; an empty list stands for full
    /// armies. If pieces are listed without `players=`, the players who have a king take part.
    ///
    /// ```
    /// use fourfold_kung_fu::Game;
    /// let game = Game::parse("lightning", "K:1:7:4 R:1:7:7+moved K:2:0:4")?;
    /// assert_eq!(game.pieces().count(), 3);
    /// # Ok::<(), fourfold_kung_fu::CreateError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a word is unknown, or if the players or the pieces do not fit the rules.
    pub fn parse(words: &str, pieces: &str) -> Result<Game, CreateError> {
        let (rules, players) = Rules::parse_players(words).map_err(CreateError::Rule)?;
        if pieces.trim().is_empty() {
            return Game::new(Rules { players: players.unwrap_or(rules.board.players()), ..rules });
        }
        let pieces = pieces
            .split_whitespace()
            .map(PlacedPiece::parse)
            .collect::<Result<Vec<PlacedPiece>, _>>()?;
        let kings = pieces.iter().filter(|piece| piece.role == Role::King);
        let with_kings = kings.fold(Players::NONE, |players, piece| players.with(piece.player));
        Game::with_pieces(Rules { players: players.unwrap_or(with_kings), ..rules }, &pieces)
    }

    /// Returns the pieces of a game in which nothing has happened yet.
    pub(crate) fn placed_pieces(&self) -> impl Iterator<Item = PlacedPiece> + '_ {
        self.pieces().map(|piece| {
            let (role, cell) = piece.origin();
            let (row, column) = (cell.row(), cell.column());
            PlacedPiece { role, player: piece.player, row, column, moved: piece.moved() }
        })
    }

    pub(crate) fn add(&mut self, piece: Piece) {
        let id = PieceId(self.count);
        self.pieces[id.0 as usize] = piece;
        self.count += 1;
        if !matches!(piece.status(), Status::Moving { .. } | Status::Gone) {
            self.standing[piece.at.0 as usize] = id.0;
        }
    }
}

/// Returns the full armies of all players who take part.
fn armies(rules: &Rules) -> Vec<PlacedPiece> {
    let mut pieces = Vec::new();
    for player in rules.players.iter() {
        let side = Side::of(rules.board, player);
        for (index, role) in (side.ends[0]..).zip(side.pieces) {
            for (line, role) in [(side.back, role), (side.pawns, Role::Pawn)] {
                let cell = line.cell(index);
                let (row, column) = (cell.row(), cell.column());
                pieces.push(PlacedPiece { role, player, row, column, moved: false });
            }
        }
    }
    pieces
}

pub(crate) fn check_players(rules: &Rules) -> Result<(), CreateError> {
    let fit = match rules.board {
        Board::Eight => rules.players == Players::TWO,
        Board::Twelve => rules.players.len() >= 2,
    };
    ensure!(fit, CreateError::Players { board: rules.board, players: rules.players });
    let team = rules.players.iter().next().map_or(Players::NONE, |first| rules.team(first));
    ensure!(!rules.players.without(team).is_empty(), CreateError::OneTeam(rules.players));
    let strangers = rules.bots.without(rules.players);
    ensure!(strangers.is_empty(), CreateError::Bots(strangers));
    Ok(())
}

/// The error returned when a game cannot be created.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CreateError {
    /// A word is not a rule.
    #[error("{0}")]
    Rule(ParseRulesError),
    /// The board does not allow these players.
    #[error(
        "the {}, got {}",
        match .board {
            Board::Eight => "8x8 board needs exactly the players 1 and 2",
            Board::Twelve => "12x12 board needs two to four of the players 1 to 4",
        },
        listed(*.players)
    )]
    Players {
        /// The board.
        board: Board,
        /// The players who were to take part.
        players: Players,
    },
    /// All players are in one team.
    #[error("players {} are all in one team (1 and 3 play against 2 and 4)", listed(*.0))]
    OneTeam(Players),
    /// These bots do not take part.
    #[error("bots must be among the players, got {}", listed(*.0))]
    Bots(Players),
    /// A duration is out of range.
    #[error(
        "expected 1 to {} ticks per square and other durations of at most {} ticks, got {:?}",
        Timing::MAX_TICKS_PER_SQUARE,
        Timing::MAX_TICKS,
        .0.values()
    )]
    Timing(Timing),
    /// A string is not a piece.
    #[error("expected a piece like K:1:7:4 (role, player, row, column), got '{}'", quote_short(.0))]
    NotAPiece(String),
    /// There are more than [`MAX_PIECES`] pieces.
    #[error("expected at most {max} pieces, got {0}", max = MAX_PIECES)]
    TooMany(usize),
    /// A piece belongs to a player who does not take part.
    #[error("{} belongs to a player who is not in the game", quote_short(.0))]
    NotPlaying(String),
    /// A piece is off the board or in a cut corner.
    #[error("{} is off the board", quote_short(.0))]
    OffBoard(String),
    /// A piece is on the same square as another one.
    #[error("{} is on an occupied square", quote_short(.0))]
    Occupied(String),
    /// A player does not have exactly one king.
    #[error("player {player} needs exactly one king, got {kings}")]
    Kings {
        /// The player.
        player: Player,
        /// The number of kings.
        kings: usize,
    },
}

/// Formats players for error messages.
fn listed(players: Players) -> String {
    if players.is_empty() { "none".to_owned() } else { players.joined(", ") }
}
