//! Four-player chess, as specified in `docs/rules/four-player.md`.
//!
//! Positions are FEN4s and moves are text like `e2e4` or `e7e8d`. Every function parses its input
//! from scratch. Nothing here is optimized; the code is meant to be verified by reading it.
//!
//! Parsing a position settles it: a player to move who has no legal move is eliminated at once, as
//! during a game.
//!
//! ```
//! use fourfold_oracle::four_player::{Rules, moves, play};
//!
//! let kings = "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-\
//!     6,yK,7/14/14/14/14/14/bK,13/13,gK/14/14/14/3,rP,10/14/7,rK,6";
//! let rules = Rules::parse("no-bare-kings")?;
//! assert_eq!(moves(kings, &rules)?, ["d3d4", "h1g1", "h1g2", "h1h2", "h1i1", "h1i2"]);
//! assert!(play(kings, "d3d4", &rules)?.starts_with("B-0,0,0,0-"));
//! # Ok::<(), fourfold_oracle::Error>(())
//! ```

mod board;
mod extra;
mod fen4;
mod game;
mod moves;
mod play;
mod player;
mod position;
mod rules;
#[cfg(test)]
mod tests;
mod validity;

use crate::Error;
use crate::error::bail;
use board::Board;
use game::Game;
use play::Withdrawal;
use player::Player;
use position::Position;

pub use rules::{KingCapture, MateTiming, Mode, Points, Rules, Winner};

/// The status of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The position, in canonical form.
    pub fen4: String,
    /// How the game has ended, if it has: `last-survivor`, `king-captured`, `checkmate`,
    /// `stalemate`, `resigned`, `flagged`, `bare-kings`, `repetition` or `quiet-plies`.
    pub ending: Option<String>,
    /// The letters of the winners, in turn order; empty while the game is in progress and after a
    /// draw between teams.
    pub winners: String,
    /// The letters of the living players whose king is attacked by a living opponent, in turn
    /// order.
    pub in_check: String,
}

/// Returns all legal moves of the player to move, sorted as strings; none if the game is over.
///
/// # Errors
///
/// Returns an error if the FEN4 is invalid.
pub fn moves(fen4: &str, rules: &Rules) -> Result<Vec<String>, Error> {
    let game = start(fen4, rules)?;
    let mut texts: Vec<String> =
        game.current.moves(rules).iter().map(ToString::to_string).collect();
    texts.sort();
    Ok(texts)
}

/// Returns the position after a legal move and its consequences: points, eliminations, the turn,
/// and draws other than by repetition, which a single position cannot show.
///
/// # Errors
///
/// Returns an error if the FEN4 is invalid or the move is illegal.
pub fn play(fen4: &str, mv: &str, rules: &Rules) -> Result<String, Error> {
    let rules = Rules { repetition: 0, ..rules.clone() };
    let mut game = start(fen4, &rules)?;
    game.play(mv)?;
    Ok(game.report().fen4)
}

/// Returns the position itself, settled and in canonical form.
///
/// # Errors
///
/// Returns an error if the FEN4 is invalid.
pub fn state(fen4: &str, rules: &Rules) -> Result<String, Error> {
    Ok(start(fen4, rules)?.report().fen4)
}

/// Returns the position after the player with that letter (`R`, `B`, `Y` or `G`) has resigned or,
/// if `flagged`, has run out of time.
///
/// # Errors
///
/// Returns an error if the FEN4 is invalid, the game is over, or the player is already eliminated.
pub fn withdraw(fen4: &str, player: &str, flagged: bool, rules: &Rules) -> Result<String, Error> {
    let mut game = start(fen4, rules)?;
    let how = if flagged { Withdrawal::Flagged } else { Withdrawal::Resigned };
    game.withdraw(player_of(player)?, how)?;
    Ok(game.report().fen4)
}

/// Plays a whole game. A ply is a move, or `R:resign` or `R:flag` with a player's letter.
///
/// # Errors
///
/// Returns an error if the FEN4 is invalid, a ply is illegal, or a ply comes after the end.
pub fn game(fen4: &str, plies: &[&str], rules: &Rules) -> Result<Report, Error> {
    let mut game = start(fen4, rules)?;
    for ply in plies {
        match ply.split_once(':') {
            None => game.play(ply)?,
            Some((player, "resign")) => game.withdraw(player_of(player)?, Withdrawal::Resigned)?,
            Some((player, "flag")) => game.withdraw(player_of(player)?, Withdrawal::Flagged)?,
            Some(_) => bail!("ply: expected a move, resign or flag, got '{ply}'"),
        }
    }
    Ok(game.report())
}

/// Returns the number of move sequences of length `depth`; draws by rule do not end them.
///
/// # Errors
///
/// Returns an error if the FEN4 is invalid.
pub fn perft(fen4: &str, depth: u32, rules: &Rules) -> Result<u64, Error> {
    Ok(sequences(&start(fen4, rules)?.current, depth, rules))
}

/// Whether a living player among the letters in `by` attacks the square, empty or occupied.
///
/// # Errors
///
/// Returns an error if the FEN4 is invalid, or the square or a letter is unknown.
pub fn attacked(fen4: &str, square: &str, by: &str, rules: &Rules) -> Result<bool, Error> {
    let position = start(fen4, rules)?.current;
    let target =
        Board::square_named(square).ok_or_else(|| format!("the board has no square '{square}'"))?;
    let players: Result<Vec<Player>, Error> =
        by.chars().map(|letter| player_of(&letter.to_string())).collect();
    Ok(players?
        .into_iter()
        .any(|player| position.is_alive(player) && position.board.is_attacked(target, player)))
}

fn start<'a>(fen4: &str, rules: &'a Rules) -> Result<Game<'a>, Error> {
    Ok(Game::new(fen4::read(fen4, rules)?, rules))
}

fn player_of(text: &str) -> Result<Player, Error> {
    Player::from_letter(text)
        .ok_or_else(|| format!("player: expected R, B, Y or G, got '{text}'").into())
}

fn sequences(position: &Position, depth: u32, rules: &Rules) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.moves(rules);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| sequences(&position.play(mv, rules), depth - 1, rules)).sum()
}
