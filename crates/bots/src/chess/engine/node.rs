//! A node of the search: principal variation search with the usual pruning techniques.

use fourfold_chess::attacks::{bishop_attacks, knight_attacks, pawn_attacks, rook_attacks};
use fourfold_chess::{Bitboard, Exchanges, Position, Role};
use fourfold_common::cpu::{Cpu, Work};

use super::move_ordering::{code, is_quiet, pick, push_legal_moves, step};
use super::quiescence::Quiescence;
use super::reduce::reduction;
use super::search::{BAD, FIRST, GOOD, KILLER, Search};
use super::taper::State;
use super::transposition::Entry;
use super::{LOST, MATE, MAX_PLY, WON};
use crate::bound::Bound;

/// Marks a missing evaluation: the side to move is in check.
const NONE: i32 = -MATE - 1;

/// Converts a score from the table, in which mates count from the stored position, to one that
/// counts from the root.
pub(super) fn from_table(score: i32, ply: usize) -> i32 {
    delay_mate(score, ply as i32)
}

fn to_table(score: i32, ply: usize) -> i32 {
    delay_mate(score, -(ply as i32))
}

/// Returns the score with its mate, if it is one, this many plies later.
fn delay_mate(score: i32, plies: i32) -> i32 {
    match score {
        WON.. => score - plies,
        ..=LOST => score + plies,
        _ => score,
    }
}

/// Returns the squares from which a piece of each role would give check directly.
#[inline(always)]
fn checks<C: Cpu>(cpu: C, position: &Position) -> [Bitboard; 6] {
    let (turn, occupied) = (position.turn(), position.board().occupied());
    let king = position.king(!turn);
    let bishop = bishop_attacks(cpu, king, occupied);
    let rook = rook_attacks(cpu, king, occupied);
    // A pawn gives check from the squares that an enemy pawn in place of the king would attack.
    let pawn = pawn_attacks(!turn, king);
    [pawn, knight_attacks(king), bishop, rook, bishop | rook, Bitboard::EMPTY]
}

/// A position to be searched to some depth, within an alpha-beta window.
pub(super) struct Node<'s, 'a> {
    pub(super) search: &'s mut Search<'a>,
    pub(super) state: State<'s>,
    pub(super) depth: i32,
    /// Alpha and beta.
    pub(super) window: (i32, i32),
    pub(super) ply: usize,
    /// Whether this node is expected to fail high, judging by its siblings.
    pub(super) cut: bool,
}

