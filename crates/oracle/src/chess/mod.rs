//! Chess and Chess960, as specified in `docs/rules/chess.md`.
//!
//! Positions are FENs and moves are UCI. Every function parses its input from scratch. Nothing here
//! is optimized; the code is meant to be verified by reading it.
//!
//! ```
//! use fourfold_oracle::chess::{Variant, moves, san};
//!
//! let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
//! assert_eq!(moves(fen, Variant::Standard)?.len(), 15);
//! assert_eq!(san(fen, "e1g1", Variant::Standard)?, "O-O");
//! # Ok::<(), fourfold_oracle::Error>(())
//! ```

pub(crate) mod board;
pub(crate) mod exchange;
mod facts;
pub(crate) mod fen;
pub(crate) mod moves;
pub(crate) mod position;
mod san;
#[cfg(test)]
mod tests;
mod validity;

use crate::Error;
use moves::Move;
use position::Position;

/// How castling is written and where kings and rooks may start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Kings castle from the e-file with rooks in the corners; castling is written `e1g1`.
    Standard,
    /// Kings and rooks start anywhere on their first rank; castling is written as the king
    /// capturing its own rook, `e1h1`.
    Chess960,
}

/// Returns all legal moves in UCI notation, sorted as strings.
///
/// Castling is written as the king's two-square move (`e1g1`) in standard chess and as the king
/// capturing its own rook (`e1h1`) in Chess960. Promotions end in `q`, `r`, `b` or `n`.
///
/// # Errors
///
/// Returns an error if the FEN is invalid.
pub fn moves(fen: &str, variant: Variant) -> Result<Vec<String>, Error> {
    let position = fen::read(fen, variant)?;
    let mut texts: Vec<String> = position.legal_moves().iter().map(|mv| mv.uci(variant)).collect();
    texts.sort();
    Ok(texts)
}

/// Returns the FEN after a legal move.
///
/// # Errors
///
/// Returns an error if the FEN is invalid or the move is illegal.
pub fn play(fen: &str, uci: &str, variant: Variant) -> Result<String, Error> {
    let position = fen::read(fen, variant)?;
    let mv = legal_move(&position, uci, variant)?;
    Ok(fen::write(&position.after(&mv)))
}

/// Returns the move in standard algebraic notation, with minimal disambiguation and with `+` or
/// `#`.
///
/// # Errors
///
/// Returns an error if the FEN is invalid or the move is illegal.
pub fn san(fen: &str, uci: &str, variant: Variant) -> Result<String, Error> {
    let position = fen::read(fen, variant)?;
    let mv = legal_move(&position, uci, variant)?;
    Ok(san::write(&position, &mv))
}

/// Returns the number of legal move sequences of length `depth`.
///
/// # Errors
///
/// Returns an error if the FEN is invalid.
pub fn perft(fen: &str, depth: u32, variant: Variant) -> Result<u64, Error> {
    Ok(sequences(&fen::read(fen, variant)?, depth))
}

/// Returns the facts that hold after playing `moves` from `fen`, sorted.
///
/// The possible facts are `check`, `checkmate`, `stalemate`, `insufficient material`, `fifty moves`
/// (halfmove clock 100 or more), `seventy-five moves` (150 or more), `threefold repetition` (the
/// current position has occurred at least three times in this game) and `fivefold repetition` (at
/// least five times). Checkmate takes precedence over the clock: neither `fifty moves` nor
/// `seventy-five moves` is listed with it. `check` is listed along with `checkmate`.
///
/// # Errors
///
/// Returns an error if the FEN is invalid or one of the moves is illegal.
pub fn facts(fen: &str, moves: &[&str], variant: Variant) -> Result<Vec<String>, Error> {
    let mut current = fen::read(fen, variant)?;
    let mut earlier = Vec::new();
    for uci in moves {
        let next = current.after(&legal_move(&current, uci, variant)?);
        earlier.push(current);
        current = next;
    }
    Ok(facts::of(&earlier, &current))
}

/// Returns what a move wins on its target square, in pawns.
///
/// After the move, the sides take turns capturing on that square with any legal capture, and either
/// may stop when another capture would not pay; all choices are tried. A pawn is worth 1, a knight
/// or bishop 3, a rook 5, a queen 9; a promotion wins the value of the new piece minus that of the
/// pawn. A quiet move captures nothing, and the target square of castling is the king's
/// destination.
///
/// # Errors
///
/// Returns an error if the FEN is invalid or the move is illegal.
pub fn exchange(fen: &str, uci: &str, variant: Variant) -> Result<i32, Error> {
    let position = fen::read(fen, variant)?;
    let mv = legal_move(&position, uci, variant)?;
    Ok(exchange::gain(&position, &mv))
}

fn legal_move(position: &Position, uci: &str, variant: Variant) -> Result<Move, Error> {
    position
        .legal_moves()
        .into_iter()
        .find(|mv| mv.uci(variant) == uci)
        .ok_or_else(|| format!("move '{uci}' is not legal in {}", fen::write(position)).into())
}

fn sequences(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position.legal_moves().iter().map(|mv| sequences(&position.after(mv), depth - 1)).sum()
}
