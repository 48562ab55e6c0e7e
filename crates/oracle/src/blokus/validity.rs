//! Rejects invalid positions.

use super::board::{Cell, Colour, corner_neighbours};
use super::pieces::{Piece, piece_of};
use super::position::Position;
use crate::Error;

pub(super) fn check(position: &Position) -> Result<(), Error> {
    for colour in &position.variant.colours {
        check_pieces(position, *colour)?;
        check_start(position, *colour)?;
        check_corners(position, *colour)?;
    }
    check_bonus(position)?;
    check_turn(position)
}

/// Every group of cells connected by edges must be a piece, and no piece may occur twice.
fn check_pieces(position: &Position, colour: Colour) -> Result<(), Error> {
    let mut placed: Vec<&Piece> = Vec::new();
    for part in position.parts(colour) {
        let piece = piece_of(&part).ok_or_else(|| {
            Error::new(format!("{colour:?} has {} cells together that are no piece", part.len()))
        })?;
        if placed.contains(&piece) {
            return Err(Error::new(format!("{colour:?} has placed {} twice", piece.name)));
        }
        placed.push(piece);
    }
    Ok(())
}

fn check_start(position: &Position, colour: Colour) -> Result<(), Error> {
    let cells = position.board.cells_of(colour);
    let starts = position.variant.starts_of(colour);
    if cells.is_empty() || starts.iter().any(|start| cells.contains(start)) {
        return Ok(());
    }
    Err(Error::new(format!("{colour:?} covers no start square")))
}

/// All pieces of the color must be connected through corners.
fn check_corners(position: &Position, colour: Colour) -> Result<(), Error> {
    let mut apart = position.parts(colour);
    let mut together: Vec<Vec<Cell>> = apart.pop().into_iter().collect();
    while let Some(next) =
        apart.iter().position(|part| together.iter().any(|other| meet(part, other)))
    {
        together.push(apart.remove(next));
    }
    if apart.is_empty() {
        return Ok(());
    }
    Err(Error::new(format!("the pieces of {colour:?} do not hang together by corners")))
}

fn meet(part: &[Cell], other: &[Cell]) -> bool {
    part.iter().any(|cell| corner_neighbours(*cell).iter().any(|corner| other.contains(corner)))
}

fn check_bonus(position: &Position) -> Result<(), Error> {
    match position.bonus.iter().find(|colour| !position.left(**colour).is_empty()) {
        Some(colour) => Err(Error::new(format!("{colour:?} has a bonus but pieces left"))),
        None => Ok(()),
    }
}

fn check_turn(position: &Position) -> Result<(), Error> {
    let Some(turn) = position.turn else {
        let able = position.variant.colours.iter().find(|colour| position.can_place(**colour));
        return match able {
            Some(colour) => Err(Error::new(format!("nobody is to move but {colour:?} can place"))),
            None => Ok(()),
        };
    };
    if position.can_place(turn) {
        return Ok(());
    }
    Err(Error::new(format!("{turn:?} is to move but cannot place")))
}
