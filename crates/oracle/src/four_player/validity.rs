//! Rejects invalid positions.

use super::board::Kind;
use super::moves::promotion_depth;
use super::player::Player;
use super::position::{Position, corner};
use super::rules::{Mode, Rules};
use crate::Error;

pub(super) fn check(position: &Position, rules: &Rules) -> Result<(), Error> {
    for player in Player::ALL {
        check_departure(position, player)?;
        check_men(position, player)?;
        check_pawns(position, player, rules)?;
    }
    check_rights(position)?;
    check_offers(position)?;
    check_living(position, rules)?;
    check_turn(position, rules)
}

fn check_departure(position: &Position, player: Player) -> Result<(), Error> {
    if position.resigned.contains(&player) && position.flagged.contains(&player) {
        return Err(Error::new(format!("{player:?} has both resigned and been flagged")));
    }
    if position.has_left(player) && position.lives(player) {
        return Err(Error::new(format!("{player:?} has left the game but is not dead")));
    }
    Ok(())
}

fn check_men(position: &Position, player: Player) -> Result<(), Error> {
    let kings = position.board.men_of(player).filter(|(_, kind)| *kind == Kind::King).count();
    if kings > 1 || (kings == 0 && position.lives(player)) {
        return Err(Error::new(format!("{player:?} has {kings} kings")));
    }
    let men = position.board.men_of(player).count();
    if men > 16 {
        return Err(Error::new(format!("{player:?} has {men} men, more than 16")));
    }
    Ok(())
}

/// No pawn may be on its owner's first line, nor where it would have promoted.
fn check_pawns(position: &Position, player: Player, rules: &Rules) -> Result<(), Error> {
    for (square, kind) in position.board.men_of(player) {
        let depth = player.depth(square);
        if kind == Kind::Pawn && (depth == 0 || depth >= promotion_depth(rules.mode)) {
            return Err(Error::new(format!("{player:?} has a pawn on {square}")));
        }
    }
    Ok(())
}

/// A castling right requires a living owner, the king at home, and a rook in the corner.
fn check_rights(position: &Position) -> Result<(), Error> {
    for (player, wing) in &position.rights {
        let king = position.board.king(*player).filter(|_| position.lives(*player));
        let rook = king.and_then(|king| corner(*player, king, *wing));
        if !rook.is_some_and(|rook| position.board.holds(rook, *player, Kind::Rook)) {
            return Err(Error::new(format!(
                "{player:?} may castle {wing:?} but king and rook are not at home"
            )));
        }
    }
    Ok(())
}

/// An en passant square requires a living owner whose pawn has just passed over it from its home
/// line.
fn check_offers(position: &Position) -> Result<(), Error> {
    for (player, offer) in &position.offers {
        let skipped = offer.skipped;
        let stepped = position.lives(*player)
            && player.depth(skipped) == 2
            && skipped.step(player.forward()) == Some(offer.pawn)
            && position.board.holds(offer.pawn, *player, Kind::Pawn);
        if !stepped {
            return Err(Error::new(format!(
                "no pawn of {player:?} can have passed {skipped} to stand on {}",
                offer.pawn
            )));
        }
    }
    Ok(())
}

fn check_living(position: &Position, rules: &Rules) -> Result<(), Error> {
    if position.living.is_empty() {
        return Err(Error::new("nobody lives"));
    }
    let fallen = |player: Player| !position.lives(player) || !position.lives(player.opposite());
    if rules.mode == Mode::Teams && fallen(Player::Red) && fallen(Player::Blue) {
        return Err(Error::new("both teams have a dead player"));
    }
    Ok(())
}

fn check_turn(position: &Position, rules: &Rules) -> Result<(), Error> {
    let turn = position.turn;
    if position.lives(turn) || position.walks(turn, rules) {
        return Ok(());
    }
    Err(Error::new(format!("{turn:?} is to move but dead")))
}
