//! A common text interface to oracle and engine.

use fourfold_kung_fu::{DrawRefusal, Event, Game, PieceId, Player, Refusal, ResignRefusal};
use fourfold_oracle::kung_fu as oracle;

/// A game in progress, with the queries that the rules page, the cases and the invariants need. The
/// text formats are those of the oracle's module.
pub(crate) trait Implementation: Clone {
    /// Creates a game from these words, with these pieces or in the start position.
    fn create(words: &str, pieces: Option<&str>) -> Result<Self, String>;
    /// The number of ticks that have run.
    fn now(&self) -> i64;
    /// Gives an order. The error names the reason for the rejection.
    fn order(&mut self, player: i64, piece: &str, row: i64, col: i64) -> Result<(), String>;
    /// Resigns and returns the resulting events.
    fn resign(&mut self, player: i64) -> Result<Vec<String>, String>;
    /// Ends the game in a draw agreed to by these players, and returns the events.
    fn agree_on_draw(&mut self, players: &[i64]) -> Result<Vec<String>, String>;
    /// Runs one tick and returns its events.
    fn tick(&mut self) -> Vec<String>;
    /// Returns all orders that would be accepted now, sorted.
    fn legal_orders(&self, player: i64) -> Vec<String>;
    /// Returns the whole state in one line.
    fn state(&self) -> String;
}

/// The slow reference implementation.
pub(crate) type Oracle = oracle::Game;

impl Implementation for Oracle {
    fn create(words: &str, pieces: Option<&str>) -> Result<Oracle, String> {
        let game = match pieces {
            Some(pieces) => oracle::Game::with_pieces(words, pieces),
            None => oracle::Game::new(words),
        };
        game.map_err(|error| error.to_string())
    }

    fn now(&self) -> i64 {
        self.now()
    }

    fn order(&mut self, player: i64, piece: &str, row: i64, col: i64) -> Result<(), String> {
        self.order(player, piece, row, col).map_err(|refusal| refusal.to_string())
    }

    fn resign(&mut self, player: i64) -> Result<Vec<String>, String> {
        self.resign(player).map_err(|refusal| refusal.to_string())
    }

    fn agree_on_draw(&mut self, players: &[i64]) -> Result<Vec<String>, String> {
        self.agree_on_draw(players).map_err(|refusal| refusal.to_string())
    }

    fn tick(&mut self) -> Vec<String> {
        self.tick()
    }

    fn legal_orders(&self, player: i64) -> Vec<String> {
        self.legal_orders(player)
    }

    fn state(&self) -> String {
        self.state()
    }
}

/// The fast implementation.
#[derive(Clone)]
pub(crate) struct Engine(pub(crate) Game);

/// An index that no piece has.
const NOBODY: u8 = 255;

impl Engine {
    fn texts(&self, events: &[Event]) -> Vec<String> {
        events.iter().map(|event| self.0.text(event)).collect()
    }

    /// Returns the player with a number. If there is none, returns `over` if the game is over,
    /// otherwise `unknown`.
    fn player<R>(&self, number: i64, over: R, unknown: R) -> Result<Player, R> {
        let player = u8::try_from(number).ok().and_then(Player::from_number);
        player.ok_or(if self.0.outcome().is_some() { over } else { unknown })
    }
}

fn line(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

impl Implementation for Engine {
    fn create(words: &str, pieces: Option<&str>) -> Result<Engine, String> {
        if pieces.is_some_and(|pieces| pieces.trim().is_empty()) {
            return Err("no pieces".to_owned());
        }
        let game = Game::parse(words, pieces.unwrap_or_default());
        game.map(Engine).map_err(|error| error.to_string())
    }

    fn now(&self) -> i64 {
        self.0.now() as i64
    }

    fn order(&mut self, by: i64, piece: &str, row: i64, col: i64) -> Result<(), String> {
        let piece = self.0.piece_named(piece).unwrap_or(PieceId(NOBODY));
        let unknown = if self.0.is_closed() { Refusal::TickClosed } else { Refusal::NotPlaying };
        let answer = self.player(by, Refusal::GameOver, unknown);
        let answer = answer.and_then(|by| self.0.order(by, piece, (line(row), line(col))));
        answer.map_err(|refusal| refusal.name().to_owned())
    }

    fn resign(&mut self, by: i64) -> Result<Vec<String>, String> {
        let mut events = Vec::new();
        let player = self.player(by, ResignRefusal::GameOver, ResignRefusal::NotPlaying);
        match player.and_then(|player| self.0.resign(player, &mut events)) {
            Ok(()) => Ok(self.texts(&events)),
            Err(refusal) => Err(refusal.name().to_owned()),
        }
    }

    fn agree_on_draw(&mut self, players: &[i64]) -> Result<Vec<String>, String> {
        let player = |&number| self.player(number, DrawRefusal::GameOver, DrawRefusal::NotPlaying);
        let players: Result<Vec<Player>, _> = players.iter().map(player).collect();
        let mut events = Vec::new();
        match players.and_then(|players| self.0.agree_on_draw(&players, &mut events)) {
            Ok(()) => Ok(self.texts(&events)),
            Err(refusal) => Err(refusal.name().to_owned()),
        }
    }

    fn tick(&mut self) -> Vec<String> {
        let mut events = Vec::new();
        self.0.tick(&mut events);
        self.texts(&events)
    }

    fn legal_orders(&self, by: i64) -> Vec<String> {
        let mut orders = Vec::new();
        if let Ok(player) = self.player(by, (), ()) {
            self.0.legal_orders_into(player, &mut orders);
        }
        let text = |order: &fourfold_kung_fu::Order| {
            format!("{}->{},{}", self.0.name(order.piece), order.to.row(), order.to.column())
        };
        let mut texts: Vec<String> = orders.iter().map(text).collect();
        texts.sort();
        texts
    }

    fn state(&self) -> String {
        self.0.to_string()
    }
}

/// Parses an order: `P:1:6:4->5,4`.
pub(crate) fn split_order(order: &str) -> Option<(&str, i64, i64)> {
    let (piece, square) = order.split_once("->")?;
    let (row, col) = split_square(square)?;
    Some((piece, row, col))
}

/// Parses row and column: `5,4`.
pub(crate) fn split_square(square: &str) -> Option<(i64, i64)> {
    let (row, col) = square.split_once(',')?;
    Some((row.parse().ok()?, col.parse().ok()?))
}
