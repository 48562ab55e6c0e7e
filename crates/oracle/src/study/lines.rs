//! Facts along files, ranks and diagonals: pins, skewers and x-rays.

use super::board::{Board, Colour, DIRECTIONS, Kind, Square, slides};
use super::{XRays, names};

/// Returns the pinned pawns and the other pinned pieces: those that are alone between their king
/// and an enemy slider that moves along that line.
pub(super) fn pinned(board: &Board, colour: Colour) -> (Vec<Square>, Vec<Square>) {
    let mut pinned = Vec::new();
    for king in board.squares_of(colour, Kind::King) {
        for (from, slider) in board.men(colour.other()) {
            let on_line = king.direction_to(from).is_some_and(|line| slides(slider, line));
            if let ([man], true) = (&board.between(king, from)[..], on_line)
                && let Some(blocker) = board.at(*man)
                && blocker.colour == colour
            {
                pinned.push((*man, blocker.kind));
            }
        }
    }
    let is_pawn = |(_, kind): &(Square, Kind)| *kind == Kind::Pawn;
    let (pawns, others): (Vec<_>, Vec<_>) = pinned.into_iter().partition(is_pawn);
    let squares = |men: Vec<(Square, Kind)>| men.into_iter().map(|(square, _)| square).collect();
    (squares(pawns), squares(others))
}

/// Returns the pieces other than pawns that an enemy slider attacks, if the next piece behind on
/// that line has the same color and is worth no more. Behind a king, any piece of its color counts.
pub(super) fn skewered(board: &Board, colour: Colour) -> Vec<Square> {
    let mut squares = Vec::new();
    for (front, kind) in board.men(colour) {
        let by_slider = |from: &Square| board.at(*from).is_some_and(|man| man.kind.is_slider());
        let sliders: Vec<Square> =
            board.attackers(front, colour.other()).into_iter().filter(by_slider).collect();
        let is_skewer = |slider: &Square| {
            let behind = slider.direction_to(front).and_then(|line| board.first_man(front, line));
            behind.is_some_and(|(_, man)| {
                man.colour == colour && (kind == Kind::King || !man.kind.is_worth_more_than(kind))
            })
        };
        if kind != Kind::Pawn && sliders.iter().any(is_skewer) {
            squares.push(front);
        }
    }
    squares
}

/// Returns the squares that each slider would also attack if the first piece in each direction were
/// removed.
pub(super) fn x_rays(board: &Board, colour: Colour) -> Vec<(String, XRays)> {
    let mut of_sliders = Vec::new();
    for (from, kind) in board.men(colour) {
        if kind.is_slider() {
            let own = gained(board, from, kind, |blocker| blocker == colour);
            let enemy = gained(board, from, kind, |blocker| blocker != colour);
            let any = gained(board, from, kind, |_| true);
            let x_rays = XRays { own: names(own), enemy: names(enemy), any: names(any) };
            of_sliders.push((from.to_string(), x_rays));
        }
    }
    of_sliders
}

/// Returns the squares that a slider attacks only after removing the first piece in each of its
/// directions, where `may_lift` allows removing pieces of that color.
fn gained(
    board: &Board,
    from: Square,
    kind: Kind,
    may_lift: impl Fn(Colour) -> bool,
) -> Vec<Square> {
    let mut without = board.clone();
    for direction in DIRECTIONS {
        if let Some((blocker, man)) = board.first_man(from, direction)
            && slides(kind, direction)
            && may_lift(man.colour)
        {
            without.put(blocker, None);
        }
    }
    let mut squares = without.attacked_from(from);
    squares.retain(|to| !board.attacks(from, *to));
    squares
}
