//! The interface between a bot and its caller.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

use fourfold_common::{SplitMix64, quote_short};

/// A computer player.
pub trait Bot: Send {
    /// Chooses a move. When the budget is spent or the bot is stopped, it answers with the best
    /// move found so far.
    ///
    /// # Errors
    /// Returns an error if the situation cannot be parsed, if the game is over, or if an external
    /// engine fails.
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError>;
}

/// The game so far, in the notation of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation<'a> {
    /// The position that the moves start from, in the notation of the game: FEN in chess. In games
    /// that continue after a withdrawal, this is the position after the latest one; otherwise it is
    /// the start position of the game.
    pub start: &'a str,
    /// The codes of the moves since then: UCI in chess.
    pub moves: &'a [String],
}

impl Situation<'_> {
    /// Returns the seed of the random generator for this move. Neighboring seeds and plies give
    /// unrelated sequences.
    pub fn move_seed(&self, seed: u64) -> u64 {
        SplitMix64::new(seed).next() ^ self.moves.len() as u64
    }
}

/// How much a bot may spend on one move, and how many lines it reports.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// How many positions the bot may search. It always searches at least one.
    pub nodes: u64,
    /// The bot stops when this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// How many of the best moves to report; a bot may report fewer.
    pub lines: usize,
}

impl<'a> Budget<'a> {
    /// Creates a budget of this many positions, without a stop flag.
    pub const fn nodes(nodes: u64) -> Budget<'static> {
        Budget { nodes, stop: None, lines: 1 }
    }

    /// Returns the same budget with a flag that stops the bot.
    #[must_use]
    pub const fn with_stop(self, stop: &'a AtomicBool) -> Budget<'a> {
        Budget { stop: Some(stop), ..self }
    }

    /// Returns whether a bot that has searched this many positions must answer now.
    #[inline]
    pub fn is_spent(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The answer of a bot, with details of its search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BotMove {
    /// The code of the chosen move, which is legal in the situation. A bot that is meant to make
    /// mistakes may know a better one.
    pub code: String,
    /// How many positions were searched.
    pub nodes: u64,
    /// How many plies ahead the bot has searched: the last completed depth, or the longest line of
    /// a tree search. 0 if it does not look ahead.
    pub depth: u32,
    /// The best moves found, best first; empty if the bot does not look ahead.
    pub lines: Vec<Line>,
}

impl BotMove {
    /// Creates an answer that counts one position and has no lines.
    pub fn new(code: impl Into<String>) -> BotMove {
        BotMove { code: code.into(), nodes: 1, depth: 0, lines: Vec::new() }
    }

    /// Creates the answer of a search, which plays the first move of the first line.
    pub(crate) fn from_lines(nodes: u64, depth: u32, lines: Vec<Line>) -> BotMove {
        // A game in progress has a legal move.
        let code = lines.first().map_or_else(String::new, |line| line.codes[0].clone());
        BotMove { code, nodes, depth, lines }
    }
}

/// A move and the continuation that the bot expects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The score for the player to move.
    pub score: Score,
    /// The codes of the moves; never empty.
    pub codes: Vec<String>,
}

/// A score from the point of view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In centipawns, or in hundredths of a point in games with points.
    Points(i32),
    /// The player to move mates in this many moves; if negative, it is mated in that many.
    Mate(i32),
    /// Winning chances in thousandths; a draw counts as half a win.
    WinningChances(u16),
}

impl Score {
    /// Converts the score to winning chances in thousandths; a draw counts as half a win. A lead of
    /// six pawns wins ten times as often as it loses.
    ///
    /// ```
    /// use fourfold_bots::Score;
    /// assert_eq!(Score::Points(0).winning_chances(), 500);
    /// assert_eq!(Score::Points(100).winning_chances(), 595);
    /// assert_eq!(Score::Points(600).winning_chances(), 909);
    /// assert_eq!(Score::Mate(-3).winning_chances(), 0);
    /// ```
    pub fn winning_chances(self) -> u16 {
        match self {
            Score::Points(points) => {
                (1000.0 / (1.0 + 10_f64.powf(-f64::from(points) / 600.0))).round() as u16
            }
            Score::Mate(moves) => 1000 * u16::from(moves > 0),
            Score::WinningChances(share) => share,
        }
    }

    /// Returns the score from the point of view of the other side, in games with two sides.
    #[must_use]
    pub const fn flipped(self) -> Score {
        match self {
            Score::Points(points) => Score::Points(points.saturating_neg()),
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
            Score::WinningChances(share) => Score::WinningChances(1000_u16.saturating_sub(share)),
        }
    }
}

/// A playing strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Level {
    /// The id, such as `greedy`.
    pub id: &'static str,
    /// The display name, such as `Greedy`.
    pub name: &'static str,
    /// A short description of what its opponents can expect.
    pub about: &'static str,
    /// Its rating on the scale on which a new player has 1500: how far apart the levels are was
    /// measured in matches, see `docs/bots.md`.
    pub rating: u32,
    /// The budget at which it plays and is measured: how many positions it searches per move.
    pub nodes: u64,
}

impl Level {
    /// Creates a level.
    pub const fn new(
        id: &'static str,
        name: &'static str,
        about: &'static str,
        rating: u32,
        nodes: u64,
    ) -> Level {
        Level { id, name, about, rating, nodes }
    }

    /// Returns the strongest level, given how many positions can be searched in about a second.
    pub(crate) const fn master(rating: u32, second: u64) -> Level {
        let about = "the strongest level: thinks for about a second per move";
        Level::new("master", "Master", about, rating, second)
    }

    /// Returns the same level with a rating measured in another game.
    pub(crate) const fn rated(self, rating: u32) -> Level {
        Level { rating, ..self }
    }
}

/// Why a bot could not choose a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ThinkError {
    /// The start is not a valid position of the game.
    #[error("invalid start position: {reason}")]
    Start {
        /// The error message of the game's parser.
        reason: String,
    },
    /// A move cannot be parsed, or is not legal in its position.
    #[error("illegal move '{}' at ply {ply}: {reason}", quote_short(.code))]
    Move {
        /// How many moves came before it.
        ply: usize,
        /// The code of the move.
        code: String,
        /// The error message of the game.
        reason: String,
    },
    /// The game is over.
    #[error("the game is already over: {reason}")]
    Over {
        /// How it ended, such as `checkmate`.
        reason: String,
    },
    /// The bot is an external engine, and it failed.
    #[error("{reason}")]
    Failed {
        /// What the engine did wrong.
        reason: String,
    },
}

impl ThinkError {
    /// Creates an error for a start position that the game rejects.
    pub(crate) fn start(error: impl Display) -> ThinkError {
        ThinkError::Start { reason: error.to_string() }
    }

    /// Creates an error for a move that the game rejects.
    pub(crate) fn move_error(ply: usize, code: &str, error: impl Display) -> ThinkError {
        ThinkError::Move { ply, code: code.to_owned(), reason: error.to_string() }
    }
}
