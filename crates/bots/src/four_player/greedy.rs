//! Evaluates the position right after a move: what it captures or earns, less what each opponent
//! could capture next, plus small terms for the placement of the pieces. It does not look any
//! further.

use fourfold_four_player::{Mode, Move, Player, Position, Role};

use super::Game;
use super::value::{POINT, ended, friends, rivals, shelter, strength, worth};

/// The value of mating an opponent, who may still be saved by another player's move.
pub(super) const MATING: i32 = 12 * POINT;

/// The value of stalemating an opponent, who gets points for it.
pub(super) const STALEMATING: i32 = -8 * POINT;

/// The value of giving check to one more king.
const CHECK: i32 = 10;

/// Evaluates the position after a legal move, for the player who makes it.
pub(super) fn evaluate_move(game: &mut Game, mv: Move) -> i32 {
    let before = game.position;
    let us = before.turn();
    let mut after = before;
    // A rejected move is not legal, and must never be chosen over a legal one.
    if game.history.play(&mut after, mv).is_err() {
        return i32::MIN / 2;
    }
    game.history.pop();
    if let Some(value) = ended(&after, us) {
        return value;
    }
    earned(&before, &after, us) + placement(&after, us) - threatened(&after, us)
}

/// Returns the total strength of a player's pieces.
fn army(position: &Position, player: Player) -> i32 {
    Role::ALL.map(|role| strength(role) * position.pieces(player, role).len() as i32).iter().sum()
}

/// Returns what a move has gained: in a free-for-all mainly points, in teams material.
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
            // Weakening an opponent is worth a little in addition to the points.
            own + POINT * gained(us) - POINT / 3 * others + POINT / 10 * foes
        }
    }
}

/// Returns what the opponents could capture next, by one exchange each. The next to move counts in
/// full, the others half, because much may happen before their turns. An opponent without a legal
/// move counts as mated or stalemated.
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
            sum -= if position.is_check(foe) { MATING } else { STALEMATING };
        }
        weight = POINT / 2;
    }
    sum
}

/// Returns the most that the player to move can win from us and our partner by one exchange.
fn worst_capture(position: &Position, us: Player) -> i32 {
    let friends = friends(position, us).and(position.alive());
    let mut most = 0;
    for mv in position.legal_moves().iter() {
        let Some(victim) = position.piece_at(mv.to()) else { continue };
        let Some(owner) = victim.owner.filter(|&owner| friends.contains(owner)) else { continue };
        let loss = match victim.role {
            // Nothing else matters if the king is captured.
            Role::King => return 10 * strength(Role::King),
            role => strength(role),
        };
        // Our own pieces come first, so those of the partner count half.
        let loss = if owner == us { loss } else { loss / 2 };
        if loss > most {
            let attacker = position.piece_at(mv.from()).map_or(0, |piece| strength(piece.role));
            let defended = position.is_attacked(mv.to(), friends);
            most = most.max(if defended { loss - attacker } else { loss });
        }
    }
    most
}

/// Returns the value of our pieces' placement, without their material value.
fn placement(position: &Position, us: Player) -> i32 {
    let own = position.iter_pieces().filter(|(_, piece)| piece.owner == Some(us));
    let pieces: i32 = own.map(|(square, piece)| worth(us, piece.role, square)).sum();
    // Material is counted in `earned`.
    let kings = position.pieces(us, Role::King).len() as i32 * strength(Role::King);
    let places = pieces - POINT * (army(position, us) - kings);
    places + shelter(position, us) + CHECK * position.checked_by(us).len() as i32
}
