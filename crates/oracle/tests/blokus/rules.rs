//! One interface to every implementation: text in, text out.

use fourfold_oracle::blokus::{self, Report};

/// The game as text in, text out: what the page and the vectors can ask of an implementation.
pub(crate) trait Twin {
    /// The empty board of a variant.
    fn start(&self, variant: &str) -> Result<String, String>;
    /// All legal placements of the colour to move, in any order; none when the game is over.
    fn moves(&self, position: &str) -> Result<Vec<String>, String>;
    /// All placements that a colour could make if it were to move, in any order.
    fn moves_of(&self, position: &str, colour: &str) -> Result<Vec<String>, String>;
    /// The position after a legal placement.
    fn play(&self, position: &str, mv: &str) -> Result<String, String>;
    /// Which rule a placement breaks, in a word; none if it is legal.
    fn refusal(&self, position: &str, mv: &str) -> Result<Option<String>, String>;
    /// Where a game stands after these placements on the empty board.
    fn game(&self, variant: &str, moves: &[&str]) -> Result<Report, String>;
    /// Where the game stands in a position.
    fn report(&self, position: &str) -> Result<Report, String>;
    /// The cells of which a colour's next piece must cover one, in any order.
    fn frontier(&self, position: &str, colour: &str) -> Result<Vec<String>, String>;
    /// The names of the pieces that a colour has left, in the order of the table.
    fn left(&self, position: &str, colour: &str) -> Result<Vec<String>, String>;
    /// The number of sequences of exactly so many placements.
    fn perft(&self, position: &str, depth: u32) -> Result<u64, String>;
}

/// The reference.
pub(crate) struct Oracle;

impl Twin for Oracle {
    fn start(&self, variant: &str) -> Result<String, String> {
        blokus::start(variant).map_err(|error| error.to_string())
    }

    fn moves(&self, position: &str) -> Result<Vec<String>, String> {
        blokus::moves(position).map_err(|error| error.to_string())
    }

    fn moves_of(&self, position: &str, colour: &str) -> Result<Vec<String>, String> {
        blokus::moves_of(position, colour).map_err(|error| error.to_string())
    }

    fn play(&self, position: &str, mv: &str) -> Result<String, String> {
        blokus::play(position, mv).map_err(|error| error.to_string())
    }

    fn refusal(&self, position: &str, mv: &str) -> Result<Option<String>, String> {
        blokus::refusal(position, mv).map_err(|error| error.to_string())
    }

    fn game(&self, variant: &str, moves: &[&str]) -> Result<Report, String> {
        blokus::game(variant, moves).map_err(|error| error.to_string())
    }

    fn report(&self, position: &str) -> Result<Report, String> {
        blokus::report(position).map_err(|error| error.to_string())
    }

    fn frontier(&self, position: &str, colour: &str) -> Result<Vec<String>, String> {
        blokus::frontier(position, colour).map_err(|error| error.to_string())
    }

    fn left(&self, position: &str, colour: &str) -> Result<Vec<String>, String> {
        blokus::left(position, colour).map_err(|error| error.to_string())
    }

    fn perft(&self, position: &str, depth: u32) -> Result<u64, String> {
        blokus::perft(position, depth).map_err(|error| error.to_string())
    }
}
