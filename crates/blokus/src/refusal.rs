//! The reasons why a placement is illegal.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use thiserror::Error;

use crate::cell_set::{CellSet, ROWS};
use crate::pieces::{MAX_PIECE_SIZE, Piece};
use crate::text::{bottom_up, cell_name, cell_names};
use crate::{Placement, Position};

/// The first rule that a placement breaks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The piece has already been placed.
    #[error("piece {} is already on the board", .0.name())]
    AlreadyPlaced(Piece),
    /// A cell is occupied.
    #[error("{cell} is occupied")]
    Occupied {
        /// The name of the cell.
        cell: String,
    },
    /// A cell shares an edge with a cell of the same color.
    #[error("{cell} touches an edge of the same color")]
    OwnEdge {
        /// The name of the cell.
        cell: String,
    },
    /// No cell shares a corner with a cell of the same color.
    #[error("no cell touches a corner of the same color")]
    NoCorner,
    /// The first placement of a color does not cover a start square.
    #[error("{}", not_on_start(.starts))]
    NotOnStart {
        /// The names of the empty start squares, separated by commas.
        starts: String,
    },
    /// The game is over.
    #[error("the game is over")]
    GameOver,
}

/// Describes where a first piece must be placed.
fn not_on_start(starts: &str) -> String {
    match starts {
        "" => "the start square is occupied".to_owned(),
        _ => format!("the first piece must cover the start square {starts}"),
    }
}

/// Returns whether `set` contains all cells of a placement.
fn covers_only(set: &CellSet, placement: Placement) -> bool {
    let rows = placement.rows();
    (0..MAX_PIECE_SIZE).all(|row| rows[row] & !set.0[(placement.row() + row) % ROWS] == 0)
}

impl Position {
    /// Returns whether a placement of the color to move is legal.
    pub fn is_legal(&self, placement: Placement) -> bool {
        self.turn().is_some_and(|color| {
            let on_frontier = |(row, column)| self.frontier(color).contains(row, column);
            self.has(color, placement.piece())
                && covers_only(self.free(color), placement)
                && placement.cells().any(on_frontier)
        })
    }

    /// Returns the first rule that a placement of the color to move breaks, or `None` if it is
    /// legal.
    pub fn refusal(&self, placement: Placement) -> Option<Refusal> {
        let size = self.variant().size();
        // Check the cells from the bottom row up, the order in which moves are written.
        let cells = bottom_up(placement.cells());
        let first = |broken: &dyn Fn(usize, usize) -> bool| {
            let cell = cells.iter().find(|&&(row, column)| broken(row, column));
            cell.map(|&(row, column)| cell_name(size, row, column))
        };
        let occupied = |row, column| self.color_at(row, column).is_some();
        let Some(color) = self.turn() else {
            return Some(match first(&occupied) {
                Some(cell) => Refusal::Occupied { cell },
                None => Refusal::GameOver,
            });
        };
        if !self.has(color, placement.piece()) {
            return Some(Refusal::AlreadyPlaced(placement.piece()));
        }
        if let Some(cell) = first(&occupied) {
            return Some(Refusal::Occupied { cell });
        }
        if let Some(cell) = first(&|row, column| !self.free(color).contains(row, column)) {
            return Some(Refusal::OwnEdge { cell });
        }
        if cells.iter().any(|&(row, column)| self.frontier(color).contains(row, column)) {
            return None;
        }
        if self.placed(color) > 0 {
            return Some(Refusal::NoCorner);
        }
        Some(Refusal::NotOnStart { starts: cell_names(size, self.frontier(color).cells()) })
    }
}
