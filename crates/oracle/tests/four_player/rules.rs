//! One interface to every implementation: text in, text out.

use fourfold_oracle::four_player::{self, Report, Rules};

/// The game as text in, text out: what the page and the counts can ask of an implementation.
pub(crate) trait Twin {
    /// All legal moves, in any order; none when the game is over.
    fn moves(&self, fen4: &str, rules: &Rules) -> Result<Vec<String>, String>;
    /// The position after a legal move, repetition left out of account.
    fn play(&self, fen4: &str, mv: &str, rules: &Rules) -> Result<String, String>;
    /// The position itself, settled and in canonical form.
    fn state(&self, fen4: &str, rules: &Rules) -> Result<String, String>;
    /// Where a game stands after these plies: moves, or `R:resign` and `R:flag`.
    fn game(&self, fen4: &str, plies: &[&str], rules: &Rules) -> Result<Report, String>;
    /// The number of move sequences of exactly that length.
    fn perft(&self, fen4: &str, depth: u32, rules: &Rules) -> Result<u64, String>;
    /// Whether a living player among these letters attacks the square.
    fn attacked(&self, fen4: &str, square: &str, by: &str, rules: &Rules) -> Result<bool, String>;
}

/// The reference.
pub(crate) struct Oracle;

impl Twin for Oracle {
    fn moves(&self, fen4: &str, rules: &Rules) -> Result<Vec<String>, String> {
        four_player::moves(fen4, rules).map_err(|error| error.to_string())
    }

    fn play(&self, fen4: &str, mv: &str, rules: &Rules) -> Result<String, String> {
        four_player::play(fen4, mv, rules).map_err(|error| error.to_string())
    }

    fn state(&self, fen4: &str, rules: &Rules) -> Result<String, String> {
        four_player::state(fen4, rules).map_err(|error| error.to_string())
    }

    fn game(&self, fen4: &str, plies: &[&str], rules: &Rules) -> Result<Report, String> {
        four_player::game(fen4, plies, rules).map_err(|error| error.to_string())
    }

    fn perft(&self, fen4: &str, depth: u32, rules: &Rules) -> Result<u64, String> {
        four_player::perft(fen4, depth, rules).map_err(|error| error.to_string())
    }

    fn attacked(&self, fen4: &str, square: &str, by: &str, rules: &Rules) -> Result<bool, String> {
        four_player::attacked(fen4, square, by, rules).map_err(|error| error.to_string())
    }
}
