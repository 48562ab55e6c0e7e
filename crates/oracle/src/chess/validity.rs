//! Rejects positions that no game can have reached.

use super::board::{Board, Kind, Side, Square};
use super::position::Position;
use crate::Error;

/// Checks the pieces on their own: the number of each role, and the pawns' ranks.
pub(super) fn check_men(board: &Board) -> Result<(), Error> {
    for side in Side::BOTH {
        check_numbers(board, side)?;
    }
    for (square, piece) in board.men() {
        if piece.kind == Kind::Pawn && (square.rank == 0 || square.rank == 7) {
            return Err(Error::new(format!("pawn on {square}")));
        }
    }
    Ok(())
}

fn check_numbers(board: &Board, side: Side) -> Result<(), Error> {
    let kings = board.count(side, Kind::King);
    if kings != 1 {
        return Err(Error::new(format!("{side} has {kings} kings, not 1")));
    }
    let men = board.men().filter(|(_, piece)| piece.side == side).count();
    if men > 16 {
        return Err(Error::new(format!("{side} has {men} men, more than 16")));
    }
    let pawns = board.count(side, Kind::Pawn);
    if pawns > 8 {
        return Err(Error::new(format!("{side} has {pawns} pawns, more than 8")));
    }
    let beyond = |kind: Kind, start: usize| board.count(side, kind).saturating_sub(start);
    let promoted = beyond(Kind::Knight, 2)
        + beyond(Kind::Bishop, 2)
        + beyond(Kind::Rook, 2)
        + beyond(Kind::Queen, 1);
    if promoted > 8 - pawns {
        return Err(Error::new(format!(
            "{side} has {promoted} promoted men but only {} pawns missing",
            8 - pawns
        )));
    }
    Ok(())
}

/// Checks that only the side to move is in check, by at most two pieces.
pub(super) fn check_kings(position: &Position) -> Result<(), Error> {
    let waiting = position.turn.other();
    if position.board.in_check(waiting) {
        return Err(Error::new(format!("{waiting} is in check but {} is to move", position.turn)));
    }
    let checkers = match position.board.king(position.turn) {
        Some(king) => position.board.attackers(king, waiting),
        None => 0,
    };
    if checkers > 2 {
        return Err(Error::new(format!(
            "{} is in check from {checkers} men, more than 2",
            position.turn
        )));
    }
    Ok(())
}

/// Checks that the last move can have been a double step over the en passant square.
pub(super) fn check_en_passant(board: &Board, turn: Side, passed: Square) -> Result<(), Error> {
    let mover = turn.other();
    let start = passed.step(0, -mover.forward());
    let end = passed.step(0, mover.forward());
    let stepped = start
        .is_some_and(|start| start.rank == mover.pawn_rank() && board.is_empty(start))
        && board.is_empty(passed)
        && end.is_some_and(|end| board.holds(end, mover, Kind::Pawn));
    if stepped {
        Ok(())
    } else {
        Err(Error::new(format!(
            "no {mover} pawn can just have passed over en passant square {passed}"
        )))
    }
}
