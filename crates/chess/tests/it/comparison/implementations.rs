//! A common text interface to oracle and engine.

use fourfold_chess::{History, Position};
use fourfold_oracle::chess::{self, Variant};

/// The queries that the rules page needs, with text input and output.
pub(crate) trait Implementation {
    /// Returns all legal moves in UCI notation, in any order.
    fn moves(&self, fen: &str, variant: Variant) -> Result<Vec<String>, String>;
    /// Returns the FEN after a legal move.
    fn play(&self, fen: &str, uci: &str, variant: Variant) -> Result<String, String>;
    /// Returns a legal move in standard algebraic notation.
    fn san(&self, fen: &str, uci: &str, variant: Variant) -> Result<String, String>;
    /// Returns the number of legal move sequences of length `depth`.
    fn perft(&self, fen: &str, depth: u32, variant: Variant) -> Result<u64, String>;
    /// Returns the facts that hold after these moves, in any order.
    fn facts(&self, fen: &str, moves: &[&str], variant: Variant) -> Result<Vec<String>, String>;
    /// Returns what a legal move wins on its target square, in pawns.
    fn exchange(&self, fen: &str, uci: &str, variant: Variant) -> Result<i32, String>;
}

/// The slow reference implementation.
pub(crate) struct Oracle;

impl Implementation for Oracle {
    fn moves(&self, fen: &str, variant: Variant) -> Result<Vec<String>, String> {
        chess::moves(fen, variant).map_err(|error| error.to_string())
    }

    fn play(&self, fen: &str, uci: &str, variant: Variant) -> Result<String, String> {
        chess::play(fen, uci, variant).map_err(|error| error.to_string())
    }

    fn san(&self, fen: &str, uci: &str, variant: Variant) -> Result<String, String> {
        chess::san(fen, uci, variant).map_err(|error| error.to_string())
    }

    fn perft(&self, fen: &str, depth: u32, variant: Variant) -> Result<u64, String> {
        chess::perft(fen, depth, variant).map_err(|error| error.to_string())
    }

    fn facts(&self, fen: &str, moves: &[&str], variant: Variant) -> Result<Vec<String>, String> {
        chess::facts(fen, moves, variant).map_err(|error| error.to_string())
    }

    fn exchange(&self, fen: &str, uci: &str, variant: Variant) -> Result<i32, String> {
        chess::exchange(fen, uci, variant).map_err(|error| error.to_string())
    }
}

/// The engine, behind the same text interface.
pub(crate) struct Engine;

impl Engine {
    pub(crate) fn position(fen: &str, variant: Variant) -> Result<Position, String> {
        let variant = match variant {
            Variant::Standard => fourfold_chess::Variant::Standard,
            Variant::Chess960 => fourfold_chess::Variant::Chess960,
        };
        Position::from_fen_in(fen, variant).map_err(|error| error.to_string())
    }
}

impl Implementation for Engine {
    fn moves(&self, fen: &str, variant: Variant) -> Result<Vec<String>, String> {
        let position = Engine::position(fen, variant)?;
        Ok(position.legal_moves().iter().map(|mv| mv.uci(position.variant())).collect())
    }

    fn play(&self, fen: &str, uci: &str, variant: Variant) -> Result<String, String> {
        let position = Engine::position(fen, variant)?;
        let mv = position.parse_uci(uci).map_err(|error| error.to_string())?;
        Ok(position.after(mv).fen())
    }

    fn san(&self, fen: &str, uci: &str, variant: Variant) -> Result<String, String> {
        let position = Engine::position(fen, variant)?;
        let mv = position.parse_uci(uci).map_err(|error| error.to_string())?;
        Ok(position.san(mv))
    }

    fn perft(&self, fen: &str, depth: u32, variant: Variant) -> Result<u64, String> {
        Ok(fourfold_chess::perft(&Engine::position(fen, variant)?, depth))
    }

    fn facts(&self, fen: &str, moves: &[&str], variant: Variant) -> Result<Vec<String>, String> {
        let mut position = Engine::position(fen, variant)?;
        let mut history = History::new(&position);
        for uci in moves {
            let mv = position.parse_uci(uci).map_err(|error| error.to_string())?;
            position.play_unchecked(mv);
            history.push(&position);
        }
        let mut facts = Vec::new();
        let mate = !position.has_legal_move() && position.is_check();
        let occurrences = history.occurrences(&position);
        for (holds, fact) in [
            (position.is_check(), "check"),
            (mate, "checkmate"),
            (!position.has_legal_move() && !position.is_check(), "stalemate"),
            (position.is_insufficient_material(), "insufficient material"),
            (position.halfmoves() >= 100 && !mate, "fifty moves"),
            (position.halfmoves() >= 150 && !mate, "seventy-five moves"),
            (occurrences >= 3, "threefold repetition"),
            (occurrences >= 5, "fivefold repetition"),
        ] {
            facts.extend(holds.then(|| fact.to_owned()));
        }
        // The game has ended, or a draw can be claimed, exactly when one of the corresponding facts
        // holds.
        let (ending, claim) = (history.ending(&position), history.claim(&position));
        for (found, facts_for) in [
            (
                ending,
                &[
                    "checkmate",
                    "stalemate",
                    "insufficient material",
                    "seventy-five moves",
                    "fivefold repetition",
                ][..],
            ),
            (claim, &["fifty moves", "threefold repetition"][..]),
        ] {
            let listed = facts_for.iter().any(|fact| facts.iter().any(|found| found == fact));
            // No draw can be claimed where there is no legal move.
            let moot = found.is_none() && facts.iter().any(|fact| fact == "stalemate");
            assert!(listed == found.is_some() || moot, "{found:?} {facts:?} in {}", position.fen());
            if let Some(found) = found {
                assert!(facts_for.contains(&found.to_string().as_str()));
                assert!(facts.contains(&found.to_string()), "{found} in {}", position.fen());
            }
        }
        Ok(facts)
    }

    fn exchange(&self, fen: &str, uci: &str, variant: Variant) -> Result<i32, String> {
        let position = Engine::position(fen, variant)?;
        let mv = position.parse_uci(uci).map_err(|error| error.to_string())?;
        Ok(position.exchange(mv))
    }
}
