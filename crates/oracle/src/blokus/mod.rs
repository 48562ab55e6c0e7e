//! Blokus, as `docs/rules/blokus.md` has it.
//!
//! Positions and placements are text, and every function starts again from the text. Nothing here
//! is quick; everything is meant to be checked by reading it.
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

/// Where a game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The position.
    pub position: String,
    /// Points by the basic score, of every colour in the order of play.
    pub basic: Vec<i32>,
    /// Points by the advanced score, of every colour in the order of play.
    pub advanced: Vec<i32>,
    /// Points by the advanced score, of every player.
    pub players: Vec<i32>,
    /// The players who have won; empty while the game goes on.
    pub winners: Vec<usize>,
    /// The letters of the colours that can place nothing any more, in the order of play.
    pub out: String,
    /// The player who places next; none when the game is over.
    pub mover: Option<usize>,
}

/// The empty board of a variant.
///
/// # Errors
///
/// When there is no such variant.
pub fn start(variant: &str) -> Result<String, Error> {
    Ok(write_position(&Position::start(Variant::from_name(variant)?)))
}

/// All legal placements of the colour to move, sorted as strings; none when the game is over.
///
/// # Errors
///
/// When the position is refused.
pub fn moves(position: &str) -> Result<Vec<String>, Error> {
    let position = read_position(position)?;
    Ok(position.turn.map_or(Vec::new(), |colour| placements(&position, colour)))
}

/// All placements that the colour of that letter could make if it were to move, sorted as strings.
///
/// # Errors
///
/// When the position is refused or has no such colour.
pub fn moves_of(position: &str, colour: &str) -> Result<Vec<String>, Error> {
    let position = read_position(position)?;
    Ok(placements(&position, position.variant.colour(colour)?))
}

/// The position after a legal placement of the colour to move; its cells may come in any order.
///
/// # Errors
///
/// When the position is refused, or the text is not a legal placement.
pub fn play(position: &str, mv: &str) -> Result<String, Error> {
    Ok(write_position(&played(&read_position(position)?, mv)?))
}

/// Why the colour to move may not make this placement, in a word, with the cell at fault; none if
/// it may: `not-a-piece`, `off-board`, `already-placed`, `occupied:c3`, `own-edge:c3`, `no-corner`,
/// `not-on-start:a20` or `game-over`. The first that holds, in this order.
///
/// # Errors
///
/// When the position is refused, or the text is not cells with commas between them.
pub fn refusal(position: &str, mv: &str) -> Result<Option<String>, Error> {
    let position = read_position(position)?;
    let side = position.variant.side;
    let refusal = position.refusal(&read_placement(mv, side)?);
    Ok(refusal.map(|refusal| text::write_refusal(&refusal, side)))
}

/// Plays a whole game, or a part of one, from the empty board.
///
/// # Errors
///
/// When there is no such variant, or a placement is not legal.
pub fn game(variant: &str, moves: &[&str]) -> Result<Report, Error> {
    let mut position = Position::start(Variant::from_name(variant)?);
    for mv in moves {
        position = played(&position, mv)?;
    }
    Ok(position.report())
}

/// Where the game stands in a position.
///
/// # Errors
///
/// When the position is refused.
pub fn report(position: &str) -> Result<Report, Error> {
    Ok(read_position(position)?.report())
}

/// The empty cells of which the next piece of the colour of that letter must cover one, sorted as
/// strings.
///
/// # Errors
///
/// When the position is refused or has no such colour.
pub fn frontier(position: &str, colour: &str) -> Result<Vec<String>, Error> {
    let position = read_position(position)?;
    let cells = position.frontier(position.variant.colour(colour)?);
    let mut names: Vec<String> =
        cells.into_iter().map(|cell| write_cell(cell, position.variant.side)).collect();
    names.sort();
    Ok(names)
}

/// The names of the pieces that the colour of that letter has left, in the order of the table.
///
/// # Errors
///
/// When the position is refused or has no such colour.
pub fn left(position: &str, colour: &str) -> Result<Vec<String>, Error> {
    let position = read_position(position)?;
    let left = position.left(position.variant.colour(colour)?);
    Ok(left.into_iter().map(|piece| piece.name.to_string()).collect())
}

/// The number of sequences of exactly so many placements; colours that are skipped do not count.
///
/// # Errors
///
/// When the position is refused.
pub fn perft(position: &str, depth: u32) -> Result<u64, Error> {
    Ok(read_position(position)?.sequences(depth))
}

fn placements(position: &Position, colour: board::Colour) -> Vec<String> {
    let side = position.variant.side;
    let placements = position.placements(colour);
    let mut texts: Vec<String> =
        placements.iter().map(|cells| write_placement(cells, side)).collect();
    texts.sort();
    texts
}

fn played(position: &Position, mv: &str) -> Result<Position, Error> {
    let side = position.variant.side;
    let cells = read_placement(mv, side)?;
    match (position.refusal(&cells), position.turn) {
        (None, Some(colour)) => Ok(position.play(&cells, colour)),
        (refusal, _) => {
            let word = text::write_refusal(&refusal.unwrap_or(position::Refusal::GameOver), side);
            let position = write_position(position);
            Err(Error::new(format!("placement '{mv}' is refused in {position}: {word}")))
        }
    }
}
