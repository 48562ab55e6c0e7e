//! Kung fu chess, as specified in `docs/rules/kung-fu.md`.
//!
//! Every tick checks every pair of pieces, in integer arithmetic. Nothing here is optimized; the
//! code is meant to be verified by reading it.
//!
//! All input and output is text:
//!
//! - The words that create a game: `8x8` or `12x12`, `standard` or `lightning`, numbers that
//!   override those of the speed
//!   (`ticks-per-square=30 rest=300 no-move=3600 no-capture=5400 no-draw-before=10800`), `players=134`, `teams`,
//!   `remove` or `freeze`, `bots=3`. The first of each pair is the default.
//! - A piece's id consists of its role, player, row and column at the start: `P:1:6:4`. A promoted
//!   piece keeps its id. All lists of pieces are sorted by id, as text.
//! - An order: `P:1:6:4->5,4`. Castling is an order for the king to move two squares.
//! - Events. Those of one tick come in this order: `t80 P:2:4:3 captured by R:1:4:0` (or
//!   `by nobody`), `t80 R:1:7:7 returns 7,7`, `t80 P:1:1:4 arrives 0,4` with
//!   `t80 P:1:1:4 becomes Q`, `captured` again for rooks that returned to a square occupied by an
//!   enemy, `t80 R:1:4:0 rested`, `t80 R:3:9:2 removed`, and `t80 game over winner 1` (`1+3` for a
//!   team) or `t80 draw`.
//! - The state: parts separated by `; `. The first part is
//!   `t80 order=10 capture=80 closed=no eliminated=3 result=none`: the ticks of the last order and of the
//!   last capture, whether a player has resigned on this tick, the eliminated players (`none` or
//!   digits), and the result (`none`, `draw`, `1` or `1+3`). The others are the pieces: id, role,
//!   and `6,4` if it stands, `6,4 until=331` if it rests, `6,4>5,4 start=1 arrive=31` if it moves
//!   (plus `castling` for a rook whose king is also still moving), or `gone`; at the end `moved`
//!   if it has been ordered.
//!
//! ```
//! use fourfold_oracle::kung_fu::{Game, Refusal};
//!
//! let mut game = Game::with_pieces("lightning", "K:1:7:0 K:2:0:0 P:1:1:4")?;
//! assert_eq!(game.order(1, "P:1:1:4", 0, 4), Ok(()));
//! assert_eq!(game.order(2, "K:2:0:0", 2, 0), Err(Refusal::Geometry));
//! let events: Vec<String> = (0..7).flat_map(|_| game.tick()).collect();
//! assert_eq!(events, ["t7 P:1:1:4 arrives 0,4", "t7 P:1:1:4 becomes Q"]);
//! # Ok::<(), fourfold_oracle::Error>(())
//! ```

mod board;
mod orders;
mod piece;
mod setup;
#[cfg(test)]
mod tests;
mod tick;

use crate::Error;
use crate::error::ensure;
use board::Square;
use piece::{Piece, Place};
use setup::Setup;

pub use orders::Refusal;

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    setup: Setup,
    /// All pieces, including those off the board, sorted by id.
    pieces: Vec<Piece>,
    /// The number of ticks that have run.
    now: i64,
    last_order: i64,
    last_capture: i64,
    /// Whether a player has resigned since the last tick.
    closed: bool,
    /// The eliminated players, ascending.
    eliminated: Vec<i64>,
    result: Option<Outcome>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    Draw,
    /// All players of the winning side, including eliminated ones.
    Won(Vec<i64>),
}

impl Outcome {
    fn text(&self) -> String {
        match self {
            Outcome::Draw => "draw".to_string(),
            Outcome::Won(players) => {
                players.iter().map(i64::to_string).collect::<Vec<_>>().join("+")
            }
        }
    }
}

impl Game {
    /// Creates a game in the start position from the words listed in the module documentation.
    ///
    /// # Errors
    ///
    /// Returns an error if a word is unknown or contradicts another, or the players do not fit the
    /// board.
    pub fn new(words: &str) -> Result<Game, Error> {
        Game::read(words, None)
    }

    /// Creates a game with these pieces: ids like `K:1:7:4`, followed by `+moved` for pieces that
    /// have been ordered before. Without `players=`, the players who have a king play.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Game::new`], and if the pieces do not fit the board,
    /// two of them share a square, or the kings do not match the players.
    pub fn with_pieces(words: &str, pieces: &str) -> Result<Game, Error> {
        Game::read(words, Some(pieces))
    }

    fn read(words: &str, pieces: Option<&str>) -> Result<Game, Error> {
        let (setup, pieces) = Setup::read(words, pieces)?;
        Ok(Game {
            setup,
            pieces,
            now: 0,
            last_order: 0,
            last_capture: 0,
            closed: false,
            eliminated: Vec::new(),
            result: None,
        })
    }

