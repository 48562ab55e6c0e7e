//! Facts along files, ranks and diagonals: pins, skewers and x-rays.

use super::{XRays, is_worth_more, names};
use crate::board::{Role, Square};
use crate::chess::board::{Board, Color, Piece};

/// Returns the pinned pawns and the other pinned pieces: those that are alone between their king
/// and an enemy slider that moves along that line.
pub(super) fn pinned(board: &Board, color: Color) -> (Vec<Square>, Vec<Square>) {
    let king = Piece { owner: color, role: Role::King };
    let mut pairs = pairs_on_lines(board, color);
    pairs.retain(|(_, _, behind)| *behind == king);
    let squares = |pawns: bool| {
        let pinned = pairs.iter().filter(|(_, front, _)| (*front == Role::Pawn) == pawns);
        pinned.map(|(square, _, _)| *square).collect()
    };
    (squares(true), squares(false))
}

/// Returns the pieces other than pawns that an enemy slider attacks, if the next piece behind on
/// that line has the same color and is worth no more. Behind a king, any piece of its color counts.
pub(super) fn skewered(board: &Board, color: Color) -> Vec<Square> {
    let mut pairs = pairs_on_lines(board, color);
    pairs.retain(|(_, front, behind)| {
        *front != Role::Pawn
            && behind.owner == color
            && (*front == Role::King || !is_worth_more(behind.role, *front))
    });
    pairs.into_iter().map(|(square, _, _)| square).collect()
}

/// Returns the pieces of the color that an enemy slider attacks, each with the next piece behind it
/// on that line.
fn pairs_on_lines(board: &Board, color: Color) -> Vec<(Square, Role, Piece)> {
    let mut pairs = Vec::new();
    for (from, slider) in board.pieces_of(color.other()) {
        for &line in slider.lines() {
            if let Some((square, front)) = board.first_piece(from, line)
                && front.owner == color
                && let Some((_, behind)) = board.first_piece(square, line)
            {
                pairs.push((square, front.role, behind));
            }
        }
    }
    pairs
}

/// Returns the squares that each slider would also attack if the first piece in each direction were
/// removed.
pub(super) fn x_rays(board: &Board, color: Color) -> Vec<(String, XRays)> {
    let mut of_sliders = Vec::new();
    for (from, role) in board.pieces_of(color).filter(|(_, role)| !role.lines().is_empty()) {
        let gained = |may_remove: &dyn Fn(Color) -> bool| {
            let mut without = *board;
            for &line in role.lines() {
                if let Some((blocker, piece)) = board.first_piece(from, line)
                    && may_remove(piece.owner)
                {
                    without.remove(blocker);
                }
            }
            let before = board.attacks(from);
            let mut squares = without.attacks(from);
            squares.retain(|to| !before.contains(to));
            names(squares)
        };
        let own = gained(&|blocker| blocker == color);
        let enemy = gained(&|blocker| blocker != color);
        of_sliders.push((from.to_string(), XRays { own, enemy, any: gained(&|_| true) }));
    }
    of_sliders
}
