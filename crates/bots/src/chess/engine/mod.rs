//! A chess engine: it looks ahead, deeper and deeper, until its budget is spent or somebody stops it.
//!
//! It reads no clock and starts no thread. The same task gives the same answer after the same number of
//! positions, on every machine.
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
mod node;
mod order;
mod quiet;
mod reduce;
mod search;
mod sight;
mod table;
mod tables;
mod taper;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use fourfold_board::cpu::{self, Cpu, Work};
use fourfold_chess::{History, Move, Position};

pub use sight::Sight;

use crate::{Budget, Score};
use order::{Merits, Stack};
use search::{Frame, Search};
use table::Table;

/// The score of a mate on the board; one that is `n` plies away is worth `n` less.
const MATE: i32 = 32_000;
/// From here on a score is a mate.
const WON: i32 = MATE - 1000;
const LOST: i32 = -WON;
/// No line is longer.
const MAX_PLY: usize = 120;

/// What is asked of an [`Engine`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Task<'a> {
    /// How many positions it may look at, who can stop it, and of how many lines it tells.
    pub budget: Budget<'a>,
    /// How many plies it looks ahead at most.
    pub depth: u32,
    /// The moves to choose from; all legal ones if there are none here.
    pub choices: &'a [Move],
    /// How well it sees.
    pub sight: Sight,
}

impl<'a> Task<'a> {
    /// The best move that a budget allows to find.
    pub const fn new(budget: Budget<'a>) -> Task<'a> {
        Task { budget, depth: MAX_PLY as u32, choices: &[], sight: Sight::CLEAR }
    }
}

/// What an engine knows after a round of its search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// How many plies it has looked ahead in full.
    pub depth: u32,
    /// How many plies ahead the furthest position was.
    pub deepest: u32,
    /// How many positions it has looked at.
    pub nodes: u64,
    /// How many thousandths of its table are in use.
    pub full: usize,
    /// The best moves with what follows, the best first. In an answer there is at least one unless no move
    /// is legal.
    pub lines: Vec<Variation>,
}

/// A move with what the engine expects to follow.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Variation {
    /// The moves, at least one.
    pub moves: Vec<Move>,
    value: i32,
}

impl Variation {
    /// How good it is for the side to move.
    pub const fn score(&self) -> Score {
        match self.value {
            WON.. => Score::Mate((MATE - self.value + 1) / 2),
            ..=LOST => Score::Mate(-(MATE + self.value) / 2),
            _ => Score::Points(self.value),
        }
    }
}

/// Parts of the search that can be switched off to compare it with one that has none of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Parts {
    /// What may overlook something: passing, reductions, bounds from a first look.
    pruning: bool,
    /// The memory of positions.
    table: bool,
}

/// A chess engine with its memory, which serves from one move to the next.
#[derive(Debug)]
pub struct Engine {
    table: Table,
    merits: Merits,
    stack: Stack,
    parts: Parts,
}

impl Engine {
    /// An engine whose memory of positions takes about so many bytes.
    pub fn new(bytes: usize) -> Engine {
        let parts = Parts { pruning: true, table: true };
        Engine { table: Table::new(bytes), merits: Merits::new(), stack: Stack::default(), parts }
    }

    /// An engine that leaves out nothing and remembers nothing: for short sight.
    pub(super) fn plain() -> Engine {
        let parts = Parts { pruning: false, table: false };
        Engine { parts, ..Engine::new(0) }
    }

    /// Forgets all that it has found out.
    pub fn forget(&mut self) {
        *self = Engine { parts: self.parts, ..Engine::new(self.table.bytes()) };
    }

    /// Thinks about a position, the latest of a history. After each round it reports, and ends if it is told
    /// to. The answer is its last report, with the best that it has found since.
    pub fn think(
        &mut self,
        position: &Position,
        history: &History,
        task: &Task<'_>,
        mut report: impl FnMut(&Report) -> ControlFlow<()>,
    ) -> Report {
        self.deepen(position, history, task, &mut report)
    }

    /// Thinks, compiled once for every way to report.
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
        if self.table.grow_older() {
            self.merits.fade();
        }
        self.stack.moves.clear();
        let keys = history.keys().to_vec();
        let mut search = Search {
            root: keys.len() - 1,
            keys,
            // It looks at one position at least.
            budget: Budget { nodes: task.budget.nodes.max(1), ..task.budget },
            table: &mut self.table,
            merits: &mut self.merits,
            stack: &mut self.stack,
            sight: task.sight,
            parts: self.parts,
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
        for depth in 1..=task.depth.min(task.sight.depth).min(MAX_PLY as u32) {
            search.depth = depth as i32;
            let sure_before = answer.lines[0].value;
            let mut lines: Vec<Variation> = Vec::new();
            for index in 0..count {
                let told = |mv: &Move| lines.iter().any(|line| line.moves[0] == *mv);
                search.choices = choices.iter().filter(|mv| !told(mv)).copied().collect();
                let before = answer.lines.get(index).filter(|_| depth > 1).map(|line| line.value);
                let value = cpu::enter(Round { search: &mut search, position, before });
                let moves = std::mem::take(&mut search.lines[0]);
                if !moves.is_empty() {
                    lines.push(Variation { moves, value });
                }
                if search.stopped {
                    break;
                }
            }
            // Of a round that was cut short, what was found before counts as well.
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
            // A mate that was known before this round began has had every other move beside it.
            let surest = answer.lines[0].value;
            let mate = surest.abs() >= WON && surest == sure_before;
            if count == 1 && mate && MATE - surest.abs() <= depth as i32 {
                break;
            }
        }
        answer
    }
}

/// A round of the search, first in a narrow window around what is expected.
struct Round<'s, 'a> {
    search: &'s mut Search<'a>,
    position: &'s Position,
    before: Option<i32>,
}

impl Work for Round<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Round { search, position, before } = self;
        let mut width = 18;
        let expected = before.filter(|score| search.depth >= 4 && score.abs() < WON);
        let (mut low, mut high) = match expected {
            Some(score) => (score - width, score + width),
            None => (-MATE, MATE),
        };
        loop {
            let score = search.look(cpu, position, low, high);
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
