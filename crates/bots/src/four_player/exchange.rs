//! Exchanges at first sight: what is taken, and the taker where somebody takes back.

use fourfold_four_player::{Kind, Move, Player, Players, Position};

use super::sight::Sight;
use super::value::{POINT, friends, lost, strength, weakest, won};

/// What the exchanges that come next are worth to a player. If its side is to move, the best that it has;
/// else what it loses by the one that hurts most, and half of the next one.
pub(super) fn guess(position: &Position, us: Player, sight: &Sight) -> i32 {
    let friends = friends(position, us);
    let ours = friends.contains(position.turn());
    let (takers, victims) = match ours {
        true => (Players::one(position.turn()), position.opponents(us)),
        false => (position.opponents(us), friends),
    };
    let (mut most, mut next) = (0, 0);
    for owner in victims.and(position.alive()).iter() {
        for square in position.army(owner).iter() {
            if !position.is_attacked(square, takers) || sight.misses_threat(position, square) {
                continue;
            }
            let Some(man) = position.man_at(square).filter(|man| man.kind != Kind::King) else {
                continue;
            };
            let taker = weakest(position, position.attackers(square, takers));
            let Some(taker) = taker else { continue };
            let gain = match (ours, position.is_attacked(square, victims)) {
                (_, true) if taker == Kind::King => 0,
                (true, false) => won(position, man.kind),
                (true, true) => won(position, man.kind) - lost(position, taker),
                (false, false) => lost(position, man.kind),
                (false, true) => lost(position, man.kind) - won(position, taker),
            };
            (most, next) = if gain > most { (gain, most) } else { (most, next.max(gain)) };
        }
    }
    if ours { most } else { -most - next / 2 }
}

/// What the one to move takes, if it wins something at first sight.
pub(super) fn taking(position: &Position) -> Option<Move> {
    let us = position.turn();
    let others = position.opponents(us);
    let mut best: (i32, Option<Move>) = (0, None);
    for &mv in &position.legal_moves() {
        let Some(victim) = position.man_at(mv.to()) else { continue };
        if !victim.owner.is_some_and(|owner| others.contains(owner)) {
            continue;
        }
        let gain = won(position, victim.kind);
        if gain <= best.0 {
            continue;
        }
        let taker = position.man_at(mv.from()).map_or(0, |man| strength(man.kind));
        let back = position.is_attacked(mv.to(), others) && victim.kind != Kind::King;
        let gain = if back { gain - POINT * taker } else { gain };
        if gain > best.0 {
            best = (gain, Some(mv));
        }
    }
    best.1
}
