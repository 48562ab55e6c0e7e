//! Chess and Chess960, as `docs/rules/chess.md` has them.
//!
//! Positions are FEN, moves are UCI, and every function starts again from the text. Nothing
//! here is quick; everything is meant to be checked by reading it.
//!
//! ```
//! use fourfold_oracle::chess::{Variant, moves, san};
//!
//! let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
//! assert_eq!(moves(fen, Variant::Standard)?.len(), 15);
//! assert_eq!(san(fen, "e1g1", Variant::Standard)?, "O-O");
//! # Ok::<(), fourfold_oracle::Error>(())
//! ```

mod board;
mod exchange;
mod facts;
mod fen;
mod moves;
mod position;
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
    /// taking its own rook, `e1h1`.
    Chess960,
}

/// All legal moves in UCI notation, sorted as strings.
///
/// Castling is the king's two-step (`e1g1`) in standard chess and the king taking its own rook
/// (`e1h1`) in Chess960. Promotions end in `q`, `r`, `b` or `n`.
///
/// # Errors
///
/// When the FEN is refused.
pub fn moves(fen: &str, variant: Variant) -> Result<Vec<String>, Error> {
    let position = fen::read(fen, variant)?;
    let mut texts: Vec<String> = position.legal_moves().iter().map(|mv| mv.uci(variant)).collect();
    texts.sort();
    Ok(texts)
}

/// The FEN after a legal move.
///
/// # Errors
///
/// When the FEN is refused or the move is not legal.
pub fn play(fen: &str, uci: &str, variant: Variant) -> Result<String, Error> {
    let position = fen::read(fen, variant)?;
    let mv = legal_move(&position, uci, variant)?;
    Ok(fen::write(&position.after(&mv)))
}

/// The move in standard algebraic notation, with no more disambiguation than needed and with
/// `+` or `#`.
///
/// # Errors
///
/// When the FEN is refused or the move is not legal.
pub fn san(fen: &str, uci: &str, variant: Variant) -> Result<String, Error> {
    let position = fen::read(fen, variant)?;
    let mv = legal_move(&position, uci, variant)?;
    Ok(san::write(&position, &mv))
}

/// The number of legal move sequences of exactly that length.
///
/// # Errors
///
/// When the FEN is refused.
pub fn perft(fen: &str, depth: u32, variant: Variant) -> Result<u64, Error> {
    Ok(sequences(&fen::read(fen, variant)?, depth))
}

/// The facts that hold after playing `moves` from `fen`, sorted.
///
/// They are words from this list: `check`, `checkmate`, `stalemate`, `insufficient material`,
/// `fifty moves` (halfmove clock 100 or more), `seventy-five moves` (150 or more),
/// `threefold repetition` (the present position has occurred three times or more in this game)
/// and `fivefold repetition` (five times or more). Checkmate goes before the clock: then neither
/// `fifty moves` nor `seventy-five moves` is listed. `check` is listed along with `checkmate`.
///
/// # Errors
///
/// When the FEN is refused or one of the moves is not legal.
pub fn facts(fen: &str, moves: &[&str], variant: Variant) -> Result<Vec<String>, Error> {
    let mut present = fen::read(fen, variant)?;
    let mut earlier = Vec::new();
    for uci in moves {
        let next = present.after(&legal_move(&present, uci, variant)?);
        earlier.push(present);
        present = next;
    }
    Ok(facts::of(&earlier, &present))
}

/// What a move wins on its target square, in pawns.
///
/// After the move, the sides capture on that square in turn, with any legal capture, and either
/// may stop when capturing on would not pay; all choices are tried. Pawn 1, knight 3, bishop 3,
/// rook 5, queen 9; a promotion wins the new piece less the pawn. A quiet move captures 0, and
/// the target of castling is the king's new square.
///
/// # Errors
///
/// When the FEN is refused or the move is not legal.
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
        .ok_or_else(|| Error::new(format!("move '{uci}' is not legal in {}", fen::write(position))))
}

fn sequences(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position.legal_moves().iter().map(|mv| sequences(&position.after(mv), depth - 1)).sum()
}
