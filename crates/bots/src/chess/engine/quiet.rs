//! Quiescence search: captures and promotions until nothing more can be won at once.

use std::ops::ControlFlow;

use fourfold_board::Square;
use fourfold_chess::{Bitboard, Each, Exchanges, Move, MoveKind, MoveSink, Position, Role};
use fourfold_common::cpu::{Cpu, Work};

use super::node::from_table;
use super::search::Search;
use super::tables::material;
use super::taper::Kept;
use super::{MATE, MAX_PLY};

/// A position to be searched until it is quiet.
pub(super) struct Quiet<'s, 'a> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) position: &'s Position,
    pub(super) kept: Kept,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) ply: usize,
    pub(super) check: bool,
    /// How many more plies of captures are searched.
    pub(super) left: u32,
}

/// By how much more than the captured material a capture can improve the evaluation.
const MARGIN: i32 = 180;

impl Work for Quiet<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Quiet { search, position, kept, mut alpha, beta, ply, check, left } = self;
        if !search.may_look(ply) {
            return 0;
        }
        if position.is_insufficient_material() {
            return 0;
        }
        let key = search.keys[search.keys.len() - 1];
        let known = if search.parts.table { search.table.get(key) } else { None };
        if let Some(entry) = known.filter(|_| beta - alpha == 1 && position.halfmoves() < 90) {
            let score = from_table(entry.score, ply);
            if entry.bound.settles(score, alpha, beta) {
                return score;
            }
        }
        let mut best = -MATE;
        let mut eval = 0;
        if !check || ply >= MAX_PLY || left == 0 {
            eval = match known {
                Some(entry) if !check => entry.eval,
                _ => search.judge(cpu, position, kept, key),
            };
            best = eval;
            if best >= beta || ply >= MAX_PLY || left == 0 {
                return best;
            }
            alpha = alpha.max(best);
        }

        let start = search.stack.moves.len();
        let moves = &mut search.stack.moves;
        if check {
            position.generate_on(
                cpu,
                &mut Each(|mv| {
                    moves.push((0, mv));
                    ControlFlow::Continue(())
                }),
            );
        } else {
            let them = position.board().color(!position.turn());
            position.generate_on(cpu, &mut Noisy { moves, them });
        }
        let end = search.stack.moves.len();
        if check && start == end {
            return ply as i32 - MATE;
        }
        let turn = position.turn();
        for index in start..end {
            let mv = search.stack.moves[index].1;
            let prize = position.captured(mv);
            let worth = prize.map_or(0, Role::value) + mv.promotion().map_or(0, Role::value);
            search.stack.moves[index].0 = if worth > 0 {
                16_000 * worth + search.merits.taking(turn, mv, prize)
            } else {
                search.merits.quiet(turn, mv, [None, None]) - 100_000
            };
        }
        let exchanges = Exchanges::new(cpu, position);
        for at in start..end {
            let (_, mv) = search.stack.pick(at, end);
            if !search.sight.is_clear() && !check {
                let last = search.came_from(ply);
                if search.sight.misses(position, mv, ply, last) {
                    continue;
                }
            }
            if !check {
                let prize = position.captured(mv).map_or(0, material)
                    + mv.promotion().map_or(0, |role| material(role) - material(Role::Pawn));
                let hopeless = search.parts.pruning && eval + prize + MARGIN <= alpha;
                if hopeless {
                    best = best.max(eval + prize + MARGIN);
                    continue;
                }
                if exchanges.value(mv) < 0 {
                    continue;
                }
            } else if search.parts.pruning && best > super::LOST && exchanges.value(mv) < 0 {
                continue;
            }
            let after = position.after(mv);
            let kept = kept.after(position, mv);
            let check = after.is_check();
            search.keys.push(after.key());
            search.went_to(ply, mv);
            let left = left.saturating_sub(1);
            let (low, high) = (-beta, -alpha);
            let next = Quiet {
                search: &mut *search,
                position: &after,
                kept,
                alpha: low,
                beta: high,
                ply: ply + 1,
                check,
                left,
            };
            let score = -cpu.dispatch(next);
            search.keys.pop();
            if search.stopped {
                break;
            }
            best = best.max(score);
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        search.stack.moves.truncate(start);
        best
    }
}

/// Collects captures and promotions to a queen.
struct Noisy<'a> {
    moves: &'a mut Vec<(i32, Move)>,
    them: Bitboard,
}

impl MoveSink for Noisy<'_> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, to: Bitboard) -> ControlFlow<()> {
        for to in to & self.them {
            self.moves.push((0, Move::new(role, from, to, MoveKind::Normal)));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn pawns(&mut self, step: i32, to: Bitboard, kind: MoveKind) -> ControlFlow<()> {
        let to = match kind {
            MoveKind::Promotion(Role::Queen) => to,
            MoveKind::Promotion(_) => Bitboard::EMPTY,
            _ => to & self.them,
        };
        for to in to {
            let from = Square::new((to.index() as i32 - step) as usize & 63);
            self.moves.push((0, Move::new(Role::Pawn, from, to, kind)));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) -> ControlFlow<()> {
        if mv.kind() == MoveKind::EnPassant {
            self.moves.push((0, mv));
        }
        ControlFlow::Continue(())
    }
}
