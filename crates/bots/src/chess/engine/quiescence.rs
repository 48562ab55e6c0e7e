//! Quiescence search: captures and promotions until nothing more can be won at once.

use std::ops::ControlFlow;

use fourfold_board::Square;
use fourfold_chess::{Bitboard, Exchanges, Move, MoveKind, MoveSink, Role};
use fourfold_common::cpu::{Cpu, Work};

use super::move_ordering::{pick, push_legal_moves};
use super::node::from_table;
use super::piece_square::material;
use super::search::Search;
use super::taper::State;
use super::{MATE, MAX_PLY};

/// A position to be searched until it is quiet.
pub(super) struct Quiescence<'s, 'a> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) state: State<'s>,
    /// Alpha and beta.
    pub(super) window: (i32, i32),
    pub(super) ply: usize,
    /// How many more plies of captures are searched.
    pub(super) left: u32,
}

/// By how much more than the captured material a capture can improve the evaluation.
const MARGIN: i32 = 180;

impl Work for Quiescence<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Quiescence { search, state, window: (mut alpha, beta), ply, left } = self;
        let State { position, incremental, check } = state;
        if !search.count_node(ply) {
            return 0;
        }
        if position.is_insufficient_material() {
            return 0;
        }
        let key = search.keys[search.keys.len() - 1];
        let known = if search.plain { None } else { search.table.get(key) };
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
                _ => search.static_eval(cpu, state, key),
            };
            best = eval;
            if best >= beta || ply >= MAX_PLY || left == 0 {
                return best;
            }
            alpha = alpha.max(best);
        }

        let start = search.stack.len();
        if check {
            push_legal_moves(cpu, position, search.stack);
        } else {
            let them = position.board().color(!position.turn());
            position.generate_inline(cpu, &mut Noisy { moves: &mut *search.stack, them });
        }
        let end = search.stack.len();
        if check && start == end {
            return ply as i32 - MATE;
        }
        let turn = position.turn();
        for index in start..end {
            let mv = search.stack[index].1;
            let prize = position.captured(mv);
            let worth = prize.map_or(0, Role::value) + mv.promotion().map_or(0, Role::value);
            search.stack[index].0 = if worth > 0 {
                16_000 * worth + search.history.capture(turn, mv, prize)
            } else {
                search.history.quiet(turn, mv, [None, None]) - 100_000
            };
        }
        let exchanges = Exchanges::new(cpu, position);
        for at in start..end {
            let (_, mv) = pick(&mut search.stack[at..end]);
            if !search.handicap.sees_all_moves() && !check {
                let last = search.last_target(ply);
                if search.handicap.misses(position, mv, ply, last) {
                    continue;
                }
            }
            if !check {
                let prize = position.captured(mv).map_or(0, material)
                    + mv.promotion().map_or(0, |role| material(role) - material(Role::Pawn));
                let hopeless = !search.plain && eval + prize + MARGIN <= alpha;
                if hopeless {
                    best = best.max(eval + prize + MARGIN);
                    continue;
                }
                if exchanges.value(mv) < 0 {
                    continue;
                }
            } else if !search.plain && best > super::LOST && exchanges.value(mv) < 0 {
                continue;
            }
            let after = position.after(mv);
            let incremental = incremental.after(position, mv);
            let state = State { position: &after, incremental, check: after.is_check() };
            search.keys.push(after.key());
            search.set_target(ply, mv);
            let (window, ply, left) = ((-beta, -alpha), ply + 1, left.saturating_sub(1));
            let score =
                -cpu.dispatch(Quiescence { search: &mut *search, state, window, ply, left });
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
        search.stack.truncate(start);
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
