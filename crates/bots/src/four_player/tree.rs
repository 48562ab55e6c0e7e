//! What four-player chess tells the tree: moves by what they win and risk at first sight, and leaves by what
//! they are worth to each player when everybody has taken what it can. Nobody has joined against us here: each
//! goes for its own (max^n), and in teams for the team's.

use std::cmp::Reverse;

use fourfold_four_player::{Kind, Mode, Move, Player, Position, Square};

use super::Game;
use super::exchange;
use super::sight::Sight;
use super::value::{self, Armies, friends, lost, weakest, won, worth};
use crate::chooser::Game as _;
use crate::tree::{self, Shares};

/// A lead of so much is worth half of what is left to win.
const LEAD: f64 = 600.0;

/// What an eighth of a doubling of the prior is worth.
const EIGHTH: i32 = 20;

/// A position on a way down the tree.
#[derive(Clone, Copy)]
pub(super) struct Place {
    position: Position,
    armies: Armies,
    /// Whether it is the one that the game has come to.
    root: bool,
}

/// A player's thoughts of a game.
pub(super) struct Mind {
    game: Game,
    sight: Sight,
    /// What the position at the root is worth to each player.
    stands: [i32; 4],
    /// What follows on each move at the root, repetitions known.
    first: Vec<(Move, Position)>,
}

impl Mind {
    /// Thoughts of a game in which there is a legal move, and where they start.
    pub(super) fn new(game: Game, sight: Sight) -> (Mind, Place) {
        let position = game.position;
        let place = Place { position, armies: Armies::of(&position), root: true };
        let mut mind = Mind { game, sight, stands: [0; 4], first: Vec::new() };
        mind.stands = mind.values(&place);
        (mind, place)
    }

    /// What a position is worth to each player.
    fn values(&self, place: &Place) -> [i32; 4] {
        let (position, armies) = settled(place);
        if position.ending().is_some() {
            return Player::ALL.map(|player| value::ended(&position, player).unwrap_or(0));
        }
        let value = |player| {
            armies.value(&position, player) + exchange::guess(&position, player, &self.sight)
        };
        match position.rules().mode {
            Mode::FreeForAll => Player::ALL.map(value),
            Mode::Teams => {
                let (ours, value) = (friends(&position, position.turn()), value(position.turn()));
                Player::ALL.map(|player| if ours.contains(player) { value } else { -value })
            }
        }
    }
}

/// A position after everybody has taken what it can, in turn.
fn settled(place: &Place) -> (Position, Armies) {
    let (mut position, mut armies) = (place.position, place.armies);
    let mut player = position.turn();
    for _ in Player::ALL {
        let turn = if position.ending().is_none() { position.with_turn(player) } else { None };
        if let Some((turn, mv)) = turn.and_then(|turn| Some((turn, exchange::taking(&turn)?))) {
            position = turn.after(mv);
            armies = armies.after(&turn, mv, &position);
        }
        player = player.next();
    }
    (position, armies)
}

/// How good a legal move looks at once: what it takes, where the man comes to stand, and what it risks there
/// and here.
fn merit(position: &Position, mv: Move) -> i32 {
    let us = position.turn();
    let Some(man) = position.man_at(mv.from()) else { return 0 };
    let becomes = mv.promotion().unwrap_or(man.kind);
    let foes = position.opponents(us);
    let prey = position.man_at(mv.to()).filter(|prey| prey.owner.is_some_and(|o| foes.contains(o)));
    let taken = prey.map_or(0, |prey| won(position, prey.kind));
    let moved = worth(us, becomes, mv.to()) - worth(us, man.kind, mv.from());
    // The man itself guards where it goes to.
    let risked = risk(position, mv.to(), becomes, 1) - risk(position, mv.from(), man.kind, 0);
    (taken + moved - risked) / EIGHTH
}

/// What the one to move risks at first sight with a man on a square that more of its side guard than so many.
fn risk(position: &Position, square: Square, kind: Kind, guards: usize) -> i32 {
    let us = position.turn();
    let foes = position.opponents(us);
    if kind == Kind::King || !position.is_attacked(square, foes) {
        return 0;
    }
    let taker = weakest(position, position.attackers(square, foes));
    let guarded = position.attackers(square, friends(position, us)).len() > guards;
    match taker {
        Some(Kind::King) if guarded => 0,
        Some(taker) if guarded => (lost(position, kind) - won(position, taker)).max(0),
        _ => lost(position, kind),
    }
}

impl tree::Game for Mind {
    type Position = Place;
    type Move = Move;

    const CURIOSITY: f64 = 0.7;
    const UNTRIED: f64 = 0.05;

    fn turn(&self, place: &Place) -> Option<usize> {
        place.position.ending().is_none().then(|| place.position.turn() as usize)
    }

    fn moves(&mut self, place: &Place, ranked: &mut Vec<(i32, Move)>) {
        let position = &place.position;
        for &mv in &position.legal_moves() {
            ranked.push((merit(position, mv), mv));
        }
        ranked.sort_by_key(|&(merit, _)| Reverse(merit));
        if !place.root {
            return;
        }
        for &(_, mv) in ranked.iter() {
            let mut after = *position;
            if self.game.history.play(&mut after, mv).is_ok() {
                self.game.history.pop();
                self.first.push((mv, after));
            }
        }
    }

    fn play(&mut self, place: &mut Place, mv: Move) {
        let before = place.position;
        let known = self.first.iter().find(|&&(first, _)| place.root && first == mv);
        place.position = known.map_or_else(|| before.after(mv), |&(_, after)| after);
        place.armies = place.armies.after(&before, mv, &place.position);
        place.root = false;
    }

    /// How much better than at the root things stand for each player.
    fn shares(&mut self, place: &Place) -> Shares {
        let values = self.values(place);
        let error = self.sight.error(place.position.key());
        std::array::from_fn(|player| {
            let lead = f64::from(values[player] - self.stands[player] + error) / LEAD;
            0.5 + 0.5 * lead / (1.0 + lead.abs())
        })
    }

    fn code(&self, mv: Move) -> String {
        self.game.code(mv)
    }
}
