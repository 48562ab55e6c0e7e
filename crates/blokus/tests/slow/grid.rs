//! The rules on a plain grid, cell by cell: the reference for the fast generators.

use crate::pieces::Piece;
use crate::{Placement, Position, Variant};

/// The board as a grid of colors, with the pieces that each color has left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    variant: Variant,
    cells: Vec<Option<u8>>,
    left: Vec<Vec<Piece>>,
}

impl Grid {
    /// Returns an empty board.
    pub fn new(variant: Variant) -> Grid {
        Grid {
            variant,
            cells: vec![None; variant.size() * variant.size()],
            left: vec![Piece::all().collect(); variant.colors()],
        }
    }

    /// Returns the color on a cell, or `None` if the cell is empty or off the board.
    pub fn color_at(&self, row: i32, column: i32) -> Option<usize> {
        let size = self.variant.size() as i32;
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        inside.then(|| self.cells[(row * size + column) as usize]).flatten().map(usize::from)
    }

    /// Places a piece of a color, without checking the rules.
    pub fn place(&mut self, color: usize, placement: Placement) {
        for (row, column) in placement.cells() {
            self.cells[row * self.variant.size() + column] = Some(color as u8);
        }
        self.left[color].retain(|&piece| piece != placement.piece());
    }

    /// Returns the empty cells that touch a corner of a color but none of its edges. Before the
    /// first placement of the color, these are its empty start squares. Computed from the cells
    /// alone.
    pub fn frontier(&self, color: usize) -> Vec<(usize, usize)> {
        let size = self.variant.size();
        let all = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
        all.filter(|&(row, column)| {
            let empty = self.color_at(row as i32, column as i32).is_none();
            let touches = if self.has_begun(color) {
                self.touches(color, row, column, &CORNERS)
                    && !self.touches(color, row, column, &EDGES)
            } else {
                self.is_start(color, row, column)
            };
            empty && touches
        })
        .collect()
    }

    /// Returns whether a placement is legal for a color.
    pub fn allows(&self, color: usize, placement: Placement) -> bool {
        self.left[color].contains(&placement.piece())
            && self.fits(color, self.has_begun(color), placement)
    }

    /// Like [`Grid::allows`], for a piece known to be left and with `begun` already computed.
    fn fits(&self, color: usize, begun: bool, placement: Placement) -> bool {
        let empty =
            |(row, column): (usize, usize)| self.color_at(row as i32, column as i32).is_none();
        let apart = |(row, column)| !self.touches(color, row, column, &EDGES);
        let joined = |(row, column)| {
            if begun {
                self.touches(color, row, column, &CORNERS)
            } else {
                self.is_start(color, row, column)
            }
        };
        placement.cells().all(empty)
            && placement.cells().all(apart)
            && placement.cells().any(joined)
    }

    fn has_begun(&self, color: usize) -> bool {
        self.cells.contains(&Some(color as u8))
    }

    fn is_start(&self, color: usize, row: usize, column: usize) -> bool {
        (0..self.variant.colors())
            .filter(|&other| other == color || self.variant.has_free_starts())
            .any(|other| self.variant.start(other) == (row, column))
    }

    fn touches(&self, color: usize, row: usize, column: usize, ways: &[(i32, i32); 4]) -> bool {
        ways.iter().any(|&(down, right)| {
            self.color_at(row as i32 + down, column as i32 + right) == Some(color)
        })
    }
}

const EDGES: [(i32, i32); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const CORNERS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Tries every placement of the pieces that are left, cell by cell.
pub(crate) fn generate(grid: &Grid, color: usize, each: &mut dyn FnMut(Placement)) {
    let size = grid.variant.size();
    let begun = grid.has_begun(color);
    for piece in &grid.left[color] {
        for orientation in piece.orientations() {
            for row in 0..size {
                for column in 0..size {
                    let Some(placement) = Placement::new(size, orientation, row, column) else {
                        continue;
                    };
                    if grid.fits(color, begun, placement) {
                        each(placement);
                    }
                }
            }
        }
    }
}

impl Position {
    /// Returns the position as a plain grid.
    pub fn grid(&self) -> Grid {
        let mut grid = Grid::new(self.variant());
        for color in 0..self.variant().colors() {
            for (row, column) in self.cells(color).cells() {
                grid.cells[row * self.variant().size() + column] = Some(color as u8);
            }
            grid.left[color] = self.left(color).collect();
        }
        grid
    }

    /// Checks that the redundant parts of the position agree. For tests.
    ///
    /// # Panics
    /// Panics if they do not agree.
    pub fn assert_consistent(&self) {
        let grid = self.grid();
        let board = crate::Rows::board(self.variant().size());
        for color in 0..self.variant().colors() {
            let frontier: Vec<(usize, usize)> = self.frontier(color).cells().collect();
            assert_eq!(frontier, grid.frontier(color), "frontier of color {color} in {self}");
            let taken = (0..self.variant().colors())
                .fold(crate::Rows::EMPTY, |all, other| all.union(self.cells(other)));
            let free = board.difference(&taken).difference(&self.cells(color).edges());
            assert_eq!(*self.free(color), free, "free cells of color {color} in {self}");
            let size: u32 =
                Piece::all().filter(|&piece| !self.has(color, piece)).map(Piece::size).sum();
            assert_eq!(
                self.cells(color).len(),
                size as usize,
                "squares of color {color} in {self}"
            );
        }
    }
}
