//! Rejects invalid positions.

use super::moves::promotion_depth;
use super::player::Player;
use super::position::{EnPassant, Position, corner};
use super::rules::{Mode, Rules};
use crate::Error;
use crate::board::Role;
use crate::error::ensure;

pub(super) fn check(position: &Position, rules: &Rules) -> Result<(), Error> {
    for player in Player::ALL {
        check_withdrawal(position, player)?;
        check_pieces(position, player)?;
        check_pawns(position, player, rules)?;
    }
    check_rights(position)?;
    check_en_passant(position)?;
    check_alive(position, rules)?;
    let turn = position.turn;
    let can_move = position.is_alive(turn) || position.has_walking_king(turn, rules);
    ensure!(can_move, "{turn:?} is to move but eliminated");
    Ok(())
}

fn check_withdrawal(position: &Position, player: Player) -> Result<(), Error> {
    let both = position.resigned.contains(&player) && position.flagged.contains(&player);
    ensure!(!both, "{player:?} has both resigned and been flagged");
    let still_in = position.has_withdrawn(player) && position.is_alive(player);
    ensure!(!still_in, "{player:?} has withdrawn but is not marked dead");
    Ok(())
}

fn check_pieces(position: &Position, player: Player) -> Result<(), Error> {
    let kings = position.board.squares_of(player, Role::King).len();
    let has_enough = kings == 1 || (kings == 0 && !position.is_alive(player));
    ensure!(has_enough, "{player:?} has {kings} kings");
    let pieces = position.board.pieces_of(player).count();
    ensure!(pieces <= 16, "{player:?} has {pieces} pieces, at most 16 are possible");
    Ok(())
}

/// No pawn may be on its owner's first line, nor where it would have promoted.
fn check_pawns(position: &Position, player: Player, rules: &Rules) -> Result<(), Error> {
    for square in position.board.squares_of(player, Role::Pawn) {
        let depths = 1..promotion_depth(rules.mode);
        ensure!(depths.contains(&player.depth(square)), "{player:?} has a pawn on {square}");
    }
    Ok(())
}

/// A castling right requires a living owner, the king at home, and a rook in the corner.
fn check_rights(position: &Position) -> Result<(), Error> {
    for (player, wing) in &position.rights {
        let king = position.board.king(*player).filter(|_| position.is_alive(*player));
        let rook = king.and_then(|king| corner(*player, king, *wing));
        ensure!(
            rook.is_some_and(|rook| position.board.holds(rook, *player, Role::Rook)),
            "{player:?} may castle {wing:?} but king and rook are not at home"
        );
    }
    Ok(())
}

/// An en passant square requires a living owner whose pawn has just passed over it from its home
/// line.
fn check_en_passant(position: &Position) -> Result<(), Error> {
    for (player, EnPassant { skipped, pawn }) in &position.en_passant {
        let stepped = position.is_alive(*player)
            && player.depth(*skipped) == 2
            && skipped.step(player.forward()) == *pawn
            && position.board.holds(*pawn, *player, Role::Pawn);
        ensure!(stepped, "no pawn of {player:?} can have passed {skipped} to stand on {pawn}");
    }
    Ok(())
}

fn check_alive(position: &Position, rules: &Rules) -> Result<(), Error> {
    ensure!(!position.alive.is_empty(), "no player is alive");
    let has_lost =
        |player: Player| !position.is_alive(player) || !position.is_alive(player.opposite());
    let both = rules.mode == Mode::Teams && has_lost(Player::Red) && has_lost(Player::Blue);
    ensure!(!both, "both teams have an eliminated player");
    Ok(())
}
