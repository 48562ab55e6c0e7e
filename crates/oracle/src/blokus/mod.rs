//! Blokus, as specified in `docs/rules/blokus.md`.
//!
//! Positions and placements are text, and every function parses its input from scratch. Nothing
//! here is optimized; the code is meant to be verified by reading it.
//!
//! ```
//! use fourfold_oracle::blokus::{game, moves, start};
//!
//! assert_eq!(start("two-2")?, "two-2 p 2/2 -");
//! assert_eq!(
//!     moves("two-2 p 2/2 -")?,
//!     ["a1,a2", "a1,a2,b2", "a1,b1,a2", "a1,b1,a2,b2", "a2", "a2,b2", "b1,a2,b2"]
//! );
//! let report = game("two-2", &["a2,b2", "b1"])?;
//! assert_eq!(report.position, "two-2 - pp/1o -");
//! assert_eq!(report.basic, [-87, -88]);
//! assert_eq!(report.winners, [0]);
//! # Ok::<(), fourfold_oracle::Error>(())
//! ```

mod board;
mod pieces;
mod position;
mod score;
#[cfg(test)]
mod tests;
mod text;
mod validity;
mod variant;

use crate::Error;
use position::Position;
use text::{read_placement, read_position, write_cell, write_placement, write_position};
use variant::Variant;

/// The status of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The position.
    pub position: String,
    /// Basic scores of all colors, in the order of play.
    pub basic: Vec<i32>,
    /// Advanced scores of all colors, in the order of play.
    pub advanced: Vec<i32>,
    /// Advanced scores of all players.
    pub players: Vec<i32>,
    /// The winners; empty while the game is in progress.
    pub winners: Vec<usize>,
    /// The letters of the eliminated colors, which cannot place any more pieces, in the order of
    /// play.
    pub eliminated: String,
    /// The player who places next; `None` if the game is over.
    pub player_to_move: Option<usize>,
}

/// Returns the start position of a variant.
///
/// # Errors
///
/// Returns an error if the variant is unknown.
pub fn start(variant: &str) -> Result<String, Error> {
    Ok(write_position(&Position::start(Variant::from_name(variant)?)))
}

/// Returns all legal placements of the color to move, sorted as strings; none if the game is over.
///
/// # Errors
///
/// Returns an error if the position is invalid.
pub fn moves(position: &str) -> Result<Vec<String>, Error> {
    let position = read_position(position)?;
    Ok(position.turn.map_or(Vec::new(), |color| placements(&position, color)))
}

/// Returns all placements that the color with that letter could make if it were to move, sorted as
/// strings.
///
/// # Errors
///
/// Returns an error if the position is invalid or has no such color.
pub fn moves_of(position: &str, color: &str) -> Result<Vec<String>, Error> {
    let position = read_position(position)?;
    Ok(placements(&position, position.variant.color(color)?))
}

/// Returns the position after a legal placement of the color to move. The cells may come in any
/// order.
///
/// # Errors
///
/// Returns an error if the position is invalid or the placement is illegal.
pub fn play(position: &str, mv: &str) -> Result<String, Error> {
    Ok(write_position(&played(&read_position(position)?, mv)?))
}

/// Returns the reason why the color to move may not make this placement, with the offending cell,
/// or `None` if the placement is legal. The reasons are `not-a-piece`, `off-board`,
/// `already-placed`, `occupied:c3`, `own-edge:c3`, `no-corner`, `not-on-start:a20` and `game-over`.
/// If several apply, the first one in this list is returned.
///
/// # Errors
///
/// Returns an error if the position is invalid, or the text is not a comma-separated list of cells.
pub fn refusal(position: &str, mv: &str) -> Result<Option<String>, Error> {
    let position = read_position(position)?;
    let side = position.variant.side;
    let refusal = position.refusal(&read_placement(mv, side)?);
    Ok(refusal.map(|refusal| text::write_refusal(&refusal, side)))
}

/// Plays a whole game, or the beginning of one, from the empty board.
///
/// # Errors
///
/// Returns an error if the variant is unknown or a placement is illegal.
pub fn game(variant: &str, moves: &[&str]) -> Result<Report, Error> {
    let mut position = Position::start(Variant::from_name(variant)?);
    for mv in moves {
        position = played(&position, mv)?;
    }
    Ok(position.report())
}

/// Returns the status of the game in a position.
///
/// # Errors
///
/// Returns an error if the position is invalid.
pub fn report(position: &str) -> Result<Report, Error> {
    Ok(read_position(position)?.report())
}

/// Returns the empty cells, sorted as strings, of which the next piece of the color with that
/// letter must cover at least one.
///
/// # Errors
///
/// Returns an error if the position is invalid or has no such color.
pub fn frontier(position: &str, color: &str) -> Result<Vec<String>, Error> {
    let position = read_position(position)?;
    let cells = position.frontier(position.variant.color(color)?);
    let mut names: Vec<String> =
        cells.into_iter().map(|cell| write_cell(cell, position.variant.side)).collect();
    names.sort();
    Ok(names)
}

/// Returns the names of the pieces that the color with that letter has left, in table order.
///
/// # Errors
///
/// Returns an error if the position is invalid or has no such color.
pub fn left(position: &str, color: &str) -> Result<Vec<String>, Error> {
    let position = read_position(position)?;
    let left = position.left(position.variant.color(color)?);
    Ok(left.into_iter().map(|piece| piece.name.to_string()).collect())
}

/// Returns the number of sequences of `depth` placements; skipped colors do not count as
/// placements.
///
/// # Errors
///
/// Returns an error if the position is invalid.
pub fn perft(position: &str, depth: u32) -> Result<u64, Error> {
    Ok(read_position(position)?.sequences(depth))
}

fn placements(position: &Position, color: board::Color) -> Vec<String> {
    let side = position.variant.side;
    let placements = position.placements(color);
    let mut texts: Vec<String> =
        placements.iter().map(|cells| write_placement(cells, side)).collect();
    texts.sort();
    texts
}

fn played(position: &Position, mv: &str) -> Result<Position, Error> {
    let side = position.variant.side;
    let cells = read_placement(mv, side)?;
    match (position.refusal(&cells), position.turn) {
        (None, Some(color)) => Ok(position.play(&cells, color)),
        (refusal, _) => {
            let word = text::write_refusal(&refusal.unwrap_or(position::Refusal::GameOver), side);
            let position = write_position(position);
            Err(format!("placement '{mv}' is refused in {position}: {word}").into())
        }
    }
}
