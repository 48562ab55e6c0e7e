//! Iterative deepening search. In a free-for-all with more than two players left, it treats the
//! others as allied against us, with one reply between two of our moves: the most harmful of all,
//! or none (best-reply search; the paranoid search, in which all three harm us in turn, is too
//! cautious to play well). With two players left, and in teams, everybody moves in turn: that is
//! the paranoid search, and it is exact. At the end of a line, exchanges are estimated square by
//! square.

use std::cmp::Reverse;

use fourfold_common::SplitMix64;
use fourfold_four_player::{Mode, Move, Player, Players, Position, Role};

use super::Game;
use super::exchange;
use super::greedy::{self, MATING, STALEMATING};
use super::handicap::Handicap;
use super::table::{Bound, Entry, Table};
use super::value::{self, Armies, WON};
use crate::Budget;

/// The maximum depth, in plies.
const DEEPEST: u32 = 24;
/// Larger than any value.
const INFINITE: i32 = i32::MAX / 2;
/// Quiet moves after this many others are searched at a reduced depth first.
const EARLY: usize = 4;

/// How many of our own moves the best-reply search looks ahead. Further ahead, the line is too far
/// from what the others will really do: looking three moves ahead plays worse than two.
const OWN_MOVES: u32 = 2;

/// The cost of being mated, in addition to the value of the position.
pub(super) const OUT_OF_MOVES: i32 = 60 * value::POINT;

/// A root move with its value.
pub(super) type Rated = (i32, Move);

/// The result of a search.
pub(super) struct Found {
    /// The moves, best first; at least one. The values of the first `Budget::lines` of them are
    /// exact.
    pub(super) moves: Vec<Rated>,
    /// The last completed depth, in plies.
    pub(super) depth: u32,
    pub(super) nodes: u64,
}

/// A move that a player could make.
#[derive(Clone, Copy)]
struct Choice {
    rank: i32,
    player: Player,
    mv: Move,
    quiet: bool,
}

