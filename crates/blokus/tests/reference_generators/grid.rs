//! A naive generator: the rules on a grid, cell by cell.

use fourfold_blokus::{Color, Piece, Placement, Position, Variant};

/// The board as a grid of colors, with the pieces that each color has left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    variant: Variant,
    cells: Vec<Option<Color>>,
    left: Vec<Vec<Piece>>,
}

impl Grid {
    /// Returns the board of a position.
    pub(crate) fn of(position: &Position) -> Grid {
        let variant = position.variant();
        let mut cells = vec![None; variant.size() * variant.size()];
        for color in variant.colors() {
            for (row, column) in position.cells(color).cells() {
                cells[row * variant.size() + column] = Some(color);
            }
        }
        let left = variant.colors().map(|color| position.remaining(color).collect()).collect();
        Grid { variant, cells, left }
    }

    /// Returns the color on a cell, or `None` if the cell is empty or off the board.
    fn color_at(&self, row: i32, column: i32) -> Option<Color> {
        let size = self.variant.size() as i32;
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        inside.then(|| self.cells[(row * size + column) as usize]).flatten()
    }

    /// Places a piece of a color, without checking the rules.
    pub(crate) fn place(&mut self, color: Color, placement: Placement) {
        for (row, column) in placement.cells() {
            self.cells[row * self.variant.size() + column] = Some(color);
        }
        self.left[color.index()].retain(|&piece| piece != placement.piece());
    }

    /// Returns the empty cells that touch a corner of a color but none of its edges. Before the
    /// first placement of the color, these are its empty start squares. Computed from the cells
    /// alone.
    pub(crate) fn frontier(&self, color: Color) -> Vec<(usize, usize)> {
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

    /// Returns whether a remaining piece may be placed. `begun` is false for the first piece.
    fn fits(&self, color: Color, begun: bool, placement: Placement) -> bool {
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

    fn has_begun(&self, color: Color) -> bool {
        self.cells.contains(&Some(color))
    }

    fn is_start(&self, color: Color, row: usize, column: usize) -> bool {
        self.variant
            .colors()
            .filter(|&other| other == color || self.variant.has_free_starts())
            .any(|other| self.variant.start(other) == (row, column))
    }

    fn touches(&self, color: Color, row: usize, column: usize, steps: &[(i32, i32); 4]) -> bool {
        steps.iter().any(|&(down, right)| {
            self.color_at(row as i32 + down, column as i32 + right) == Some(color)
        })
    }
}

const EDGES: [(i32, i32); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const CORNERS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Tries every placement of the pieces that are left, cell by cell.
pub(crate) fn naive(position: &Position, color: Color, each: &mut dyn FnMut(Placement)) {
    let grid = Grid::of(position);
    let size = grid.variant.size();
    let begun = grid.has_begun(color);
    for piece in &grid.left[color.index()] {
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
