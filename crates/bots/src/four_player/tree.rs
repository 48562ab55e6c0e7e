//! Four-player chess for the tree search: moves are ranked by what they seem to win and risk, and
//! leaves are evaluated for each player after all players have captured what they can. Nobody is
//! assumed to be allied against us: all players maximize their own value (max^n), and in teams that
//! of their team.

use std::cmp::Reverse;

use fourfold_four_player::{Mode, Move, Player, Position, Role, Square};

use super::Game;
use super::exchange;
use super::handicap::Handicap;
use super::value::{self, Armies, friends, lost, weakest, won, worth};
use crate::chooser::Game as _;
use crate::tree::{self, Shares};

/// A lead of this much gives winning chances of 75%.
const LEAD: f64 = 600.0;

/// How much value one point of merit stands for.
const EIGHTH: i32 = 20;

/// A position on a path down the tree.
#[derive(Clone, Copy)]
pub(super) struct NodeState {
    position: Position,
    armies: Armies,
    /// Whether it is the root.
    root: bool,
}

/// A game of four-player chess as the tree search sees it.
pub(super) struct Mind {
    game: Game,
    sight: Handicap,
    /// The value of the root position for each player.
    stands: [i32; 4],
    /// The position after each root move, with repetitions taken into account.
    first: Vec<(Move, Position)>,
}

impl Mind {
    /// Creates the search state and the root for a game that has a legal move.
    pub(super) fn new(game: Game, sight: Handicap) -> (Mind, NodeState) {
        let position = game.position;
        let place = NodeState { position, armies: Armies::of(&position), root: true };
        let mut mind = Mind { game, sight, stands: [0; 4], first: Vec::new() };
        mind.stands = mind.values(&place);
        (mind, place)
    }

    /// Evaluates a position for each player.
    fn values(&self, place: &NodeState) -> [i32; 4] {
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

/// Returns a position after all players have captured what they can, in turn.
fn settled(place: &NodeState) -> (Position, Armies) {
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

/// Returns how good a legal move looks without a search: what it captures, how the placement of the
/// piece changes, and how the risk to it changes.
fn merit(position: &Position, mv: Move) -> i32 {
    let us = position.turn();
    let Some(man) = position.piece_at(mv.from()) else { return 0 };
    let becomes = mv.promotion().unwrap_or(man.role);
    let foes = position.opponents(us);
    let prey =
        position.piece_at(mv.to()).filter(|prey| prey.owner.is_some_and(|o| foes.contains(o)));
    let taken = prey.map_or(0, |prey| won(position, prey.role));
    let moved = worth(us, becomes, mv.to()) - worth(us, man.role, mv.from());
    // The moving piece itself attacks the square that it goes to.
    let risked = risk(position, mv.to(), becomes, 1) - risk(position, mv.from(), man.role, 0);
    (taken + moved - risked) / EIGHTH
}

/// Estimates what the player to move risks with a piece on a square. The piece counts as defended
/// if more than `guards` pieces of its side attack the square.
fn risk(position: &Position, square: Square, kind: Role, guards: usize) -> i32 {
    let us = position.turn();
    let foes = position.opponents(us);
    if kind == Role::King || !position.is_attacked(square, foes) {
        return 0;
    }
    let taker = weakest(position, position.attackers(square, foes));
    let guarded = position.attackers(square, friends(position, us)).len() > guards;
    match taker {
        Some(Role::King) if guarded => 0,
        Some(taker) if guarded => (lost(position, kind) - won(position, taker)).max(0),
        _ => lost(position, kind),
    }
}

impl tree::Game for Mind {
    type Position = NodeState;
    type Move = Move;

    const CURIOSITY: f64 = 0.7;
    const UNTRIED: f64 = 0.05;

    fn turn(&self, place: &NodeState) -> Option<usize> {
        place.position.ending().is_none().then(|| place.position.turn() as usize)
    }

    fn moves(&mut self, place: &NodeState, ranked: &mut Vec<(i32, Move)>) {
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

    fn play(&mut self, place: &mut NodeState, mv: Move) {
        let before = place.position;
        let known = self.first.iter().find(|&&(first, _)| place.root && first == mv);
        place.position = known.map_or_else(|| before.after(mv), |&(_, after)| after);
        place.armies = place.armies.after(&before, mv, &place.position);
        place.root = false;
    }

    /// Returns how much each player has gained since the root, as winning chances.
    fn shares(&mut self, place: &NodeState) -> Shares {
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