/// The state of a search.
pub(super) struct Search<'a> {
    pub(super) us: Player,
    /// The players on our side.
    friends: Players,
    sight: Handicap,
    budget: Budget<'a>,
    nodes: u64,
    stopped: bool,
    /// Disables shortcuts that may change the result.
    plain: bool,
    table: Table,
    /// Quiet moves that caused a cutoff, by ply.
    killers: Vec<[Option<Move>; 2]>,
    /// How well quiet moves to a square have done, by player.
    merits: Box<[[i32; 256]; 4]>,
    /// Move lists that are not in use, kept to be reused.
    lists: Vec<Vec<Choice>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(position: &Position, sight: Handicap, budget: Budget<'a>) -> Search<'a> {
        let us = position.turn();
        Search {
            us,
            friends: value::friends(position, us),
            sight,
            budget,
            nodes: 0,
            stopped: false,
            plain: false,
            table: Table::new(budget.nodes),
            killers: vec![[None; 2]; DEEPEST as usize + 2],
            merits: Box::new([[0; 256]; 4]),
            lists: Vec::new(),
        }
    }

    /// Creates a search without shortcuts that may change the result.
    #[cfg(test)]
    pub(super) fn plain(position: &Position, sight: Handicap, budget: Budget<'a>) -> Search<'a> {
        Search { plain: true, ..Search::new(position, sight, budget) }
    }

    /// Returns the best moves found within the budget. The game must have a legal move.
    pub(super) fn run(&mut self, game: &mut Game, keys: &mut SplitMix64) -> Found {
        let position = game.position;
        let armies = Armies::of(&position);
        let mut found = self.first_sight(game, keys);
        let mut depth = 0;
        // An eliminated player with a walking king has nothing to look ahead to.
        let (step, round, moves) = match self.in_turn(&position) {
            true => (1, 4, self.sight.moves),
            false => (2, 2, self.sight.moves.min(OWN_MOVES)),
        };
        let most = match position.alive().contains(self.us) {
            true => (moves - 1).saturating_mul(round).saturating_add(1).min(DEEPEST),
            false => 0,
        };
        for left in (1..=most).step_by(step) {
            let Some(seen) = self.deepen(game, &armies, &found, left) else { break };
            let done = seen.len() == found.len() && !self.stopped;
            if done {
                depth = left;
                found = seen;
            } else {
                // Moves that were searched at this depth come first; the previous best is among
                // them.
                found.retain(|(_, mv)| seen.iter().all(|(_, other)| other != mv));
                found.splice(0..0, seen);
                break;
            }
            if found.len() < 2 || found[0].0.abs() >= WON / 2 {
                break;
            }
        }
        Found { moves: found, depth, nodes: self.nodes }
    }

    /// Rates the moves without a search; equally good ones are in random order.
    fn first_sight(&mut self, game: &mut Game, keys: &mut SplitMix64) -> Vec<Rated> {
        let position = game.position;
        let legal = position.legal_moves();
        let mut moves: Vec<(i32, u64, Move)> = Vec::new();
        let seen = |mv: &&Move| !self.sight.misses_move(&position, **mv);
        let any = legal.iter().any(|mv| seen(&mv));
        // If everything is overlooked, consider all moves.
        for &mv in legal.iter().filter(|mv| !any || seen(mv)) {
            if !moves.is_empty() && self.budget.is_spent(self.nodes) {
                self.stopped = true;
                break;
            }
            self.nodes += 1;
            moves.push((greedy::weigh(game, mv), keys.next(), mv));
        }
        moves.sort_by_key(|&(score, luck, _)| (Reverse(score), luck));
        moves.into_iter().map(|(score, _, mv)| (score, mv)).collect()
    }

    /// Searches moves to a depth of `left` plies. Returns `None` if not even the first one was
    /// completed.
    fn deepen(
        &mut self,
        game: &mut Game,
        armies: &Armies,
        moves: &[Rated],
        left: u32,
    ) -> Option<Vec<Rated>> {
        let position = game.position;
        let exact = self.budget.lines.max(1);
        let mut seen: Vec<Rated> = Vec::with_capacity(moves.len());
        for &(_, mv) in moves {
            let mut after = position;
            // The history is needed to detect repetitions.
            if game.history.play(&mut after, mv).is_err() {
                continue;
            }
            game.history.pop();
            let armies = armies.after(&position, mv, &after);
            let sure = in_hand(&position, &after) + self.sight.error(after.key());
            let alpha = seen.get(exact - 1).map_or(-INFINITE, |&(score, _)| score - sure);
            let mut score = alpha;
            if alpha > -INFINITE {
                score = self.next(&after, &armies, left - 1, 1, alpha, alpha + 1);
            }
            if alpha == -INFINITE || score > alpha && !self.stopped {
                score = self.next(&after, &armies, left - 1, 1, alpha, INFINITE);
            }
            if self.stopped {
                break;
            }
            score += sure;
            let place = seen.partition_point(|&(other, _)| other >= score);
            seen.insert(place, (score, mv));
        }
        (!seen.is_empty()).then_some(seen)
    }

    /// Returns whether everybody moves in turn.
    fn in_turn(&self, position: &Position) -> bool {
        position.rules().mode == Mode::Teams || position.alive().len() < 3
    }

    /// Counts a position. Returns true if the search must end.
    fn spend(&mut self) -> bool {
        self.stopped |= self.budget.is_spent(self.nodes);
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// Evaluates a position after a move, whoever is to move.
    fn next(
        &mut self,
        position: &Position,
        armies: &Armies,
        left: u32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if self.spend() {
            return 0;
        }
        if let Some(value) = value::ended(position, self.us) {
            // A quicker win is better.
            return if value == WON { value - ply as i32 } else { value };
        }
        if self.friends.contains(position.turn()) {
            return self.ours(position, armies, left, ply, alpha, beta);
        }
        if !position.alive().contains(self.us) {
            return armies.value(position, self.us) + ply as i32;
        }
        self.theirs(position, armies, left, ply, alpha, beta)
    }

    /// Evaluates a position in which our side is to move.
    fn ours(
        &mut self,
        position: &Position,
        armies: &Armies,
        left: u32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if left == 0 || ply >= DEEPEST as usize {
            return self.leaf(position, armies);
        }
        let key = key(position);
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|entry| self.settled(entry, left, alpha, beta)) {
            return value;
        }
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        self.choices(position, position.turn(), known.and_then(|entry| entry.mv), ply, &mut list);
        if list.is_empty() {
            self.lists.push(list);
            // We have no legal move, but it may not really be our turn.
            let stands = armies.value(position, self.us);
            return if position.is_check(self.us) {
                stands - OUT_OF_MOVES + ply as i32
            } else {
                stands
            };
        }
        let (low, mut best, mut chosen) = (alpha, -INFINITE, None);
        for index in 0..list.len() {
            let Choice { mv, quiet, .. } = pick(&mut list, index);
            let after = position.after(mv);
            let armies = armies.after(position, mv, &after);
            let mut value = alpha;
            let late = !self.plain && quiet && index >= EARLY && left >= 3;
            let zero = index > 0 && beta - alpha > 1;
            if late {
                value = self.next(&after, &armies, left - 2, ply + 1, alpha, alpha + 1);
            }
            if (!late || value > alpha) && zero && !self.stopped {
                value = self.next(&after, &armies, left - 1, ply + 1, alpha, alpha + 1);
            }
            if (!late && !zero || value > alpha) && !self.stopped {
                value = self.next(&after, &armies, left - 1, ply + 1, alpha, beta);
            }
            if self.stopped {
                break;
            }
            if value > best {
                (best, chosen) = (value, Some(mv));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.praise(position.turn(), mv, quiet, left, ply);
                break;
            }
        }
        self.lists.push(list);
        self.keep(key, best, left, low, beta, chosen);
        best
    }

    /// Evaluates a position in which the others may reply.
    fn theirs(
        &mut self,
        position: &Position,
        armies: &Armies,
        left: u32,
        ply: usize,
        alpha: i32,
        mut beta: i32,
    ) -> i32 {
        if left == 0 || ply >= DEEPEST as usize {
            return self.leaf(position, armies);
        }
        let key = key(position);
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|entry| self.settled(entry, left, alpha, beta)) {
            return value;
        }
        let in_turn = self.in_turn(position);
        let foes =
            if in_turn { Players::one(position.turn()) } else { position.opponents(self.us) };
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        let mut caught = 0;
        for foe in foes.iter() {
            let Some(turn) = position.with_turn(foe) else { continue };
            let before = list.len();
            self.choices(&turn, foe, known.and_then(|entry| entry.mv), ply, &mut list);
            if list.len() == before {
                // This opponent will be eliminated on its turn, unless another player's move
                // prevents it.
                caught += if position.is_check(foe) { MATING } else { STALEMATING };
            }
        }
        let (alpha, high) = (alpha - caught, beta - caught);
        beta = high;
        let (mut best, mut chosen) = (INFINITE, None);
        if !in_turn || list.is_empty() {
            // The others may also not reply at all.
            let (after, armies) = self.reply(position, armies, None);
            best = self.again(&after, &armies, left - 1, ply, alpha, beta);
            beta = beta.min(best);
        }
        if alpha < beta && !self.stopped {
            for index in 0..list.len() {
                let Choice { mv, quiet, player, .. } = pick(&mut list, index);
                let (after, armies) = self.reply(position, armies, Some((player, mv)));
                let mut value = beta;
                let late = !self.plain && quiet && index >= EARLY && left >= 2;
                let zero = index > 0 && beta - alpha > 1;
                if late {
                    value = self.again(&after, &armies, left - 2, ply, beta - 1, beta);
                }
                if (!late || value < beta) && zero && !self.stopped {
                    value = self.again(&after, &armies, left - 1, ply, beta - 1, beta);
                }
                if (!late && !zero || value < beta) && !self.stopped {
                    value = self.again(&after, &armies, left - 1, ply, alpha, beta);
                }
                if self.stopped {
                    break;
                }
                if value < best {
                    (best, chosen) = (value, Some(mv));
                }
                beta = beta.min(value);
                if alpha >= beta {
                    self.praise(player, mv, quiet, left, ply);
                    break;
                }
            }
        }
        self.lists.push(list);
        self.keep(key, best + caught, left, alpha + caught, high + caught, chosen);
        best + caught
    }

    /// Plays what the others do before it is our turn again: the chosen move of one of them, if
    /// any, and the best captures of the rest.
    pub(super) fn reply(
        &self,
        position: &Position,
        armies: &Armies,
        chosen: Option<(Player, Move)>,
    ) -> (Position, Armies) {
        let (mut position, mut armies) = (*position, *armies);
        let play = |position: &mut Position, armies: &mut Armies, player, mv: Option<Move>| {
            let Some(turn) = position.with_turn(player) else { return };
            if let Some(mv) = mv.or_else(|| exchange::taking(&turn)) {
                *position = turn.after(mv);
                *armies = armies.after(&turn, mv, position);
            }
        };
        if let Some((player, mv)) = chosen {
            play(&mut position, &mut armies, player, Some(mv));
        }
        let mut player = self.us.next();
        while player != self.us {
            let free = chosen.is_none_or(|(other, _)| other != player);
            if free && !self.in_turn(&position) {
                play(&mut position, &mut armies, player, None);
            }
            player = player.next();
        }
        (position, armies)
    }

    /// Evaluates a position after a reply. It is our turn again, unless everybody moves in turn.
    fn again(
        &mut self,
        position: &Position,
        armies: &Armies,
        left: u32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let turned = if self.in_turn(position) { None } else { position.with_turn(self.us) };
        self.next(turned.as_ref().unwrap_or(position), armies, left, ply + 1, alpha, beta)
    }

    /// Evaluates a position at the end of a line: as it stands, with the exchanges that come next.
    pub(super) fn leaf(&self, position: &Position, armies: &Armies) -> i32 {
        armies.value(position, self.us) + exchange::guess(position, self.us, &self.sight)
    }

    /// Adds the moves of a player, each with its rank for the move ordering.
    fn choices(
        &self,
        position: &Position,
        player: Player,
        known: Option<Move>,
        ply: usize,
        list: &mut Vec<Choice>,
    ) {
        let ours = self.friends.contains(player);
        let killers = self.killers[ply];
        let merits = &self.merits[player as usize];
        let alive = position.alive();
        for &mv in &position.legal_moves() {
            let victim = position.piece_at(mv.to());
            // If everybody had moved in turn, the king would not have been left in check.
            let king = victim.is_some_and(|man| man.role == Role::King);
            if king && ours && !self.in_turn(position) {
                continue;
            }
            let prey = victim.filter(|man| man.owner.is_some_and(|owner| alive.contains(owner)));
            // Among the captures of the others, only those of our pieces hurt us.
            let prey = prey
                .filter(|man| ours || man.owner.is_some_and(|owner| self.friends.contains(owner)));
            let gain = prey.map_or(0, |man| value::strength(man.role))
                + mv.promotion().map_or(0, value::strength);
            let rank = match () {
                () if known == Some(mv) => i32::MAX,
                () if gain > 0 => {
                    let man =
                        position.piece_at(mv.from()).map_or(0, |man| value::strength(man.role));
                    (1 << 30) + 64 * gain - man
                }
                () if killers.contains(&Some(mv)) => 1 << 29,
                () => merits[mv.to().index() & 255],
            };
            list.push(Choice { rank, player, mv, quiet: gain == 0 });
        }
    }

    /// Remembers a quiet move that caused a cutoff.
    fn praise(&mut self, player: Player, mv: Move, quiet: bool, left: u32, ply: usize) {
        if !quiet {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let merit = &mut self.merits[player as usize][mv.to().index() & 255];
        *merit = (*merit + (left * left) as i32).min(1 << 28);
    }

    /// Returns the stored value if it is enough for this depth and window.
    fn settled(&self, entry: Entry, left: u32, alpha: i32, beta: i32) -> Option<i32> {
        let known = u32::from(entry.left);
        let enough = if self.plain { known == left } else { known >= left };
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= beta,
            Bound::Upper => entry.value <= alpha,
        };
        (enough && settles).then_some(entry.value)
    }

    fn keep(&mut self, key: u64, value: i32, left: u32, low: i32, high: i32, mv: Option<Move>) {
        if self.stopped {
            return;
        }
        let bound = match () {
            () if value <= low => Bound::Upper,
            () if value >= high => Bound::Lower,
            () => Bound::Exact,
        };
        self.table.put(Entry { key, value, left: left as u8, bound, mv });
    }
}

/// Returns a small bonus for points that are scored at once: later ones may never come.
pub(super) fn in_hand(before: &Position, after: &Position) -> i32 {
    let points = |position: &Position| i32::from(position.points()[before.turn() as usize]);
    value::POINT / 10 * (points(after) - points(before))
}

/// Moves the highest-ranked choice of `list[index..]` to `index` and returns it.
fn pick(list: &mut [Choice], index: usize) -> Choice {
    let best = (index..list.len()).rev().max_by_key(|&other| list[other].rank).unwrap_or(index);
    list[index..=best].rotate_right(1);
    list[index]
}

/// Returns a key that also distinguishes points.
fn key(position: &Position) -> u64 {
    let points = position.points().iter().fold(0, |sum, &points| sum << 16 | u64::from(points));
    position.key() ^ points.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
