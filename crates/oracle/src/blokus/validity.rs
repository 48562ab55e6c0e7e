//! Rejects invalid positions.

use super::board::{Cell, Color, corner_neighbors};
use super::pieces::{Piece, piece_of};
use super::position::Position;
use crate::Error;
use crate::error::{bail, ensure};

pub(super) fn check(position: &Position) -> Result<(), Error> {
    for color in &position.variant.colors {
        check_pieces(position, *color)?;
        check_start(position, *color)?;
        check_corners(position, *color)?;
    }
    check_bonus(position)?;
    check_turn(position)
}

/// Every group of cells connected by edges must be a piece, and no piece may occur twice.
fn check_pieces(position: &Position, color: Color) -> Result<(), Error> {
    let mut placed: Vec<&Piece> = Vec::new();
    for part in position.parts(color) {
        let piece = piece_of(&part).ok_or_else(|| {
            let cells = part.len();
            format!("{color:?} has {cells} connected cells that do not form a piece")
        })?;
        ensure!(!placed.contains(&piece), "{color:?} has placed {} twice", piece.name);
        placed.push(piece);
    }
    Ok(())
}

fn check_start(position: &Position, color: Color) -> Result<(), Error> {
    let cells = position.board.cells_of(color);
    let starts = position.variant.starts_of(color);
    let covers = cells.is_empty() || starts.iter().any(|start| cells.contains(start));
    ensure!(covers, "{color:?} covers no start square");
    Ok(())
}

/// All pieces of the color must be connected through corners.
fn check_corners(position: &Position, color: Color) -> Result<(), Error> {
    let mut apart = position.parts(color);
    let mut together: Vec<Vec<Cell>> = apart.pop().into_iter().collect();
    while let Some(next) =
        apart.iter().position(|part| together.iter().any(|other| meet(part, other)))
    {
        together.push(apart.remove(next));
    }
    ensure!(apart.is_empty(), "the pieces of {color:?} are not connected through corners");
    Ok(())
}

fn meet(part: &[Cell], other: &[Cell]) -> bool {
    part.iter().any(|cell| corner_neighbors(*cell).iter().any(|corner| other.contains(corner)))
}

fn check_bonus(position: &Position) -> Result<(), Error> {
    for color in &position.bonus {
        ensure!(position.left(*color).is_empty(), "{color:?} has a bonus but pieces left");
    }
    Ok(())
}

fn check_turn(position: &Position) -> Result<(), Error> {
    if let Some(turn) = position.turn {
        ensure!(position.can_place(turn), "{turn:?} is to move but cannot place");
        return Ok(());
    }
    match position.variant.colors.iter().find(|color| position.can_place(**color)) {
        Some(color) => bail!("the game is marked over but {color:?} can place"),
        None => Ok(()),
    }
}
