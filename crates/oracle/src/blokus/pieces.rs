//! The 21 pieces and their orientations.

use std::sync::LazyLock;

use super::board::{Cell, edge_neighbors};

/// The names of the pieces, in table order, with a drawing of each.
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

/// One of the 21 shapes; every color has each of them once.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) name: &'static str,
    /// All distinct rotations and reflections, moved to the top left corner: sorted lists of cells,
    /// which are themselves in sorted order.
    pub(super) orientations: Vec<Vec<Cell>>,
}

impl Piece {
    /// The number of cells.
    pub(super) fn size(&self) -> usize {
        self.orientations[0].len()
    }

    /// Whether it is the single square, which earns a bonus if it is placed last.
    pub(super) fn is_single_square(&self) -> bool {
        self.size() == 1
    }
}

/// Returns all pieces, in table order.
pub(super) fn pieces() -> &'static [Piece] {
    static PIECES: LazyLock<Vec<Piece>> = LazyLock::new(|| {
        let piece = |(name, drawing)| Piece { name, orientations: orientations(&cells(drawing)) };
        DRAWINGS.into_iter().map(piece).collect()
    });
    &PIECES
}

/// Returns the piece of this shape, wherever the cells are, or `None` if no piece has this shape.
pub(super) fn piece_of(cells: &[Cell]) -> Option<&'static Piece> {
    let shape = pushed_to_corner(cells);
    pieces().iter().find(|piece| piece.orientations.contains(&shape))
}

/// Parses a drawing: rows from the top, separated by ` / `.
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

/// Returns the shape translated so that its top row and its left column are 0, and sorted.
fn pushed_to_corner(shape: &[Cell]) -> Vec<Cell> {
    let top = shape.iter().map(|&(row, _)| row).min().unwrap_or(0);
    let left = shape.iter().map(|&(_, col)| col).min().unwrap_or(0);
    let mut pushed: Vec<Cell> = shape.iter().map(|&(row, col)| (row - top, col - left)).collect();
    pushed.sort();
    pushed
}

/// Returns the cells that are connected to the first one by edges.
pub(super) fn connected_part(cells: &[Cell]) -> Vec<Cell> {
    let mut part: Vec<Cell> = cells.iter().take(1).copied().collect();
    let mut seen = 0;
    while seen < part.len() {
        for neighbor in edge_neighbors(part[seen]) {
            if cells.contains(&neighbor) && !part.contains(&neighbor) {
                part.push(neighbor);
            }
        }
        seen += 1;
    }
    part
}
