//! Four-player chess for the tree search: moves are ranked by what they seem to win and risk, and
//! leaves are evaluated for each player after all players have captured what they can. Nobody is
//! assumed to be allied against us: all players maximize their own value (max^n), and in teams that
//! of their team.

use std::cmp::Reverse;

use fourfold_four_player::{Mode, Move, Player, Position, Role, Square};

use super::Game;
use super::exchange;
use super::handicap::Handicap;
use super::value::{self, State, friends, lost, weakest, won, worth};
use crate::level_bot::Game as _;
use crate::tree::{self, WinningChances};

/// A lead of this much gives winning chances of 75%.
const LEAD: f64 = 600.0;

/// How much value one point of merit stands for.
const EIGHTH: i32 = 20;

/// A position on a path down the tree.
#[derive(Clone, Copy)]
pub(super) struct NodeState {
    state: State,
    /// Whether it is the root.
    root: bool,
}

/// A game of four-player chess as the tree search sees it.
pub(super) struct SearchGame {
    game: Game,
    handicap: Handicap,
    /// The value of the root position for each player.
    root_values: [i32; 4],
    /// The position after each root move, with repetitions taken into account.
    first: Vec<(Move, Position)>,
}

impl SearchGame {
    /// Creates the search state and the root for a game that has a legal move.
    pub(super) fn new(game: Game, handicap: Handicap) -> (SearchGame, NodeState) {
        let root = NodeState { state: State::of(&game.position), root: true };
        let mut search_game = SearchGame { game, handicap, root_values: [0; 4], first: Vec::new() };
        search_game.root_values = search_game.values(&root.state);
        (search_game, root)
    }

    /// Evaluates a position for each player.
    fn values(&self, state: &State) -> [i32; 4] {
        let state = settled(*state);
        let position = state.position;
        if position.ending().is_some() {
            return Player::ALL.map(|player| value::ended(&position, player).unwrap_or(0));
        }
        let value =
            |player| state.value(player) + exchange::estimate(&position, player, &self.handicap);
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
fn settled(mut state: State) -> State {
    let mut player = state.position.turn();
    for _ in Player::ALL {
        if state.position.ending().is_none() {
            state = state.after_best_capture(player).unwrap_or(state);
        }
        player = player.next();
    }
    state
}

/// Returns how good a legal move looks without a search: what it captures, how the placement of the
/// piece changes, and how the risk to it changes.
fn merit(position: &Position, mv: Move) -> i32 {
    let us = position.turn();
    let Some(piece) = position.piece_at(mv.from()) else { return 0 };
    let becomes = mv.promotion().unwrap_or(piece.role);
    let foes = position.opponents(us);
    let victim = position.piece_at(mv.to());
    let victim = victim.filter(|victim| victim.owner.is_some_and(|owner| foes.contains(owner)));
    let captured = victim.map_or(0, |victim| won(position, victim.role));
    let moved = worth(us, becomes, mv.to()) - worth(us, piece.role, mv.from());
    // The moving piece itself attacks the square that it goes to.
    let risked = risk(position, mv.to(), becomes, 1) - risk(position, mv.from(), piece.role, 0);
    (captured + moved - risked) / EIGHTH
}

/// Estimates what the player to move risks with a piece on a square. The piece counts as defended
/// if more than `guards` pieces of its side attack the square.
fn risk(position: &Position, square: Square, role: Role, guards: usize) -> i32 {
    let us = position.turn();
    let foes = position.opponents(us);
    if role == Role::King || !position.is_attacked(square, foes) {
        return 0;
    }
    let taker = weakest(position, position.attackers(square, foes));
    let guarded = position.attackers(square, friends(position, us)).len() > guards;
    match taker {
        Some(Role::King) if guarded => 0,
        Some(taker) if guarded => (lost(position, role) - won(position, taker)).max(0),
        _ => lost(position, role),
    }
}

impl tree::Game for SearchGame {
    type Position = NodeState;
    type Move = Move;

    const EXPLORATION: f64 = 0.7;
    const FPU_REDUCTION: f64 = 0.05;

    fn turn(&self, node: &NodeState) -> Option<usize> {
        let position = &node.state.position;
        position.ending().is_none().then(|| position.turn() as usize)
    }

    fn moves(&mut self, node: &NodeState, ranked: &mut Vec<(i32, Move)>) {
        let position = &node.state.position;
        for &mv in &position.legal_moves() {
            ranked.push((merit(position, mv), mv));
        }
        ranked.sort_by_key(|&(merit, _)| Reverse(merit));
        if !node.root {
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

    fn play(&mut self, node: &mut NodeState, mv: Move) {
        let known = self.first.iter().find(|&&(first, _)| node.root && first == mv);
        let state = &node.state;
        let state = known.map_or_else(|| state.after(mv), |&(_, after)| state.moved_to(mv, after));
        *node = NodeState { state, root: false };
    }

    /// Returns how much each player has gained since the root, as winning chances.
    fn winning_chances(&mut self, node: &NodeState) -> WinningChances {
        let values = self.values(&node.state);
        let error = self.handicap.error(node.state.position.key());
        std::array::from_fn(|player| {
            let lead = f64::from(values[player] - self.root_values[player] + error) / LEAD;
            0.5 + 0.5 * lead / (1.0 + lead.abs())
        })
    }

    fn code(&self, mv: Move) -> String {
        self.game.code(mv)
    }
}
