//! One interface to every implementation: text in, text out.

use fourfold_oracle::kung_fu::Game;

/// A game while it is played: what the page, the cases and the laws can ask of an implementation.
/// The texts are those of the oracle's module.
pub(crate) trait Twin: Clone {
    /// A game by these words, with these pieces or from the start.
    fn create(words: &str, pieces: Option<&str>) -> Result<Self, String>;
    /// The number of ticks that have run.
    fn now(&self) -> i64;
    /// Gives an order. The error is the word for the reason.
    fn order(&mut self, player: i64, piece: &str, row: i64, col: i64) -> Result<(), String>;
    /// Gives up, with the events of that.
    fn resign(&mut self, player: i64) -> Result<Vec<String>, String>;
    /// A draw to which these players agree.
    fn agree_draw(&mut self, players: &[i64]) -> Result<Vec<String>, String>;
    /// Runs one tick.
    fn tick(&mut self) -> Vec<String>;
    /// All orders that would be accepted now, sorted.
    fn legal_orders(&self, player: i64) -> Vec<String>;
    /// The whole state.
    fn state(&self) -> String;
}

/// The reference.
pub(crate) type Oracle = Game;

impl Twin for Oracle {
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

/// The order of a text: `P:1:6:4->5,4`.
pub(crate) fn split_order(order: &str) -> Option<(&str, i64, i64)> {
    let (piece, square) = order.split_once("->")?;
    let (row, col) = split_square(square)?;
    Some((piece, row, col))
}

/// Row and column of a text: `5,4`.
pub(crate) fn split_square(square: &str) -> Option<(i64, i64)> {
    let (row, col) = square.split_once(',')?;
    Some((row.parse().ok()?, col.parse().ok()?))
}
