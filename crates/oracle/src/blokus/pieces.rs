//! The 21 pieces and the ways to lay them.

use std::sync::LazyLock;

use super::board::{Cell, edge_neighbours};

/// The pieces in their order, with one drawing each.
const DRAWINGS: [(&str, &str); 21] = [
    ("I1", "#"),
    ("I2", "##"),
    ("I3", "###"),
    ("V3", "#. / ##"),
    ("I4", "####"),
    ("L4", "#.. / ###"),
    ("O4", "## / ##"),
    ("T4", ".#. / ###"),
    ("Z4", "##. / .##"),
    ("F5", ".## / ##. / .#."),
    ("I5", "#####"),
    ("L5", "#... / ####"),
    ("N5", "##.. / .###"),
    ("P5", "## / ## / #."),
    ("T5", "### / .#. / .#."),
    ("U5", "#.# / ###"),
    ("V5", "#.. / #.. / ###"),
    ("W5", "#.. / ##. / .##"),
    ("X5", ".#. / ### / .#."),
    ("Y5", ".#.. / ####"),
    ("Z5", "##. / .#. / .##"),
];

/// One of the 21 shapes that every colour owns once.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) name: &'static str,
    /// Every way to turn and flip it, pushed into the top left corner: sorted lists of cells, the
    /// lists themselves sorted too.
    pub(super) orientations: Vec<Vec<Cell>>,
}

impl Piece {
    /// The number of its squares.
    pub(super) fn size(&self) -> usize {
        self.orientations[0].len()
    }

    /// Whether it is the single square, which is worth a bonus when it comes last.
    pub(super) fn is_single_square(&self) -> bool {
        self.size() == 1
    }
}

/// All pieces, in the order of the table.
pub(super) fn pieces() -> &'static [Piece] {
    static PIECES: LazyLock<Vec<Piece>> = LazyLock::new(|| {
        let piece = |(name, drawing)| Piece { name, orientations: orientations(&cells(drawing)) };
        DRAWINGS.into_iter().map(piece).collect()
    });
    &PIECES
}

/// The piece of this shape, wherever the cells are; none if they are no piece.
pub(super) fn piece_of(cells: &[Cell]) -> Option<&'static Piece> {
    let shape = pushed_to_corner(cells);
    pieces().iter().find(|piece| piece.orientations.contains(&shape))
}

/// The cells of a drawing: rows from the top with ` / ` between them.
fn cells(drawing: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (row, line) in (0..).zip(drawing.split(" / ")) {
        for (col, mark) in (0..).zip(line.chars()) {
            if mark == '#' {
                cells.push((row, col));
            }
        }
    }
    cells
}

fn orientations(shape: &[Cell]) -> Vec<Vec<Cell>> {
    let mut all = Vec::new();
    let mut turned = shape.to_vec();
    for _ in 0..4 {
        turned = quarter_turn(&turned);
        all.push(pushed_to_corner(&turned));
        all.push(pushed_to_corner(&flip(&turned)));
    }
    all.sort();
    all.dedup();
    all
}

fn quarter_turn(shape: &[Cell]) -> Vec<Cell> {
    shape.iter().map(|&(row, col)| (col, -row)).collect()
}

fn flip(shape: &[Cell]) -> Vec<Cell> {
    shape.iter().map(|&(row, col)| (row, -col)).collect()
}

/// The same shape, sorted, with its top row and its left column at 0.
fn pushed_to_corner(shape: &[Cell]) -> Vec<Cell> {
    let top = shape.iter().map(|&(row, _)| row).min().unwrap_or(0);
    let left = shape.iter().map(|&(_, col)| col).min().unwrap_or(0);
    let mut pushed: Vec<Cell> = shape.iter().map(|&(row, col)| (row - top, col - left)).collect();
    pushed.sort();
    pushed
}

/// The part of the cells that hangs together with the first of them by edges.
pub(super) fn connected_part(cells: &[Cell]) -> Vec<Cell> {
    let mut part: Vec<Cell> = cells.iter().take(1).copied().collect();
    let mut seen = 0;
    while seen < part.len() {
        for neighbour in edge_neighbours(part[seen]) {
            if cells.contains(&neighbour) && !part.contains(&neighbour) {
                part.push(neighbour);
            }
        }
        seen += 1;
    }
    part
}
