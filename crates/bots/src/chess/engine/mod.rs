//! A chess engine with iterative deepening: it searches deeper and deeper until its budget is spent
//! or it is stopped.
//!
//! It reads no clock and starts no threads. The same task gives the same answer after the same
//! number of positions, on every machine.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use fourfold_bots::chess::{Engine, Task};
//! use fourfold_bots::{Budget, Score};
//! use fourfold_chess::{History, Position};
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/1q6/P7/K2R4 w - - 0 1")?;
//! let task = Task::new(Budget::nodes(10_000));
//! let answer = Engine::new(1 << 20).think(&position, &History::new(&position), &task, |round| {
//!     assert!(round.depth >= 1);
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(answer.lines[0].score(), Score::Mate(1));
//! assert_eq!(position.san(answer.lines[0].moves[0]), "Rd8#");
//! # Ok::<(), fourfold_chess::ParseFenError>(())
//! ```

mod eval;
mod handicap;
mod move_ordering;
mod node;
mod piece_square;
mod quiescence;
mod reduce;
mod search;
mod taper;
#[cfg(test)]
mod tests;
mod transposition;

use std::ops::ControlFlow;

use fourfold_chess::{History, Move, Position};
use fourfold_common::cpu::{self, Cpu, Work};

pub use handicap::Handicap;

use crate::{Budget, Score};
use move_ordering::MoveHistory;
use search::{Frame, Search};
use transposition::TranspositionTable;

/// The score of a mate on the board; a mate that is `n` plies away scores `n` less.
const MATE: i32 = 32_000;
/// Scores of at least this are mates.
const WON: i32 = MATE - 1000;
const LOST: i32 = -WON;
/// The length of the longest line, in plies.
const MAX_PLY: usize = 120;

/// A task for an [`Engine`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Task<'a> {
    /// How many positions to search, what can stop the search, and how many lines to report.
    pub budget: Budget<'a>,
    /// The maximum depth, in plies.
    pub depth: u32,
    /// The root moves to choose from; if empty, all legal moves.
    pub choices: &'a [Move],
    /// The handicap.
    pub handicap: Handicap,
}

impl<'a> Task<'a> {
    /// Creates a task to find the best move within a budget.
    pub const fn new(budget: Budget<'a>) -> Task<'a> {
        Task { budget, depth: MAX_PLY as u32, choices: &[], handicap: Handicap::NONE }
    }
}

/// The result of an iteration of the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The last completed depth, in plies.
    pub depth: u32,
    /// The depth of the deepest position that was searched, in plies.
    pub deepest: u32,
    /// How many positions were searched.
    pub nodes: u64,
    /// How full the transposition table is, in thousandths.
    pub full: usize,
    /// The best moves with their continuations, best first. In the final report there is at least
    /// one unless there was no move to choose from.
    pub lines: Vec<Variation>,
}

/// A move and the continuation that the engine expects.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Variation {
    /// The moves; never empty.
    pub moves: Vec<Move>,
    value: i32,
}

impl Variation {
    /// Returns the score for the side to move.
    pub const fn score(&self) -> Score {
        match self.value {
            WON.. => Score::Mate((MATE - self.value + 1) / 2),
            ..=LOST => Score::Mate(-(MATE + self.value) / 2),
            _ => Score::Points(self.value),
        }
    }
}

/// A chess engine with its tables, which are kept from one search to the next.
#[derive(Debug)]
pub struct Engine {
    table: TranspositionTable,
    history: MoveHistory,
    stack: Vec<(i32, Move)>,
    plain: bool,
}

impl Engine {
    /// Creates an engine with a transposition table of about this many bytes.
    pub fn new(bytes: usize) -> Engine {
        let (history, stack) = (MoveHistory::new(), Vec::new());
        Engine { table: TranspositionTable::new(bytes), history, stack, plain: false }
    }

    /// Creates an engine without pruning and without a transposition table, for shallow searches.
    pub(super) fn plain() -> Engine {
        Engine { plain: true, ..Engine::new(0) }
    }

    /// Forgets everything learned in earlier searches.
    pub fn clear(&mut self) {
        *self = Engine { plain: self.plain, ..Engine::new(self.table.bytes()) };
    }

