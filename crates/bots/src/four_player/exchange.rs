//! Estimates exchanges without a search: what is captured, and the capturing piece where it can be
//! recaptured.

use fourfold_four_player::{Move, Player, Players, Position, Role};

use super::handicap::Handicap;
use super::value::{POINT, friends, lost, strength, weakest, won};

/// Estimates what the next exchanges are worth to a player: if its side is to move, the best one;
/// otherwise the cost of the worst one and half of the next.
pub(super) fn estimate(position: &Position, us: Player, handicap: &Handicap) -> i32 {
    let friends = friends(position, us);
    let ours = friends.contains(position.turn());
    let (takers, victims) = match ours {
        true => (Players::one(position.turn()), position.opponents(us)),
        false => (position.opponents(us), friends),
    };
    let (mut most, mut next) = (0, 0);
    for owner in victims.and(position.alive()).iter() {
        for square in position.army(owner).iter() {
            if !position.is_attacked(square, takers) || handicap.misses_threat(position, square) {
                continue;
            }
            let piece = position.piece_at(square).filter(|piece| piece.role != Role::King);
            let Some(piece) = piece else { continue };
            let taker = weakest(position, position.attackers(square, takers));
            let Some(taker) = taker else { continue };
            let gain = match (ours, position.is_attacked(square, victims)) {
                (_, true) if taker == Role::King => 0,
                (true, false) => won(position, piece.role),
                (true, true) => won(position, piece.role) - lost(position, taker),
                (false, false) => lost(position, piece.role),
                (false, true) => lost(position, piece.role) - won(position, taker),
            };
            (most, next) = if gain > most { (gain, most) } else { (most, next.max(gain)) };
        }
    }
    if ours { most } else { -most - next / 2 }
}

/// Returns the best capture of the player to move, if it seems to win something.
pub(super) fn best_capture(position: &Position) -> Option<Move> {
    let us = position.turn();
    let others = position.opponents(us);
    let mut best: (i32, Option<Move>) = (0, None);
    for &mv in &position.legal_moves() {
        let Some(victim) = position.piece_at(mv.to()) else { continue };
        if !victim.owner.is_some_and(|owner| others.contains(owner)) {
            continue;
        }
        let gain = won(position, victim.role);
        if gain <= best.0 {
            continue;
        }
        let taker = position.piece_at(mv.from()).map_or(0, |piece| strength(piece.role));
        let back = position.is_attacked(mv.to(), others) && victim.role != Role::King;
        let gain = if back { gain - POINT * taker } else { gain };
        if gain > best.0 {
            best = (gain, Some(mv));
        }
    }
    best.1
}
