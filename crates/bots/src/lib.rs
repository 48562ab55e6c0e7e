//! Bots for every game, at several levels.
//!
//! A [`Bot`] is given a game as text, its start and the moves played since, and answers with the
//! code of a move. It never reads a clock: a [`Budget`] limits how many positions it may search,
//! and a flag can stop it early. The same seed and the same situation give the same move on every
//! machine. The only exceptions are external engines: see [`uci`] and [`gtp`].
//!
//! ```
//! use fourfold_bots::{Budget, Situation, levels, make};
//!
//! // White can play scholar's mate.
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
mod bound;
pub mod chess;
mod cpu_time;
mod deprecated;
mod four_player;
mod geometry;
pub mod gtp;
pub mod kung_fu;
mod level_bot;
mod program;
mod random;
mod rules;
mod tree;
pub mod uci;

pub use bot::{Bot, BotMove, Budget, Level, Line, Score, Situation, ThinkError};
pub use cpu_time::{CpuClock, CpuTimeError};
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::Thought;
pub use program::EngineError;
pub use rules::Rules;

/// Returns the ids of the games with bots.
pub fn games() -> impl Iterator<Item = &'static str> {
    rules::IDS.iter().chain(&kung_fu::IDS).copied()
}

/// Returns the levels of a game, weakest first, or an empty slice if the game has no bots.
///
/// `game` is an id of `fourfold-table`. `chess960` is separate from `chess` because castling
/// follows other rules and is written differently there: bots for `chess` cannot read its games.
pub fn levels(game: &str) -> &'static [Level] {
    // Real-time bots do not implement `Bot`: see `kung_fu`.
    if kung_fu::IDS.contains(&game) {
        return &kung_fu::LEVELS;
    }
    Rules::of(game).map_or(&[], Rules::levels)
}

/// Returns a bot at full strength, without the deliberate errors of the levels, for analysis rather
/// than for games. Only chess has one.
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
    if let Rules::Chess(variant) = Rules::of(game)? { Some(chess::analyst(variant)) } else { None }
}

/// Like [`analyst`], but keeps a table of about this many bytes from one call to the next: the same
/// situation is searched deeper each time.
///
/// ```
/// use fourfold_bots::{Budget, Situation, deep_analyst};
///
/// let start = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
/// let mut analyst = deep_analyst("chess", 1 << 20).expect("chess has one");
/// let mut think = || analyst.think(&Situation { start, moves: &[] }, Budget::nodes(20_000));
/// let first = think()?.depth;
/// for _ in 0..8 {
///     think()?;
/// }
/// assert!(think()?.depth > first);
/// # Ok::<(), fourfold_bots::ThinkError>(())
/// ```
pub fn deep_analyst(game: &str, bytes: usize) -> Option<Box<dyn Bot>> {
    match Rules::of(game)? {
        Rules::Chess(variant) => Some(chess::deep_analyst(variant, bytes)),
        _ => None,
    }
}

/// Creates a bot of a level, or returns `None` if the game does not have that level. The seed
/// decides between equally good moves, and what a bot with a handicap overlooks.
pub fn make(game: &str, level: &str, seed: u64) -> Option<Box<dyn Bot>> {
    Rules::of(game)?.make(level, seed)
}