    /// Searches a position, which must be the latest of `history`. Calls `report` after each
    /// iteration, and stops if it returns `Break`. Returns the last report, updated with the best
    /// moves found since.
    pub fn think(
        &mut self,
        position: &Position,
        history: &History,
        task: &Task<'_>,
        mut report: impl FnMut(&Report) -> ControlFlow<()>,
    ) -> Report {
        self.deepen(position, history, task, &mut report)
    }

    /// The body of [`Engine::think`], compiled once for all types of `report`.
    fn deepen(
        &mut self,
        position: &Position,
        history: &History,
        task: &Task<'_>,
        report: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Report {
        let legal = position.legal_moves();
        let wanted = |mv: &&Move| task.choices.is_empty() || task.choices.contains(mv);
        let choices: Vec<Move> = legal.iter().filter(wanted).copied().collect();
        let Some(&fallback) = choices.iter().max_by_key(|&&mv| position.exchange(mv)) else {
            return Report::default();
        };
        if self.table.new_search() {
            self.history.decay();
        }
        self.stack.clear();
        let keys = history.keys().to_vec();
        let mut search = Search {
            root: keys.len() - 1,
            keys,
            // At least one position is always searched.
            budget: Budget { nodes: task.budget.nodes.max(1), ..task.budget },
            table: &mut self.table,
            history: &mut self.history,
            stack: &mut self.stack,
            handicap: task.handicap,
            plain: self.plain,
            nodes: 0,
            stopped: false,
            deepest: 0,
            choices: choices.clone(),
            depth: 0,
            frames: vec![Frame::default(); MAX_PLY + 2],
            lines: vec![Vec::new(); MAX_PLY + 2],
        };
        let mut answer = Report {
            lines: vec![Variation { moves: vec![fallback], value: 0 }],
            ..Report::default()
        };
        let count = task.budget.lines.clamp(1, choices.len());
        for depth in 1..=task.depth.min(task.handicap.depth).min(MAX_PLY as u32) {
            search.depth = depth as i32;
            let sure_before = answer.lines[0].value;
            let mut lines: Vec<Variation> = Vec::new();
            for index in 0..count {
                let listed = |mv: &Move| lines.iter().any(|line| line.moves[0] == *mv);
                search.choices = choices.iter().filter(|mv| !listed(mv)).copied().collect();
                let before = answer.lines.get(index).filter(|_| depth > 1).map(|line| line.value);
                let value = cpu::dispatch(Iteration { search: &mut search, position, before });
                let moves = std::mem::take(&mut search.lines[0]);
                if !moves.is_empty() {
                    lines.push(Variation { moves, value });
                }
                if search.stopped {
                    break;
                }
            }
            // If this iteration was interrupted, lines of the previous one fill up the list.
            for line in std::mem::take(&mut answer.lines) {
                if lines.len() < count && !lines.iter().any(|known| known.moves[0] == line.moves[0])
                {
                    lines.push(line);
                }
            }
            lines.sort_by_key(|line| -line.value);
            answer.lines = lines;
            answer.nodes = search.nodes;
            answer.full = search.table.used();
            if search.stopped {
                break;
            }
            (answer.depth, answer.deepest) = (depth, search.deepest as u32);
            if report(&answer).is_break() {
                break;
            }
            // A mate that was known before this iteration began has been compared with every other
            // move.
            let surest = answer.lines[0].value;
            let mate = surest.abs() >= WON && surest == sure_before;
            if count == 1 && mate && MATE - surest.abs() <= depth as i32 {
                break;
            }
        }
        answer
    }
}

/// An iteration of the search, which begins with an aspiration window around the expected score.
struct Iteration<'s, 'a> {
    search: &'s mut Search<'a>,
    position: &'s Position,
    before: Option<i32>,
}

impl Work for Iteration<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Iteration { search, position, before } = self;
        let mut width = 18;
        let expected = before.filter(|score| search.depth >= 4 && score.abs() < WON);
        let (mut low, mut high) = match expected {
            Some(score) => (score - width, score + width),
            None => (-MATE, MATE),
        };
        loop {
            let score = search.search_root(cpu, position, low, high);
            if search.stopped {
                return score;
            }
            width += width / 2;
            if score <= low && low > -MATE {
                high = i32::midpoint(low, high);
                low = if width > 500 { -MATE } else { (score - width).max(-MATE) };
            } else if score >= high && high < MATE {
                high = if width > 500 { MATE } else { (score + width).min(MATE) };
            } else {
                return score;
            }
        }
    }
}
