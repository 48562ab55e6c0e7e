//! A common text interface to oracle and engine.

use fourfold_oracle::kung_fu::Game;

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
    fn agree_draw(&mut self, players: &[i64]) -> Result<Vec<String>, String>;
    /// Runs one tick and returns its events.
    fn tick(&mut self) -> Vec<String>;
    /// Returns all orders that would be accepted now, sorted.
    fn legal_orders(&self, player: i64) -> Vec<String>;
    /// Returns the whole state in one line.
    fn state(&self) -> String;
}

/// The slow reference implementation.
pub(crate) type Oracle = Game;

impl Implementation for Oracle {
    fn create(words: &str, pieces: Option<&str>) -> Result<Oracle, String> {
        let game = match pieces {
            Some(pieces) => Game::with_pieces(words, pieces),
            None => Game::new(words),
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

    fn agree_draw(&mut self, players: &[i64]) -> Result<Vec<String>, String> {
        self.agree_draw(players).map_err(|refusal| refusal.to_string())
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
