//! Rejects positions that no game can have reached.

use super::board::{Board, Color};
use super::position::Position;
use crate::Error;
use crate::board::{Role, Square};
use crate::error::ensure;

/// Checks the pieces on their own: the number of each role, and the pawns' ranks.
pub(super) fn check_pieces(board: &Board) -> Result<(), Error> {
    for color in Color::ALL {
        check_numbers(board, color)?;
    }
    for (square, piece) in board.pieces() {
        let is_outer = square.rank == 0 || square.rank == 7;
        ensure!(piece.role != Role::Pawn || !is_outer, "pawn on {square}");
    }
    Ok(())
}

fn check_numbers(board: &Board, color: Color) -> Result<(), Error> {
    let count = |role| board.squares_of(color, role).len();
    let kings = count(Role::King);
    ensure!(kings == 1, "expected one {color} king, got {kings}");
    let pieces = board.pieces_of(color).count();
    ensure!(pieces <= 16, "{color} has {pieces} pieces, at most 16 are possible");
    let pawns = count(Role::Pawn);
    ensure!(pawns <= 8, "{color} has {pawns} pawns, at most 8 are possible");
    let at_start = [(Role::Knight, 2), (Role::Bishop, 2), (Role::Rook, 2), (Role::Queen, 1)];
    let beyond = |(role, start): (Role, usize)| count(role).saturating_sub(start);
    let promoted: usize = at_start.into_iter().map(beyond).sum();
    let missing = 8 - pawns;
    ensure!(
        promoted <= missing,
        "{color} has {promoted} promoted pieces but only {missing} pawns missing"
    );
    Ok(())
}

/// Checks that only the side to move is in check, by at most two pieces.
pub(super) fn check_kings(position: &Position) -> Result<(), Error> {
    let (turn, waiting) = (position.turn, position.turn.other());
    ensure!(!position.is_check(waiting), "{waiting} is in check but {turn} is to move");
    let king = position.board.king(turn);
    let checkers = king.map_or(0, |king| position.board.attackers(king, waiting).count());
    ensure!(checkers <= 2, "{turn} is checked by {checkers} pieces, at most 2 are possible");
    Ok(())
}

/// Checks that the last move can have been a double step over the en passant square.
pub(super) fn check_en_passant(board: &Board, turn: Color, passed: Square) -> Result<(), Error> {
    let mover = turn.other();
    let end = passed.step(mover.forward());
    let start = passed.step(turn.forward());
    let stepped = mover.relative_rank(start.rank) == 1
        && board.is_empty(start)
        && board.is_empty(passed)
        && board.holds(end, mover, Role::Pawn);
    ensure!(stepped, "no {mover} pawn can just have passed over en passant square {passed}");
    Ok(())
}
