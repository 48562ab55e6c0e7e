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
use super::transposition::{Entry, TranspositionTable};
use super::value::{self, State, WON};
use crate::Budget;
use crate::bound::Bound;

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
pub(super) const MATED: i32 = 60 * value::POINT;

/// The values between which the true value matters: alpha and beta.
type Window = (i32, i32);

/// A root move with its value.
pub(super) type Rated = (i32, Move);

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
    handicap: Handicap,
    budget: Budget<'a>,
    pub(super) nodes: u64,
    stopped: bool,
    /// Disables shortcuts that may change the result.
    plain: bool,
    table: TranspositionTable,
    /// Quiet moves that caused a cutoff, by ply.
    killers: Vec<[Option<Move>; 2]>,
    /// How well quiet moves to a square have done, by player.
    history: Box<[[i32; 256]; 4]>,
    /// Move lists that are not in use, kept to be reused.
    lists: Vec<Vec<Choice>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(position: &Position, handicap: Handicap, budget: Budget<'a>) -> Search<'a> {
        let us = position.turn();
        Search {
            us,
            friends: value::friends(position, us),
            handicap,
            budget,
            nodes: 0,
            stopped: false,
            plain: false,
            table: TranspositionTable::new(budget.nodes),
            killers: vec![[None; 2]; DEEPEST as usize + 2],
            history: Box::new([[0; 256]; 4]),
            lists: Vec::new(),
        }
    }

    /// Creates a search without shortcuts that may change the result.
    #[cfg(test)]
    pub(super) fn plain(position: &Position, handicap: Handicap, budget: Budget<'a>) -> Search<'a> {
        Search { plain: true, ..Search::new(position, handicap, budget) }
    }

    /// Searches within the budget. Returns the moves, best first and at least one, and the last
    /// completed depth in plies. The values of the first `Budget::lines` moves are exact. The game
    /// must have a legal move.
    pub(super) fn run(&mut self, game: &mut Game, rng: &mut SplitMix64) -> (Vec<Rated>, u32) {
        let position = game.position;
        let mut found = self.rate_statically(game, rng);
        let mut depth = 0;
        // An eliminated player with a walking king has nothing to look ahead to.
        let (step, round, moves) = match self.in_turn(&position) {
            true => (1, 4, self.handicap.moves),
            false => (2, 2, self.handicap.moves.min(OWN_MOVES)),
        };
        let most = match position.alive().contains(self.us) {
            true => (moves - 1).saturating_mul(round).saturating_add(1).min(DEEPEST),
            false => 0,
        };
        for left in (1..=most).step_by(step) {
            let Some(seen) = self.deepen(game, &found, left) else { break };
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
        (found, depth)
    }

    /// Rates the moves without a search; equally good ones are in random order.
    fn rate_statically(&mut self, game: &mut Game, rng: &mut SplitMix64) -> Vec<Rated> {
        let position = game.position;
        let legal = position.legal_moves();
        let mut moves: Vec<(i32, u64, Move)> = Vec::new();
        let seen = |mv: &&Move| !self.handicap.misses_move(&position, **mv);
        let any = legal.iter().any(|mv| seen(&mv));
        // If everything is overlooked, consider all moves.
        for &mv in legal.iter().filter(|mv| !any || seen(mv)) {
            if !moves.is_empty() && self.budget.is_spent(self.nodes) {
                self.stopped = true;
                break;
            }
            self.nodes += 1;
            moves.push((greedy::evaluate_move(game, mv), rng.next(), mv));
        }
        moves.sort_by_key(|&(score, tie_break, _)| (Reverse(score), tie_break));
        moves.into_iter().map(|(score, _, mv)| (score, mv)).collect()
    }

    /// Searches moves to a depth of `left` plies. Returns `None` if not even the first one was
    /// completed.
    fn deepen(&mut self, game: &mut Game, moves: &[Rated], left: u32) -> Option<Vec<Rated>> {
        let position = game.position;
        let root = State::of(&position);
        let exact = self.budget.lines.max(1);
        let mut seen: Vec<Rated> = Vec::with_capacity(moves.len());
        for &(_, mv) in moves {
            let mut after = position;
            // The history is needed to detect repetitions.
            if game.history.play(&mut after, mv).is_err() {
                continue;
            }
            game.history.pop();
            let sure = in_hand(&position, &after) + self.handicap.error(after.key());
            let after = root.moved_to(mv, after);
            let alpha = seen.get(exact - 1).map_or(-INFINITE, |&(score, _)| score - sure);
            let mut score = alpha;
            if alpha > -INFINITE {
                score = self.next(&after, left - 1, 1, (alpha, alpha + 1));
            }
            if alpha == -INFINITE || score > alpha && !self.stopped {
                score = self.next(&after, left - 1, 1, (alpha, INFINITE));
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

    /// Evaluates a position after a move, for any player to move.
    fn next(&mut self, state: &State, left: u32, ply: usize, window: Window) -> i32 {
        if self.spend() {
            return 0;
        }
        let position = &state.position;
        if let Some(value) = value::ended(position, self.us) {
            // A quicker win is better.
            return if value == WON { value - ply as i32 } else { value };
        }
        let ours = self.friends.contains(position.turn());
        if !ours && !position.alive().contains(self.us) {
            return state.value(self.us) + ply as i32;
        }
        if left == 0 || ply >= DEEPEST as usize {
            return self.leaf(state);
        }
        let key = key(position);
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|entry| self.settled(entry, left, window)) {
            return value;
        }
        let known = known.and_then(|entry| entry.mv);
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        let (value, mv) = if ours {
            self.choices(position, position.turn(), known, ply, &mut list);
            if list.is_empty() {
                self.lists.push(list);
                // We have no legal move, but it may not really be our turn.
                let mated = if position.is_check(self.us) { MATED - ply as i32 } else { 0 };
                return state.value(self.us) - mated;
            }
            self.best_choice(state, &mut list, left, ply, window, -INFINITE)
        } else {
            self.theirs(state, &mut list, left, ply, window, known)
        };
        self.lists.push(list);
        self.store(key, value, left, window, mv);
        value
    }

    /// Tries moves in the order of their ranks. Returns the highest value, at least `best`, and its
    /// move. Values are those for the side to move.
    fn best_choice(
        &mut self,
        state: &State,
        list: &mut [Choice],
        left: u32,
        ply: usize,
        (mut alpha, beta): Window,
        mut best: i32,
    ) -> (i32, Option<Move>) {
        let ours = self.friends.contains(state.position.turn());
        let reducible = if ours { 3 } else { 2 };
        let mut chosen = None;
        for index in 0..list.len() {
            let choice = pick(list, index);
            let Choice { mv, player, quiet, .. } = choice;
            let after = match ours {
                true => state.after(mv),
                false => self.reply(state, Some((player, mv))),
            };
            let search = |this: &mut Self, left, (alpha, beta): Window| match ours {
                true => this.next(&after, left, ply + 1, (alpha, beta)),
                false => -this.after_reply(&after, left, ply, (-beta, -alpha)),
            };
            let mut value = alpha;
            let late = !self.plain && quiet && index >= EARLY && left >= reducible;
            let zero = index > 0 && beta - alpha > 1;
            if late {
                value = search(self, left - 2, (alpha, alpha + 1));
            }
            if (!late || value > alpha) && zero && !self.stopped {
                value = search(self, left - 1, (alpha, alpha + 1));
            }
            if (!late && !zero || value > alpha) && !self.stopped {
                value = search(self, left - 1, (alpha, beta));
            }
            if self.stopped {
                break;
            }
            if value > best {
                (best, chosen) = (value, Some(mv));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.reward(choice, left, ply);
                break;
            }
        }
        (best, chosen)
    }

    /// Returns the value for us, and the move, of the most harmful reply of the others.
    fn theirs(
        &mut self,
        state: &State,
        list: &mut Vec<Choice>,
        left: u32,
        ply: usize,
        (alpha, beta): Window,
        known: Option<Move>,
    ) -> (i32, Option<Move>) {
        let position = &state.position;
        let in_turn = self.in_turn(position);
        let foes =
            if in_turn { Players::one(position.turn()) } else { position.opponents(self.us) };
        let mut caught = 0;
        for foe in foes.iter() {
            let Some(turn) = position.with_turn(foe) else { continue };
            let before = list.len();
            self.choices(&turn, foe, known, ply, list);
            if list.len() == before {
                // This opponent will be eliminated on its turn, unless another player's move
                // prevents it.
                caught += if position.is_check(foe) { MATING } else { STALEMATING };
            }
        }
        let (alpha, mut beta) = (alpha - caught, beta - caught);
        let (mut best, mut chosen) = (INFINITE, None);
        if !in_turn || list.is_empty() {
            // The others may also not reply at all.
            best = self.after_reply(&self.reply(state, None), left - 1, ply, (alpha, beta));
            beta = beta.min(best);
        }
        if alpha < beta && !self.stopped {
            let (value, mv) = self.best_choice(state, list, left, ply, (-beta, -alpha), -best);
            (best, chosen) = (-value, mv);
        }
        (best + caught, chosen)
    }

    /// Plays what the others do before it is our turn again: the chosen move of one of them, if
    /// any, and the best captures of the rest.
    pub(super) fn reply(&self, state: &State, chosen: Option<(Player, Move)>) -> State {
        let mut state = *state;
        if let Some((player, mv)) = chosen
            && let Some(turn) = state.with_turn(player)
        {
            state = turn.after(mv);
        }
        let mut player = self.us.next();
        while player != self.us {
            let free = chosen.is_none_or(|(other, _)| other != player);
            if free && !self.in_turn(&state.position) {
                state = state.after_best_capture(player).unwrap_or(state);
            }
            player = player.next();
        }
        state
    }

    /// Evaluates a position after a reply. It is our turn again, unless everybody moves in turn.
    fn after_reply(&mut self, state: &State, left: u32, ply: usize, window: Window) -> i32 {
        let turn = if self.in_turn(&state.position) { None } else { state.with_turn(self.us) };
        self.next(turn.as_ref().unwrap_or(state), left, ply + 1, window)
    }

    /// Evaluates a position at the end of a line: as it stands, with the exchanges that come next.
    pub(super) fn leaf(&self, state: &State) -> i32 {
        state.value(self.us) + exchange::estimate(&state.position, self.us, &self.handicap)
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
        let history = &self.history[player as usize];
        let alive = position.alive();
        for &mv in &position.legal_moves() {
            let victim = position.piece_at(mv.to());
            // If everybody had moved in turn, the king would not have been left in check.
            let king = victim.is_some_and(|piece| piece.role == Role::King);
            if king && ours && !self.in_turn(position) {
                continue;
            }
            // Among the captures of the others, only those of our pieces hurt us.
            let counts = |owner| alive.contains(owner) && (ours || self.friends.contains(owner));
            let victim = victim.filter(|piece| piece.owner.is_some_and(counts));
            let gain = victim.map_or(0, |piece| value::strength(piece.role))
                + mv.promotion().map_or(0, value::strength);
            let rank = match () {
                () if known == Some(mv) => i32::MAX,
                () if gain > 0 => {
                    let piece = position.piece_at(mv.from());
                    (1 << 30) + 64 * gain - piece.map_or(0, |piece| value::strength(piece.role))
                }
                () if killers.contains(&Some(mv)) => 1 << 29,
                () => history[mv.to().index() & 255],
            };
            list.push(Choice { rank, player, mv, quiet: gain == 0 });
        }
    }

    /// Remembers a quiet move that caused a cutoff.
    fn reward(&mut self, Choice { player, mv, quiet, .. }: Choice, left: u32, ply: usize) {
        if !quiet {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let merit = &mut self.history[player as usize][mv.to().index() & 255];
        *merit = (*merit + (left * left) as i32).min(1 << 28);
    }

    /// Returns the stored value if it is enough for this depth and window.
    fn settled(&self, entry: Entry, left: u32, (alpha, beta): Window) -> Option<i32> {
        let known = u32::from(entry.left);
        let enough = if self.plain { known == left } else { known >= left };
        (enough && entry.bound.settles(entry.value, alpha, beta)).then_some(entry.value)
    }

    fn store(&mut self, key: u64, value: i32, left: u32, (alpha, beta): Window, mv: Option<Move>) {
        if !self.stopped {
            let bound = Bound::of(value, alpha, beta);
            self.table.put(Entry { key, value, left: left as u8, bound, mv });
        }
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
