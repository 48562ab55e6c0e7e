//! The state of a search, and what it learns along the way.

use std::ops::Range;

use fourfold_chess::{Move, MoveKind, Position, Role};
use fourfold_common::cpu::Cpu;

use super::eval::evaluate;
use super::handicap::Handicap;
use super::move_ordering::{MoveHistory, code, is_quiet};
use super::node::Node;
use super::taper::{Incremental, State};
use super::transposition::TranspositionTable;
use super::{LOST, WON};
use crate::Budget;

/// The state of a search.
pub(super) struct Search<'a> {
    pub(super) table: &'a mut TranspositionTable,
    pub(super) history: &'a mut MoveHistory,
    /// Moves with their ordering scores, for all plies in one buffer.
    pub(super) stack: &'a mut Vec<(i32, Move)>,
    pub(super) budget: Budget<'a>,
    pub(super) handicap: Handicap,
    /// Disables everything that may overlook something (null moves, reductions, pruning by the
    /// static evaluation) and the transposition table: for shallow searches, and to compare with an
    /// exhaustive one.
    pub(super) plain: bool,
    /// The Zobrist keys of the game's positions and of the line to the current node.
    pub(super) keys: Vec<u64>,
    /// The index of the root in `keys`.
    pub(super) root: usize,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// The depth of the deepest position that was searched, in plies.
    pub(super) deepest: usize,
    /// The root moves to search.
    pub(super) choices: Vec<Move>,
    /// The depth of this iteration.
    pub(super) depth: i32,
    pub(super) frames: Vec<Frame>,
    /// The best line found from each ply on.
    pub(super) lines: Vec<Vec<Move>>,
}

/// Per-ply state.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Frame {
    pub(super) eval: i32,
    /// The codes of quiet moves that caused a cutoff in a sibling node.
    pub(super) killers: [u16; 2],
    /// The step of the current move; `None` for a null move.
    pub(super) step: Option<usize>,
    /// The target square of the current move.
    pub(super) target: Option<usize>,
    /// The code of the move that a search for a singular move leaves out; 0 if there is none.
    pub(super) excluded: u16,
}

// Ordering scores of moves.
pub(super) const FIRST: i32 = 1 << 30;
pub(super) const GOOD: i32 = 1 << 24;
pub(super) const KILLER: i32 = 1 << 22;
pub(super) const BAD: i32 = -(1 << 24);

impl Search<'_> {
    /// Counts a position. Returns false if the search must end.
    #[inline(always)]
    pub(super) fn count_node(&mut self, ply: usize) -> bool {
        if self.stopped || self.budget.is_spent(self.nodes) {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        true
    }

    /// Returns whether the current position is a repetition: of one since the root, or of two
    /// earlier in the game.
    #[inline(always)]
    pub(super) fn is_repeated(&self, position: &Position) -> bool {
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let reversible = usize::from(position.halfmoves()).min(last);
        let mut before = false;
        let mut back = 4;
        while back <= reversible {
            if self.keys[last - back] == key {
                if before || last - back >= self.root {
                    return true;
                }
                before = true;
            }
            back += 2;
        }
        false
    }

    /// Returns the static evaluation, including the error of the handicap.
    #[inline(always)]
    pub(super) fn static_eval<C: Cpu>(&self, cpu: C, state: State<'_>, key: u64) -> i32 {
        let score = evaluate(cpu, state.position, state.incremental);
        (score + self.handicap.error(key)).clamp(LOST + 1, WON - 1)
    }

    /// Returns the square that the opponent's last move went to.
    #[inline(always)]
    pub(super) fn last_target(&self, ply: usize) -> Option<usize> {
        ply.checked_sub(1).and_then(|ply| self.frames[ply].target)
    }

    /// Records the square that a move goes to.
    #[inline(always)]
    pub(super) fn set_target(&mut self, ply: usize, mv: Move) {
        self.frames[ply].target = Some(mv.to().index());
    }

    /// Sets the best line of `ply` to a move followed by the best line of the next ply.
    #[inline(always)]
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (lines, rest) = self.lines.split_at_mut(ply + 1);
        let line = &mut lines[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&rest[0]);
    }

    /// Searches the root to the depth of this iteration.
    pub(super) fn search_root<C: Cpu>(
        &mut self,
        cpu: C,
        position: &Position,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let (incremental, check) = (Incremental::of(position), position.is_check());
        let state = State { position, incremental, check };
        let (depth, window) = (self.depth, (alpha, beta));
        cpu.dispatch(Node { search: self, state, depth, window, ply: 0, cut: false })
    }

    /// Assigns an ordering score to each move.
    #[inline(always)]
    pub(super) fn rank(
        &mut self,
        position: &Position,
        places: Range<usize>,
        first: u16,
        ply: usize,
        steps: [Option<usize>; 2],
    ) {
        let turn = position.turn();
        let killers = self.frames[ply].killers;
        let reply = self.history.reply(steps[0]);
        for index in places {
            let mv = self.stack[index].1;
            let this = code(mv);
            let prize = position.captured(mv);
            self.stack[index].0 = if this == first {
                FIRST
            } else if prize.is_some() || mv.kind() == MoveKind::Promotion(Role::Queen) {
                let worth = prize.map_or(0, Role::value) + mv.promotion().map_or(0, Role::value);
                GOOD + 16_000 * worth + self.history.capture(turn, mv, prize)
            } else if mv.promotion().is_some() {
                BAD
            } else if this == killers[0] {
                KILLER + 2
            } else if this == killers[1] {
                KILLER + 1
            } else if this == reply {
                KILLER
            } else {
                self.history.quiet(turn, mv, steps)
            };
        }
    }

    /// Learns from a move that caused a cutoff; the other moves in `places` were tried in vain.
    #[inline(always)]
    pub(super) fn reward(
        &mut self,
        position: &Position,
        ply: usize,
        mv: Move,
        depth: i32,
        steps: [Option<usize>; 2],
        places: Range<usize>,
    ) {
        let turn = position.turn();
        let by = (16 * depth * depth + 32 * depth).min(1600);
        let best_is_quiet = is_quiet(position, mv);
        if best_is_quiet {
            let killers = &mut self.frames[ply].killers;
            if killers[0] != code(mv) {
                *killers = [code(mv), killers[0]];
            }
            self.history.reward_reply(steps[0], mv);
        }
        for place in places {
            let tried = self.stack[place].1;
            let by = if tried == mv { by } else { -by };
            if !is_quiet(position, tried) {
                self.history.update_capture(turn, tried, position.captured(tried), by);
            } else if best_is_quiet {
                self.history.update_quiet(turn, tried, steps, by);
            }
        }
    }
}