impl Work for Node<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Node { search, state, mut depth, window: (mut alpha, mut beta), ply, cut } = self;
        let State { position, incremental, check } = state;
        let root = ply == 0;
        if check && ply < 2 * search.depth as usize {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY {
            search.lines[ply].clear();
            let left = search.handicap.captures;
            return cpu.dispatch(Quiescence { search, state, window: (alpha, beta), ply, left });
        }
        search.lines[ply].clear();
        if !search.count_node(ply) {
            return 0;
        }
        let wide = beta - alpha > 1;
        let key = search.keys[search.keys.len() - 1];
        if !root {
            if position.halfmoves() >= 100 {
                let mated = check && !position.has_legal_move();
                return if mated { ply as i32 - MATE } else { 0 };
            }
            if search.is_repeated(position) || position.is_insufficient_material() {
                return 0;
            }
            alpha = alpha.max(ply as i32 - MATE);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // If the window only asks for mates, nothing may be pruned: a mate is found by trying
        // everything.
        let mates = alpha >= WON || beta <= LOST;
        let plain = search.plain;
        let excluded = search.frames[ply].excluded;
        let known = match excluded {
            0 if !plain => search.table.get(key),
            _ => None,
        };
        let first = known.map_or(0, |entry| entry.code);
        if let Some(entry) = known.filter(|entry| !wide && entry.depth >= depth) {
            let score = from_table(entry.score, ply);
            let settles = entry.bound.settles(score, alpha, beta) && position.halfmoves() < 90;
            if settles && (!mates || score.abs() >= WON) {
                return score;
            }
        }

        let eval = match known {
            _ if check => NONE,
            Some(entry) if entry.eval != NONE => entry.eval,
            _ => search.static_eval(cpu, state, key),
        };
        search.frames[ply].eval = eval;
        search.frames[ply + 1].killers = [0; 2];
        let before = ply.checked_sub(2).map_or(NONE, |ply| search.frames[ply].eval);
        let improving = !check && eval > before;
        // The table may know more than the static evaluation.
        let guess = match known {
            Some(entry) if !check => {
                let score = from_table(entry.score, ply);
                match entry.bound {
                    Bound::Exact => score,
                    Bound::Lower => score.max(eval),
                    Bound::Upper => score.min(eval),
                }
            }
            _ => eval,
        };

        if !plain && !wide && !check && excluded == 0 && beta.abs() < WON {
            // Reverse futility pruning: so far ahead that the opponent would avoid this position.
            if depth <= 8 && guess - 75 * (depth - i32::from(improving)) >= beta && guess < WON {
                return guess;
            }
            if depth <= 3 && guess + 250 * depth < alpha {
                let left = search.handicap.captures;
                let window = (alpha, beta);
                let score =
                    cpu.dispatch(Quiescence { search: &mut *search, state, window, ply, left });
                if score <= alpha || search.stopped {
                    return score;
                }
            }
            // Null move pruning: if even passing is good enough, some move is.
            let passed_before = ply > 0 && search.frames[ply - 1].step.is_none();
            let own = position.board().color(position.turn());
            let board = position.board();
            let few = own - board.role(Role::Pawn) - board.role(Role::King);
            if depth >= 3
                && guess >= beta
                && eval >= beta - 20 * depth + 120
                && !passed_before
                && few.any()
                && let Some(passed) = position.after_null_move()
            {
                let less = 3 + depth / 3 + ((guess - beta) / 200).min(3);
                search.frames[ply].step = None;
                search.frames[ply].target = None;
                search.keys.push(passed.key());
                let score = -cpu.dispatch(Node {
                    search: &mut *search,
                    state: State { position: &passed, incremental, check: false },
                    depth: depth - less,
                    window: (-beta, 1 - beta),
                    ply: ply + 1,
                    cut: !cut,
                });
                search.keys.pop();
                if search.stopped {
                    return 0;
                }
                if score >= beta {
                    return if score >= WON { beta } else { score };
                }
            }
        }
        // Internal iterative reduction: without a move from the table, a shallower search finds
        // one.
        if !plain && depth >= 5 && first == 0 && excluded == 0 && (wide || cut) && !mates {
            depth -= 1;
        }

        let turn = position.turn();
        let steps =
            [1, 2].map(|back| ply.checked_sub(back).and_then(|ply| search.frames[ply].step));
        let last = search.last_target(ply);
        let start = search.stack.len();
        if root {
            let choices = search.choices.iter().map(|&mv| (0, mv));
            search.stack.extend(choices);
        } else {
            push_legal_moves(cpu, position, search.stack);
        }
        let end = search.stack.len();
        if start == end {
            return if check { ply as i32 - MATE } else { 0 };
        }
        search.rank(position, start..end, first, ply, steps);

        let exchanges = Exchanges::new(cpu, position);
        let checks = checks(cpu, position);
        let (mut best, mut best_move) = (-MATE, None);
        let low = alpha;
        let (mut tried, mut quiets) = (0, 0);
        let mut at = start;
        let mut skip_quiets = false;
        while at < end {
            let (mut order, mv) = pick(&mut search.stack[at..end]);
            if (GOOD..FIRST).contains(&order) && exchanges.value(mv) < 0 {
                // Losing captures come last.
                order += BAD - GOOD - (1 << 22);
                search.stack[at].0 = order;
                if at + 1 < end {
                    continue;
                }
            }
            at += 1;
            let this = code(mv);
            if this == excluded {
                continue;
            }
            let quiet = is_quiet(position, mv);
            if !search.handicap.sees_all_moves()
                && !check
                && search.handicap.misses(position, mv, ply, last)
            {
                continue;
            }
            let merit = if quiet { order.clamp(-48_000, 48_000) } else { 0 };
            let reduction = if plain { 0 } else { reduction(depth, tried) };
            if !plain && !root && best > LOST && alpha < WON {
                let hopeless = if quiet {
                    let shallow = (depth - reduction).max(1);
                    skip_quiets |= quiets >= (3 + depth * depth) / (2 - i32::from(improving));
                    skip_quiets |=
                        !check && shallow <= 7 && eval + 90 + 90 * shallow + merit / 256 <= alpha;
                    let loses = || depth <= 7 && 100 * exchanges.value(mv) < -40 * depth;
                    // Checks are not skipped: they may be better than they look.
                    let checks = || checks[mv.role() as usize].intersects(Bitboard::of(mv.to()));
                    order < KILLER && (skip_quiets && !checks() || loses())
                } else {
                    depth <= 7 && order < GOOD && 100 * exchanges.value(mv) < -90 * depth
                };
                if hopeless {
                    continue;
                }
            }

            // Singular extension: a move that is much better than all others is searched deeper.
            let mut longer = 0;
            if !plain
                && !root
                && depth >= 7
                && this == first
                && excluded == 0
                && !mates
                && ply < 2 * search.depth as usize
                && let Some(entry) = known
                && entry.bound != Bound::Upper
                && entry.depth >= depth - 3
                && entry.score.abs() < WON
            {
                let bar = entry.score - 2 * depth;
                search.frames[ply].excluded = this;
                let line = std::mem::take(&mut search.lines[ply]);
                let (depth, window) = ((depth - 1) / 2, (bar - 1, bar));
                let score =
                    cpu.dispatch(Node { search: &mut *search, state, depth, window, ply, cut });
                search.lines[ply] = line;
                search.frames[ply].excluded = 0;
                search.frames[ply].eval = eval;
                if search.stopped {
                    search.stack.truncate(start);
                    return 0;
                }
                if score < bar {
                    longer = 1;
                } else if bar >= beta {
                    search.stack.truncate(start);
                    return bar;
                } else if entry.score >= beta {
                    longer = -1;
                }
            }

            let after = position.after(mv);
            let checks = after.is_check();
            let incremental = incremental.after(position, mv);
            let state = State { position: &after, incremental, check: checks };
            search.frames[ply].step = Some(step(turn, mv));
            search.set_target(ply, mv);
            search.keys.push(after.key());
            let child = |search: &mut Search<'_>, depth: i32, alpha: i32, beta: i32, cut: bool| {
                let (window, ply) = ((alpha, beta), ply + 1);
                -cpu.dispatch(Node { search, state, depth, window, ply, cut })
            };
            tried += 1;
            quiets += i32::from(quiet);
            let full = depth - 1 + longer;
            let mut score;
            if tried == 1 {
                score = child(search, full, -beta, -alpha, !wide && !cut);
            } else if plain {
                score = child(search, full, -alpha - 1, -alpha, true);
                if score > alpha && score < beta {
                    score = child(search, full, -beta, -alpha, false);
                }
            } else {
                let mut less = 0;
                if depth >= 3
                    && alpha < WON
                    && tried > 1 + i32::from(wide) + i32::from(root)
                    && (quiet || order < 0)
                {
                    less = reduction + i32::from(!improving) + i32::from(cut)
                        - i32::from(wide)
                        - i32::from(checks || check)
                        - i32::from(order >= KILLER)
                        - merit / 10_000;
                    less = less.clamp(0, full - 1);
                }
                score = child(search, full - less, -alpha - 1, -alpha, true);
                if score > alpha && less > 0 {
                    score = child(search, full, -alpha - 1, -alpha, !cut);
                }
                if score > alpha && score < beta && wide {
                    score = child(search, full, -beta, -alpha, false);
                }
            }
            search.keys.pop();
            if search.stopped {
                search.stack.truncate(start);
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    if wide {
                        search.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        if tried == 0 {
            search.stack.truncate(start);
            // All moves were overlooked or left out.
            return if excluded != 0 { alpha } else { search.static_eval(cpu, state, key) };
        }
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            search.reward(position, ply, mv, depth, steps, start..at);
        }
        search.stack.truncate(start);
        if mates && best.abs() < WON {
            // No mate was found, so only the bound of the window is known.
            best = if beta <= LOST { beta } else { low };
        }
        if !plain && excluded == 0 && !(root && search.choices.len() < position.count_legal()) {
            let bound = Bound::of(best, low, beta);
            let code = best_move.map_or(0, code);
            let entry = Entry { code, score: to_table(best, ply), eval, depth, bound };
            search.table.put(key, entry);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_scores_round_trip_through_the_table() {
        for score in [MATE - 5, 5 - MATE, 0, 340, -340] {
            assert_eq!(from_table(to_table(score, 4), 4), score);
        }
        assert_eq!(to_table(MATE - 9, 4), MATE - 5);
    }
}
