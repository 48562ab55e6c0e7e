//! How things look at once after a move: what it takes or earns, less what each opponent could take
//! next, with a little for how the men stand. It looks no further than that.

use fourfold_four_player::{Kind, Mode, Move, Player, Position};

use super::Game;
use super::value::{POINT, ended, friends, rivals, shelter, strength, worth};

/// An opponent would be mated if nobody came between.
pub(super) const MATING: i32 = 12 * POINT;

/// An opponent would be stalemated, who gets points for it.
pub(super) const STALEMATING: i32 = -8 * POINT;

/// Giving check to one more king.
const CHECK: i32 = 10;

/// How good things are for the mover after a legal move.
pub(super) fn weigh(game: &mut Game, mv: Move) -> i32 {
    let before = game.position;
    let us = before.turn();
    let mut after = before;
    // A move that is refused is none of the legal ones, and never chosen before them.
    if game.history.play(&mut after, mv).is_err() {
        return i32::MIN / 2;
    }
    game.history.pop();
    if let Some(value) = ended(&after, us) {
        return value;
    }
    earned(&before, &after, us) + standing(&after, us) - threatened(&after, us)
}

/// A player's men, by their strength.
fn army(position: &Position, player: Player) -> i32 {
    Kind::ALL.map(|kind| strength(kind) * position.pieces(player, kind).len() as i32).iter().sum()
}

/// What a move has brought: points, or in teams an edge over the other team; and what the enemies
/// have lost by it.
fn earned(before: &Position, after: &Position, us: Player) -> i32 {
    let lost = |player: Player| army(before, player) - army(after, player);
    let foes: i32 = rivals(before, us).and(before.alive()).iter().map(lost).sum();
    let own = POINT * -lost(us);
    match before.rules().mode {
        Mode::Teams => own + POINT * foes,
        Mode::FreeForAll => {
            let gained = |player: Player| {
                i32::from(after.points()[player as usize])
                    - i32::from(before.points()[player as usize])
            };
            let others: i32 = rivals(before, us).iter().map(gained).sum();
            // A weaker enemy is worth a little beside the points.
            own + POINT * gained(us) - POINT / 3 * others + POINT / 10 * foes
        }
    }
}

/// What the opponents could take next, one exchange each: the one who moves next counts in full, the
/// others half, for much may happen before. Also what a mate or stalemate of theirs would bring.
fn threatened(position: &Position, us: Player) -> i32 {
    let mut sum = 0;
    let mut weight = POINT;
    for foe in [1, 2, 3].map(|steps| Player::ALL[(us as usize + steps) % 4]) {
        if !position.opponents(us).contains(foe) {
            continue;
        }
        let Some(turn) = position.with_turn(foe) else { continue };
        if turn.has_legal_move() {
            sum += weight * worst_capture(&turn, us);
        } else {
            sum -= if position.in_check(foe) { MATING } else { STALEMATING };
        }
        weight = POINT / 2;
    }
    sum
}

/// The most that the player on turn wins from us and our partner by one exchange.
fn worst_capture(position: &Position, us: Player) -> i32 {
    let friends = friends(position, us).and(position.alive());
    let mut most = 0;
    for mv in position.legal_moves().iter() {
        let Some(victim) = position.man_at(mv.to()) else { continue };
        let Some(owner) = victim.owner.filter(|&owner| friends.contains(owner)) else { continue };
        let loss = match victim.kind {
            // Nothing else matters then.
            Kind::King => return 10 * strength(Kind::King),
            kind => strength(kind),
        };
        // A partner looks after its own men first.
        let loss = if owner == us { loss } else { loss / 2 };
        if loss > most {
            let attacker = position.man_at(mv.from()).map_or(0, |man| strength(man.kind));
            let defended = position.is_attacked(mv.to(), friends);
            most = most.max(if defended { loss - attacker } else { loss });
        }
    }
    most
}

/// What the men are worth where they stand, beside what they are.
fn standing(position: &Position, us: Player) -> i32 {
    let own = position.men().filter(|(_, man)| man.owner == Some(us));
    let men: i32 = own.map(|(square, man)| worth(us, man.kind, square)).sum();
    // What they are is counted elsewhere.
    let kings = position.pieces(us, Kind::King).len() as i32 * strength(Kind::King);
    let places = men - POINT * (army(position, us) - kings);
    places + shelter(position, us) + CHECK * position.checked_by(us).len() as i32
}
