//! What is said between a bot and the one who asks it for a move.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use fourfold_board::{Keys, shown};

/// A player that is a program.
pub trait Bot: Send {
    /// Chooses a move. A bot that runs out of its budget, or is told to stop, answers with the best
    /// move that it has found by then.
    ///
    /// # Errors
    /// If the situation cannot be read, or the game in it is over.
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<Thought, ThinkError>;
}

/// What a bot is told: the game so far, in the game's own notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Situation<'a> {
    /// A position of the game, in its own notation: FEN in chess. In games that go on when a player
    /// has left, the latest at which one did; else the one that the game started from.
    pub start: &'a str,
    /// The codes of the moves since: UCI in chess.
    pub moves: &'a [String],
}

impl Situation<'_> {
    /// What a bot with a seed draws its chances from now: neighbouring seeds and plies have nothing in
    /// common.
    pub(crate) fn chance(&self, seed: u64) -> u64 {
        Keys::new(seed).next() ^ self.moves.len() as u64
    }
}

/// How much a bot may spend on one move, and how much it is asked to tell.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// How many positions it may look at. It looks at one at least.
    pub nodes: u64,
    /// Told to stop when this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// How many of the best moves it is asked about; a bot may tell of fewer.
    pub lines: usize,
}

impl<'a> Budget<'a> {
    /// A budget of positions to look at, which nobody stops.
    pub const fn nodes(nodes: u64) -> Budget<'static> {
        Budget { nodes, stop: None, lines: 1 }
    }

    /// The same budget, with a flag that stops the bot.
    #[must_use]
    pub const fn until(self, stop: &'a AtomicBool) -> Budget<'a> {
        Budget { stop: Some(stop), ..self }
    }

    /// Whether a bot that has looked at this many positions has to answer now.
    pub fn is_spent(&self, nodes: u64) -> bool {
        nodes >= self.nodes || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// What a bot answers, with an account of its thinking.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Thought {
    /// The code of the move that it plays, legal in the situation. A bot that is meant to make mistakes
    /// may know a better one.
    pub code: String,
    /// How many positions it has looked at.
    pub nodes: u64,
    /// How many moves ahead it has looked in full, in games where it looks ahead.
    pub depth: u32,
    /// The best moves that it sees, the best first; none if it does not look ahead.
    pub lines: Vec<Line>,
}

impl Thought {
    /// A move, by its code, without much thought.
    pub fn new(code: impl Into<String>) -> Thought {
        Thought { code: code.into(), nodes: 1, depth: 0, lines: Vec::new() }
    }
}

/// A move with what a bot expects to follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// How good it is for the one to move.
    pub score: Score,
    /// The codes of the moves: at least one.
    pub codes: Vec<String>,
}

/// How good things are for the one to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In hundredths of a pawn, or of a point in games with points.
    Points(i32),
    /// It mates in so many of its own moves; if negative, it is mated in so many of the opponent's.
    Mate(i32),
    /// What part of the win it expects, in thousandths.
    Share(u16),
}

impl Score {
    /// What part of the win it comes to, in thousandths: a lead of six pawns wins ten times as often as it
    /// loses, whatever is drawn counted as half.
    ///
    /// ```
    /// use fourfold_bots::Score;
    /// assert_eq!(Score::Points(0).share(), 500);
    /// assert_eq!(Score::Points(100).share(), 595);
    /// assert_eq!(Score::Points(600).share(), 909);
    /// assert_eq!(Score::Mate(-3).share(), 0);
    /// ```
    pub fn share(self) -> u16 {
        match self {
            Score::Points(points) => {
                (1000.0 / (1.0 + 10_f64.powf(-f64::from(points) / 600.0))).round() as u16
            }
            Score::Mate(moves) => 1000 * u16::from(moves > 0),
            Score::Share(share) => share,
        }
    }

    /// How good the same things are for the other side, where there are two.
    #[must_use]
    pub const fn turned(self) -> Score {
        match self {
            Score::Points(points) => Score::Points(points.saturating_neg()),
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
            Score::Share(share) => Score::Share(1000_u16.saturating_sub(share)),
        }
    }
}

/// How well a bot plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Level {
    /// Its name in programs: `greedy`.
    pub id: &'static str,
    /// Its name for people: `Greedy`.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
    /// The budget at which it plays and is measured: how many positions it looks at for a move.
    pub nodes: u64,
}

/// Why a bot has no move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ThinkError {
    /// The start is no position that can be played from.
    Start {
        /// What the game's own reader says.
        reason: String,
    },
    /// A move is not one that could be played then.
    Move {
        /// How many moves came before it.
        ply: usize,
        /// The move.
        code: String,
        /// What the game's own reader says.
        reason: String,
    },
    /// The game is over.
    Over {
        /// How: `checkmate`.
        reason: String,
    },
    /// The bot is a program of its own, and it fails.
    Failed {
        /// What it does or does not do.
        reason: String,
    },
}

impl ThinkError {
    /// For a start that the game's own reader refuses.
    pub(crate) fn start(error: impl fmt::Display) -> ThinkError {
        ThinkError::Start { reason: error.to_string() }
    }

    /// For a move that the game's own reader refuses.
    pub(crate) fn at(ply: usize, code: &str, error: impl fmt::Display) -> ThinkError {
        ThinkError::Move { ply, code: code.to_owned(), reason: error.to_string() }
    }
}

impl fmt::Display for ThinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThinkError::Start { reason } => write!(f, "the start cannot be read: {reason}"),
            ThinkError::Move { ply, code, reason } => {
                write!(f, "move '{}' at ply {ply} cannot be played: {reason}", shown(code))
            }
            ThinkError::Over { reason } => write!(f, "the game is over by {reason}"),
            ThinkError::Failed { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for ThinkError {}
