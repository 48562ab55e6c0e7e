//! Generators of legal placements that are slower than that of the crate and share no code with it,
//! for comparison in tests and benchmarks. Other crates include this module by its path.

pub(crate) mod frontier;
mod grid;

use fourfold_blokus::{CellSet, Color, Each, MAX_SIZE, Piece, Placement, Position};

pub(crate) use grid::{Grid, naive};

/// Finds the legal placements of a color, in unspecified order.
pub(crate) type Generate = fn(&Position, Color, &mut dyn FnMut(Placement));

/// All generators, with that of the crate first.
pub(crate) const GENERATORS: [(&str, Generate); 3] = [
    ("default", |position, color, each| position.generate(color, &mut Each(each))),
    ("frontier", frontier::generate),
    ("naive", naive),
];

/// Returns the legal placements of a color that a generator finds, sorted.
pub(crate) fn legal_of(position: &Position, color: Color, generate: Generate) -> Vec<Placement> {
    let mut list = Vec::new();
    generate(position, color, &mut |placement| list.push(placement));
    list.sort_unstable();
    list
}

/// Checks that the redundant parts of a position agree.
pub(crate) fn assert_consistent(position: &Position) {
    let (variant, grid) = (position.variant(), Grid::of(position));
    let board = CellSet::full(variant.size());
    for color in variant.colors() {
        let frontier: Vec<(usize, usize)> = position.frontier(color).cells().collect();
        assert_eq!(frontier, grid.frontier(color), "frontier of color {color:?} in {position}");
        let taken =
            variant.colors().fold(CellSet::EMPTY, |all, other| all.union(position.cells(other)));
        let (own, untaken) = (position.cells(color), board.difference(&taken));
        for row in 0..MAX_SIZE {
            let above = row.checked_sub(1).map_or(0, |above| own.row(above));
            let edges = above | own.row(row + 1) | own.row(row) << 1 | own.row(row) >> 1;
            let free = position.free(color).row(row);
            let expected = untaken.row(row) & !edges;
            assert_eq!(free, expected, "free cells of color {color:?} in row {row} of {position}");
        }
        let size: u32 =
            Piece::all().filter(|&piece| !position.has(color, piece)).map(Piece::size).sum();
        let covered = position.cells(color).len();
        assert_eq!(covered, size as usize, "squares of color {color:?} in {position}");
    }
}
