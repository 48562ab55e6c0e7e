//! How things look at once after a move: what it takes or earns, less what each opponent could take
//! next, with a little for how the men stand. It looks no further than that.

use fourfold_four_player::{BOARD, Kind, Mode, Move, Player, Players, Position, Square};

use super::Game;

/// Scores are in hundredths of a point, for the one who moves.
const POINT: i32 = 100;

/// The game is won.
const WON: i32 = 1_000_000;

/// The game is drawn, or the victory shared.
const SHARED: i32 = -2 * POINT;

/// An opponent would be mated if nobody came between.
const MATING: i32 = 12 * POINT;

/// An opponent would be stalemated, who gets points for it.
const STALEMATING: i32 = -8 * POINT;

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
    if after.ending().is_some() {
        let winners = after.winners();
        return match (winners.contains(us), winners.and(rivals(&after, us)).is_empty()) {
            (true, true) => WON,
            (true, false) => SHARED,
            (false, _) if winners.is_empty() => SHARED,
            (false, _) => -WON,
        };
    }
    earned(&before, &after, us) + standing(&after, us) - threatened(&after, us)
}

/// Everybody else, or in teams the other team.
fn rivals(position: &Position, us: Player) -> Players {
    match position.rules().mode {
        Mode::FreeForAll => Players::ALL.without(us),
        Mode::Teams => Players::ALL.without(us).without(us.opposite()),
    }
}

/// What a man is worth to its owner. That one-point queens bring others little does not make them
/// weaker.
fn strength(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight => 3,
        Kind::Bishop => 4,
        Kind::Rook => 5,
        Kind::Queen | Kind::Promoted => 9,
        Kind::King => 20,
    }
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
        let Some(turn) = with_turn(position, foe) else { continue };
        if turn.alive().contains(foe) {
            sum += weight * worst_capture(&turn, us);
        } else {
            sum -= if position.in_check(foe) { MATING } else { STALEMATING };
        }
        weight = POINT / 2;
    }
    sum
}

/// The position as if it were a player's turn.
fn with_turn(position: &Position, player: Player) -> Option<Position> {
    if position.turn() == player {
        return Some(*position);
    }
    let mut setup = position.setup();
    setup.turn = player;
    setup.validate(*position.rules()).ok()
}

/// The most that the player on turn wins from us and our partner by one exchange.
fn worst_capture(position: &Position, us: Player) -> i32 {
    let friends = Players::from_bits(!rivals(position, us).bits()).and(position.alive());
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
    let places: i32 = own.map(|(square, man)| place(position, us, man.kind, square)).sum();
    places + CHECK * position.checked_by(us).len() as i32
}

fn place(position: &Position, us: Player, kind: Kind, square: Square) -> i32 {
    let forward = forward(us, square);
    let home = i32::from(forward == 0);
    match kind {
        // Towards promotion, and a little more in the middle of the line.
        Kind::Pawn => forward * forward + 2 * centre(square),
        Kind::Knight => 5 * centre(square) - 8 * home,
        Kind::Bishop => 3 * centre(square) - 8 * home,
        Kind::Rook => centre(square),
        Kind::Queen | Kind::Promoted => centre(square),
        // Four armies shoot at a king that walks.
        Kind::King if position.alive().len() > 2 => {
            let shelter = BOARD.leaps(square, &fourfold_board::KING_LEAPS) & position.army(us);
            4 * shelter.len() as i32 - 20 * forward
        }
        Kind::King => 2 * centre(square),
    }
}

/// How far a square is from a player's back line.
fn forward(player: Player, square: Square) -> i32 {
    BOARD.rank(player.sees(square)) as i32
}

/// How near a square is to the centre: 0 on the edge, 6 in the middle.
fn centre(square: Square) -> i32 {
    let off = |line: usize| (2 * line as i32 - 13).abs();
    (13 - off(BOARD.file(square)).max(off(BOARD.rank(square)))) / 2
}
