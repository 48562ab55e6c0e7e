//! Players for every game, by levels.
//!
//! A [`Bot`] is told a game as text, where it started and the moves since, and answers with the
//! code of a move. It reads no clock: a [`Budget`] says how much it may look at, and a flag can stop
//! it. The same seed and the same situation give the same move, on every machine. The one exception are
//! engines that are programs of their own: see [`uci`].
//!
//! ```
//! use fourfold_bots::{Budget, Situation, levels, make};
//!
//! // Scholar's mate is on the board.
//! let moves = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6"].map(String::from);
//! let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
//! let mut bot = make("chess", "greedy", 7).expect("chess has a greedy bot");
//! let thought = bot.think(&Situation { start, moves: &moves }, Budget::nodes(1000))?;
//! assert_eq!(thought.code, "h5f7");
//! assert!(levels("chess").iter().any(|level| level.id == "greedy"));
//! # Ok::<(), fourfold_bots::ThinkError>(())
//! ```

mod blokus;
mod bot;
pub mod chess;
mod chooser;
mod four_player;
pub mod kung_fu;
mod rules;
mod tree;
pub mod uci;

pub use bot::{Bot, Budget, Level, Line, Score, Situation, ThinkError, Thought};
pub use rules::Rules;

/// The levels of a game, the weakest first; none if the game has no bots.
///
/// The games go by the ids of `fourfold-table`. `chess960` is chess with that way to castle and to
/// write it: the bots of `chess` cannot read its games.
pub fn levels(game: &str) -> &'static [Level] {
    match game {
        // They are asked on every tick: see `kung_fu`.
        "kung-fu" | "kung-fu-12x12" => &kung_fu::LEVELS,
        _ => Rules::of(game).map_or(&[], Rules::levels),
    }
}

/// One who tells how things stand as well as it can, and plays no worse: for studies, not for games. Only
/// chess has one.
///
/// ```
/// use fourfold_bots::{Budget, Score, Situation, analyst};
///
/// let start = "2r3k1/5ppp/8/8/8/8/3R4/K2R4 w - - 0 1";
/// let mut analyst = analyst("chess").expect("chess has one");
/// let budget = Budget { lines: 3, ..Budget::nodes(20_000) };
/// let thought = analyst.think(&Situation { start, moves: &[] }, budget)?;
/// assert_eq!(thought.lines[0].score, Score::Mate(2));
/// assert_eq!(thought.lines.len(), 3);
/// # Ok::<(), fourfold_bots::ThinkError>(())
/// ```
pub fn analyst(game: &str) -> Option<Box<dyn Bot>> {
    match Rules::of(game)? {
        Rules::Chess(variant) => Some(chess::analyst(variant)),
        Rules::FourPlayer(_) | Rules::Blokus(_) => None,
    }
}

/// A bot of a level, if the game has it. The seed decides between moves that are as good.
pub fn make(game: &str, level: &str, seed: u64) -> Option<Box<dyn Bot>> {
    Rules::of(game)?.make(level, seed)
}