    /// The number of ticks that have run.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.now
    }

    /// Returns how the game has ended: `draw`, the winner `1`, or the winners `1+3`.
    #[must_use]
    pub fn result(&self) -> Option<String> {
        self.result.as_ref().map(Outcome::text)
    }

    /// Orders a piece to move to a square; it starts on the next tick.
    ///
    /// # Errors
    ///
    /// Returns the reason if the order is rejected. The game is then unchanged.
    pub fn order(&mut self, player: i64, piece: &str, row: i64, col: i64) -> Result<(), Refusal> {
        let plan = self.check_order(player, piece, Square { row, col })?;
        self.start(&plan);
        Ok(())
    }

    /// Removes the resigning player's king from the board and returns the resulting events. No more
    /// orders are accepted on this tick.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, or the player is not playing or is already eliminated.
    pub fn resign(&mut self, player: i64) -> Result<Vec<String>, Refusal> {
        ensure!(self.result.is_none(), Refusal::GameOver);
        self.require_living(player)?;
        self.closed = true;
        let mut events = Vec::new();
        let king = self.king(player).id.clone();
        let king = self.pieces.iter().position(|piece| piece.id == king);
        self.remove(king.expect("the king is a piece"), &mut events);
        let returned = self.return_rooks(&mut events);
        self.capture_returned(&returned, &mut events);
        self.eliminate(&mut events);
        Ok(events)
    }

    /// Ends the game in a draw agreed to by these players.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is over, one of the players is not playing or is eliminated, or
    /// a living player who is not a bot has not agreed.
    pub fn agree_on_draw(&mut self, players: &[i64]) -> Result<Vec<String>, Refusal> {
        ensure!(self.result.is_none(), Refusal::GameOver);
        for &player in players {
            self.require_living(player)?;
        }
        let agrees = |player: &i64| players.contains(player) || self.setup.bots.contains(player);
        ensure!(!players.is_empty() && self.living().iter().all(agrees), Refusal::NotAllAgree);
        self.closed = true;
        let mut events = Vec::new();
        self.end(Outcome::Draw, &mut events);
        Ok(events)
    }

    /// Runs one tick and returns its events. Does nothing if the game is over.
    pub fn tick(&mut self) -> Vec<String> {
        if self.result.is_some() { Vec::new() } else { self.advance() }
    }

    /// Returns all orders of the player that would be accepted now, sorted as text.
    #[must_use]
    pub fn legal_orders(&self, player: i64) -> Vec<String> {
        let size = self.setup.board.size();
        let mut orders = Vec::new();
        for piece in self.pieces.iter().filter(|piece| piece.player == player) {
            for row in 0..size {
                for col in 0..size {
                    let to = Square { row, col };
                    if self.check_order(player, &piece.id, to).is_ok() {
                        orders.push(format!("{}->{}", piece.id, tick::at(to)));
                    }
                }
            }
        }
        orders.sort();
        orders
    }

    /// Returns the whole state in one line.
    #[must_use]
    pub fn state(&self) -> String {
        let eliminated: String = self.eliminated.iter().map(i64::to_string).collect();
        let head = format!(
            "t{} order={} capture={} closed={} eliminated={} result={}",
            self.now,
            self.last_order,
            self.last_capture,
            if self.closed { "yes" } else { "no" },
            if eliminated.is_empty() { "none" } else { &eliminated },
            self.result().unwrap_or("none".to_string()),
        );
        let pieces = self.pieces.iter().map(Piece::to_string);
        std::iter::once(head).chain(pieces).collect::<Vec<_>>().join("; ")
    }

    /// The players who have not been eliminated.
    fn living(&self) -> Vec<i64> {
        let mut players = self.setup.players.clone();
        players.retain(|player| !self.eliminated.contains(player));
        players
    }
}

impl std::fmt::Display for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} ", self.id, self.role.letter())?;
        match self.place {
            Place::Gone => return write!(f, "gone"),
            Place::Standing { at, rests_until: None } => write!(f, "{}", tick::at(at))?,
            Place::Standing { at, rests_until: Some(until) } => {
                write!(f, "{} until={until}", tick::at(at))?;
            }
            Place::Moving(flight) => {
                let (from, to) = (tick::at(flight.from), tick::at(flight.to));
                write!(f, "{from}>{to} start={} arrive={}", flight.start, flight.arrival)?;
                if flight.castling {
                    write!(f, " castling")?;
                }
            }
        }
        if self.moved { write!(f, " moved") } else { Ok(()) }
    }
}
