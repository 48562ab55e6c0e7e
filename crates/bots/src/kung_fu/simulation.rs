//! Simulates every order exactly until all pieces in flight have landed, then looks at what an
//! enemy could answer in the meantime and while the piece rests. A piece that is captured but could
//! have moved away in time counts as only partly lost.

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{
    Cell, Event, EventKind, Game, NoEvents, Order, Outcome, Piece, PieceId, Player, Role, Status,
};

/// How many ticks an enemy takes to answer, and we take to react.
const REACTION: u64 = 8;
/// How many orders are searched with the enemy's answers: those that score best without them.
const CHOSEN: usize = 40;
/// Scores are in centipawns. An order must beat waiting by this much.
const WORTH_IT: i64 = 30;
/// That margin shrinks while no order is given: by this much for each square that a piece could
/// have traveled meanwhile, and by at most `MOST_IMPATIENT`.
const IMPATIENCE: i64 = 12;
const MOST_IMPATIENT: i64 = 300;
/// A random bonus below this varies the choice between nearly equal orders.
const TIE_MARGIN: u64 = 4;
const WON: i64 = 1_000_000;

/// State and buffers that are kept from order to order.
#[derive(Clone, Debug, Default)]
pub(super) struct Simulation {
    /// Orders with their scores before the enemy's answers.
    ranked: Vec<(i64, Order)>,
    answers: Vec<Order>,
    events: Vec<Event>,
    /// How many simulations are left.
    pub(super) left: u64,
    /// The tick of the last order.
    acted: u64,
}

impl Simulation {
    /// Returns the order with the best score against the best answer, or `None` if waiting is
    /// better.
    pub(super) fn best(
        &mut self,
        game: &Game,
        player: Player,
        nodes: u64,
        rng: &mut SplitMix64,
        orders: &[Order],
    ) -> Option<Order> {
        self.left = nodes;
        let mut ranked = std::mem::take(&mut self.ranked);
        ranked.clear();
        ranked.extend(orders.iter().map(|&order| {
            let mut future = *game;
            self.left = self.left.saturating_sub(1);
            let bonus = (rng.next() % TIE_MARGIN) as i64;
            (
                play(&mut future, player, order).map_or(i64::MIN, |()| {
                    land(&mut future, &mut NoEvents);
                    value(&future, player) + bonus
                }),
                order,
            )
        }));
        ranked.sort_by_key(|&(score, order)| (std::cmp::Reverse(score), order.piece));
        let idle = (game.now().saturating_sub(self.acted)) as i64;
        let tps = i64::from(game.rules().speed.ticks_per_square);
        let bar = WORTH_IT - (IMPATIENCE * idle / tps).min(MOST_IMPATIENT);
        let mut best = (self.evaluation(game, player, None) + bar, None);
        for &(score, order) in ranked.iter().take(CHOSEN) {
            // An answer never improves the score.
            if score <= best.0 {
                break;
            }
            let evaluation = self.evaluation(game, player, Some(order)).min(score);
            if evaluation > best.0 {
                best = (evaluation, Some(order));
            }
        }
        self.ranked = ranked;
        if best.1.is_some() {
            self.acted = game.now();
        }
        best.1
    }

    /// Evaluates an order, or waiting, against the best single answer.
    fn evaluation(&mut self, game: &Game, player: Player, order: Option<Order>) -> i64 {
        let mut now = *game;
        let mut lands = None;
        if let Some(order) = order {
            if play(&mut now, player, order).is_none() {
                return i64::MIN;
            }
            lands = now.piece(order.piece).and_then(arrival);
        }
        let mut quiet = now;
        land(&mut quiet, &mut NoEvents);
        let mut worst = value(&quiet, player);
        // The enemy may answer right away, or after the piece has landed: at the start, in the
        // middle and at the end of its rest, because pieces that rest now may be ready by then.
        let soon = game.now() + REACTION;
        let rest = u64::from(game.rules().speed.rest);
        let pauses = [REACTION, rest / 2, rest.saturating_sub(1)];
        let later = lands.into_iter().flat_map(|tick| pauses.map(|pause| tick + pause));
        for when in std::iter::once(soon).chain(later) {
            if when >= now.now() {
                now.advance_to(when, &mut NoEvents);
                worst = worst.min(self.answered(&now, player, worst));
            }
        }
        worst
    }

    /// Returns the score after the enemy's best answer from here, but at most `worst`.
    fn answered(&mut self, game: &Game, player: Player, mut worst: i64) -> i64 {
        let team = game.rules().team(player);
        let mut answers = std::mem::take(&mut self.answers);
        for enemy in game.alive().without(team).iter() {
            game.legal_orders_into(enemy, &mut answers);
            for &answer in &answers {
                if self.left == 0 || !concerns(game, player, answer) {
                    continue;
                }
                self.left -= 1;
                worst = worst.min(self.after(game, player, enemy, answer));
            }
        }
        self.answers = answers;
        worst
    }

