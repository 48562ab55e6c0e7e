//! Looks ahead. In a free-for-all of more than two it goes as if the others had joined against us, with
//! one reply between two moves of ours: the one of all that hurts most, or none (best-reply search; that
//! all three hurt us in turn, as the plain paranoid search has it, is too much fear to play well). With
//! two left, and in teams, everybody moves in turn, and it is the paranoid search and exact. Deeper and
//! deeper until the budget is spent; at the end of a line exchanges are guessed square by square.

use std::cmp::Reverse;

use fourfold_board::Keys;
use fourfold_four_player::{Kind, Mode, Move, Player, Players, Position};

use super::Game;
use super::exchange;
use super::greedy::{self, MATING, STALEMATING};
use super::sight::Sight;
use super::table::{Bound, Entry, Table};
use super::value::{self, Armies, WON};
use crate::Budget;

/// Nobody looks further.
const DEEPEST: u32 = 24;
/// More than any value.
const INFINITE: i32 = i32::MAX / 2;
/// Quiet moves after so many others are looked at less closely at first.
const EARLY: usize = 4;

/// With one reply between two moves of ours, what comes later is too far from what the others will do:
/// three moves ahead play worse than two.
const OWN_MOVES: u32 = 2;

/// What it costs us to be mated, beside what stands on the board.
pub(super) const OUT_OF_MOVES: i32 = 60 * value::POINT;

/// A move at the root, with what it is worth.
pub(super) type Rated = (i32, Move);

/// What came out of a search.
pub(super) struct Found {
    /// Moves, the best first: at least one. As many of the first as were asked for are exact.
    pub(super) moves: Vec<Rated>,
    /// How many plies ahead it has looked in full.
    pub(super) depth: u32,
    pub(super) nodes: u64,
}

/// A move that somebody could make.
#[derive(Clone, Copy)]
struct Choice {
    rank: i32,
    player: Player,
    mv: Move,
    quiet: bool,
}

/// What the search remembers and has spent.
pub(super) struct Search<'a> {
    pub(super) us: Player,
    /// Those whose men are ours to look after.
    friends: Players,
    sight: Sight,
    budget: Budget<'a>,
    nodes: u64,
    stopped: bool,
    /// Without shortcuts that may be wrong.
    plain: bool,
    table: Table,
    /// Quiet moves that were too good, by ply.
    killers: Vec<[Option<Move>; 2]>,
    /// How often a quiet move to a square was too good, by player.
    merits: Box<[[i32; 256]; 4]>,
    /// Lists that are not in use.
    lists: Vec<Vec<Choice>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(position: &Position, sight: Sight, budget: Budget<'a>) -> Search<'a> {
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

    /// The same without shortcuts that may be wrong.
    #[cfg(test)]
    pub(super) fn plain(position: &Position, sight: Sight, budget: Budget<'a>) -> Search<'a> {
        Search { plain: true, ..Search::new(position, sight, budget) }
    }

    /// The best moves that the budget lets it find, of a game in which there is one.
    pub(super) fn run(&mut self, game: &mut Game, keys: &mut Keys) -> Found {
        let position = game.position;
        let armies = Armies::of(&position);
        let mut found = self.first_sight(game, keys);
        let mut depth = 0;
        // A walking king's owner is dead and has nothing to look ahead to.
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
                // What was seen of this depth counts: the best of before was looked at first.
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

    /// The moves as they look at once; those that are as good in any order.
    fn first_sight(&mut self, game: &mut Game, keys: &mut Keys) -> Vec<Rated> {
        let position = game.position;
        let legal = position.legal_moves();
        let mut moves: Vec<(i32, u64, Move)> = Vec::new();
        let seen = |mv: &&Move| !self.sight.misses_move(&position, **mv);
        let any = legal.iter().any(|mv| seen(&mv));
        // Who sees nothing looks again.
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

    /// Looks at moves so many plies ahead; nothing if not even the first was looked at in full.
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
            // With the history, so that a repetition is one.
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

    /// Whether everybody moves in turn.
    fn in_turn(&self, position: &Position) -> bool {
        position.rules().mode == Mode::Teams || position.alive().len() < 3
    }

    /// Counts a position, and tells whether it is one too many.
    fn spend(&mut self) -> bool {
        self.stopped |= self.budget.is_spent(self.nodes);
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// What a position after a move is worth to us, whoever comes next.
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
            // The sooner won the better.
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

    /// What a position is worth to us when one of our side moves.
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
            // We have no move where it is not really our turn.
            let stands = armies.value(position, self.us);
            return if position.in_check(self.us) {
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

    /// What a position is worth to us when the others may reply.
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
                // It will be out when its turn comes, if nobody comes between.
                caught += if position.in_check(foe) { MATING } else { STALEMATING };
            }
        }
        let (alpha, high) = (alpha - caught, beta - caught);
        beta = high;
        let (mut best, mut chosen) = (INFINITE, None);
        if !in_turn || list.is_empty() {
            // They may also let it be.
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

    /// What the others do before it is our turn again: one of them perhaps a certain move, and the
    /// rest what they can take.
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

    /// What a position is worth after a reply: our turn again, whoever's it would be.
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

    /// What a position is worth at the end of a line: as it stands, with the exchanges that come next.
    pub(super) fn leaf(&self, position: &Position, armies: &Armies) -> i32 {
        armies.value(position, self.us) + exchange::guess(position, self.us, &self.sight)
    }

    /// Adds the moves of a player, each with how likely it is to be good.
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
            let victim = position.man_at(mv.to());
            // A king in check would not have let it be.
            let king = victim.is_some_and(|man| man.kind == Kind::King);
            if king && ours && !self.in_turn(position) {
                continue;
            }
            let prey = victim.filter(|man| man.owner.is_some_and(|owner| alive.contains(owner)));
            // Of what the others take only what is ours hurts.
            let prey = prey
                .filter(|man| ours || man.owner.is_some_and(|owner| self.friends.contains(owner)));
            let gain = prey.map_or(0, |man| value::strength(man.kind))
                + mv.promotion().map_or(0, value::strength);
            let rank = match () {
                () if known == Some(mv) => i32::MAX,
                () if gain > 0 => {
                    let man = position.man_at(mv.from()).map_or(0, |man| value::strength(man.kind));
                    (1 << 30) + 64 * gain - man
                }
                () if killers.contains(&Some(mv)) => 1 << 29,
                () => merits[mv.to().index() & 255],
            };
            list.push(Choice { rank, player, mv, quiet: gain == 0 });
        }
    }

    /// Remembers a move that was too good.
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

    /// What is known, if it is enough.
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

/// A little for points that are made at once: those that are made later may not come.
pub(super) fn in_hand(before: &Position, after: &Position) -> i32 {
    let points = |position: &Position| i32::from(position.points()[before.turn() as usize]);
    value::POINT / 10 * (points(after) - points(before))
}

/// The best of what is left, which is put in its place.
fn pick(list: &mut [Choice], index: usize) -> Choice {
    let best = (index..list.len()).rev().max_by_key(|&other| list[other].rank).unwrap_or(index);
    list[index..=best].rotate_right(1);
    list[index]
}

/// A key that also tells points apart.
fn key(position: &Position) -> u64 {
    let points = position.points().iter().fold(0, |sum, &points| sum << 16 | u64::from(points));
    position.key() ^ points.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}