    /// Evaluates an enemy's answer. A piece that it captures but that could have moved away in time
    /// counts as only partly lost.
    fn after(&mut self, game: &Game, player: Player, enemy: Player, answer: Order) -> i64 {
        let mut future = *game;
        if play(&mut future, enemy, answer).is_none() {
            return i64::MAX;
        }
        self.events.clear();
        land(&mut future, &mut self.events);
        let mut score = value(&future, player);
        let team = game.rules().team(player);
        for event in &self.events {
            let EventKind::Captured { victim, by: Some(taker) } = event.kind else { continue };
            let Some(piece) = game.piece(victim) else { continue };
            if taker != answer.piece || !team.contains(piece.player()) {
                continue;
            }
            let free = match piece.status() {
                Status::Standing => Some(game.now()),
                Status::Resting { until } => Some(until),
                Status::Moving { .. } | Status::Gone => None,
            };
            let tps = u64::from(game.rules().speed.ticks_per_square);
            let aside = free.map(|free| free.max(game.now() + REACTION) + tps / 2);
            if aside.is_some_and(|aside| aside < event.tick) {
                score += lost(&future, game, player, victim) * 4 / 5;
            }
        }
        score
    }
}

/// Gives an order, or returns `None` if it is no longer legal.
fn play(game: &mut Game, player: Player, order: Order) -> Option<()> {
    game.order(player, order.piece, (order.to.row().into(), order.to.column().into())).ok()
}

/// Returns the tick at which a piece in flight lands.
fn arrival(piece: &Piece) -> Option<u64> {
    if let Status::Moving { arrive, .. } = piece.status() { Some(arrive) } else { None }
}

/// Advances the game until every piece in flight has landed, or the game is over.
fn land(game: &mut Game, events: &mut impl fourfold_kung_fu::Events) {
    while game.in_flight() > 0 && game.outcome().is_none() {
        let Some(last) = game.pieces().filter_map(arrival).max() else { return };
        game.advance_to(last, events);
    }
}

/// Returns whether an enemy's order affects one of our pieces: it goes to a square where one stands
/// or will land, or leaves a square that one is flying to.
fn concerns(game: &Game, player: Player, answer: Order) -> bool {
    let team = game.rules().team(player);
    let from = game.piece(answer.piece).map(Piece::at);
    let ours = game.pieces().filter(|piece| team.contains(piece.player()));
    ours.into_iter().any(|piece| match piece.status() {
        Status::Standing | Status::Resting { .. } => piece.at() == answer.to,
        Status::Moving { to, .. } => to == answer.to || Some(to) == from,
        Status::Gone => false,
    })
}

/// Returns how much the score fell when one of our pieces was captured.
fn lost(after: &Game, before: &Game, player: Player, victim: PieceId) -> i64 {
    match before.piece(victim) {
        // A player who loses the king loses the whole army.
        Some(piece) if piece.role() == Role::King && piece.player() == player => {
            value(before, player) - value(after, player)
        }
        Some(piece) => material(piece.role()),
        None => 0,
    }
}

/// Evaluates the game for a player.
fn value(game: &Game, player: Player) -> i64 {
    let team = game.rules().team(player);
    match game.outcome() {
        Some(Outcome::Win(who)) if who.contains(player) => return WON,
        Some(Outcome::Win(_)) => return -WON,
        Some(Outcome::Draw) => return 0,
        None => {}
    }
    // The initial number of opponents, so that every elimination improves the score.
    let foes = game.rules().players.without(team).len().max(1) as i64;
    let mut score = 0;
    if !game.alive().contains(player) {
        score -= WON / 2;
    }
    let kings = |enemy_of: Player| {
        let friends = game.rules().team(enemy_of);
        game.pieces().filter(move |piece| {
            piece.is_alive() && piece.role() == Role::King && !friends.contains(piece.player())
        })
    };
    for piece in game.pieces().filter(|piece| piece.is_alive()) {
        let near = kings(piece.player()).map(|king| distance(king.at(), piece.at())).min();
        let near = near.unwrap_or(0);
        let place = match piece.role() {
            Role::King => -if piece.moved() { 30 } else { 0 },
            // Closer to the enemy king also means closer to promotion.
            Role::Pawn => 4 * (11 - near).max(0),
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
                3 * (11 - near).max(0) + if piece.moved() { 8 } else { 0 }
            }
        };
        let worth = material(piece.role()) + place;
        score += if team.contains(piece.player()) { worth } else { -worth / foes };
    }
    for other in game.alive().iter() {
        let capture = best_capture(game, other);
        score += if team.contains(other) { capture * 2 / 5 } else { -capture * 4 / 5 };
    }
    score
}

/// Returns the value of the most valuable piece that a player could capture before it can move
/// away.
fn best_capture(game: &Game, player: Player) -> i64 {
    let tps = u64::from(game.rules().speed.ticks_per_square);
    let mut most = 0;
    game.for_each_order(player, |piece, from, to| {
        let Some(target) = game.piece_at(to).and_then(|id| game.piece(id)) else { return };
        let until = match target.status() {
            Status::Resting { until } => until.max(game.now() + REACTION),
            Status::Standing => game.now() + REACTION,
            Status::Moving { .. } | Status::Gone => return,
        };
        let knight = game.piece(piece).is_some_and(|piece| piece.role() == Role::Knight);
        let squares = if knight { 2 } else { distance(from, to) as u64 };
        if game.now() + squares * tps <= until + tps / 2 {
            most = most.max(material(target.role()));
        }
    });
    most
}

fn distance(from: Cell, to: Cell) -> i64 {
    i64::from(from.row().abs_diff(to.row()).max(from.column().abs_diff(to.column())))
}

const fn material(role: Role) -> i64 {
    100 * super::value(role, 40)
}
