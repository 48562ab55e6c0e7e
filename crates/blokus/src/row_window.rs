//! Move generation for the placements of one top row, without tables that are indexed at run time: on a GPU,
//! each thread searches one row, and all threads of a game run the same instructions.

use fourfold_common::cpu::Cpu;

use crate::pieces::{MAX_PIECE_SIZE, ORIENTATIONS, Orientation, PIECES, Piece};
use crate::position::ALL_PIECES;

/// The largest number of orientations of a piece.
pub const MAX_ORIENTATIONS: usize = 8;

/// The rows that a placement with a given top row can cover. On a GPU, they stay in registers.
///
/// ```
/// use fourfold_blokus::{Color, Position, RowWindow, Variant};
///
/// let position = Position::start(Variant::CLASSIC);
/// let (free, frontier) = (position.free(Color::ALL[0]), position.frontier(Color::ALL[0]));
/// let window = RowWindow { free: free.rows_from(0), frontier: frontier.rows_from(0) };
/// // The two orientations of the domino fit into the corner.
/// assert_eq!(window.places(1), [1, 1, 0, 0, 0, 0, 0, 0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RowWindow {
    /// The cells that a color may cover: bit `c` of row `r` stands for column `c`, `r` rows below the top row.
    pub free: [u32; MAX_PIECE_SIZE],
    /// The frontier of the color.
    pub frontier: [u32; MAX_PIECE_SIZE],
}

impl RowWindow {
    /// Returns the leftmost columns of the legal placements in the top row, for each orientation of the piece with
    /// this index.
    #[inline(always)]
    pub fn places(&self, piece: usize) -> [u32; MAX_ORIENTATIONS] {
        macro_rules! places {
            ($($piece:literal)+) => {
                match piece {
                    $($piece => [
                        self.origins::<{ orientation($piece, 0) }>(),
                        self.origins::<{ orientation($piece, 1) }>(),
                        self.origins::<{ orientation($piece, 2) }>(),
                        self.origins::<{ orientation($piece, 3) }>(),
                        self.origins::<{ orientation($piece, 4) }>(),
                        self.origins::<{ orientation($piece, 5) }>(),
                        self.origins::<{ orientation($piece, 6) }>(),
                        self.origins::<{ orientation($piece, 7) }>(),
                    ],)+
                    _ => [0; MAX_ORIENTATIONS],
                }
            };
        }
        places!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
    }

    /// Returns whether one of some pieces, given as bits, can be placed in the top row. Threads that run in
    /// lockstep, each with another row, stop when one of them has found a place; the others may then return false.
    #[inline(always)]
    pub fn has_place<C: Cpu>(&self, cpu: C, mut pieces: u32) -> bool {
        let mut found = false;
        while pieces != 0 && !cpu.any(found) {
            let window = self.hidden_from_compiler(pieces);
            let places = window.places(pieces.trailing_zeros() as usize);
            found = places.iter().fold(0, |all, places| all | places) != 0;
            pieces &= pieces - 1;
        }
        found
    }

    /// Returns the same window, given some pieces as bits. The compiler cannot know that it is the same: otherwise it
    /// would compute much of [`RowWindow::places`] for all pieces before a loop over some, which needs too many
    /// registers on a GPU.
    #[inline(always)]
    #[must_use]
    pub fn hidden_from_compiler(&self, pieces: u32) -> RowWindow {
        let none = pieces & !ALL_PIECES;
        RowWindow {
            free: self.free.map(|row| row | none),
            frontier: self.frontier.map(|row| row | none),
        }
    }

    /// Returns the columns where an orientation is legal; none if there is no such orientation.
    #[inline(always)]
    fn origins<const ORIENTATION: usize>(&self) -> u32 {
        if ORIENTATION == ORIENTATIONS {
            return 0;
        }
        let (mut fits, mut hits) = (u32::MAX, 0);
        // The places of the cells are constants of the code, so that no array is indexed at run time.
        macro_rules! cells {
            ($($cell:literal)+) => {
                $(
                    let (row, column) = const { cell(ORIENTATION, $cell) };
                    fits &= self.free[row] >> column;
                    hits |= self.frontier[row] >> column;
                )+
            };
        }
        cells!(0 1 2 3 4);
        fits & hits
    }
}

/// Returns the index of an orientation of a piece, or [`ORIENTATIONS`] if it has fewer.
const fn orientation(piece: usize, number: usize) -> usize {
    let Some(piece) = Piece::new(piece) else { return ORIENTATIONS };
    let orientations = piece.orientations();
    let index = orientations.start + number;
    if index < orientations.end { index } else { ORIENTATIONS }
}

/// Returns the row and the column of a cell of an orientation. The last cell is repeated, which changes nothing.
const fn cell(orientation: usize, cell: usize) -> (usize, usize) {
    if orientation >= ORIENTATIONS {
        return (0, 0);
    }
    let shape = Orientation::from_index(orientation);
    let last = shape.size as usize - 1;
    let (row, column) = shape.cells[if cell < last { cell } else { last }];
    (row as usize, column as usize)
}

const _: () = assert!(PIECES == 21, "every piece has a branch in `RowWindow::places`");

#[cfg(test)]
mod tests {
    use fourfold_common::cpu::Simt;

    use super::*;
    use crate::{Color, MAX_SIZE, PlacementSink, Position, Variant, random_walk};

    /// The columns of each orientation and row.
    #[derive(PartialEq, Eq, Debug)]
    struct Found([[u32; MAX_SIZE]; ORIENTATIONS]);

    impl PlacementSink for Found {
        fn row(&mut self, orientation: usize, row: usize, columns: u32) {
            self.0[orientation][row] |= columns;
        }
    }

    fn compare(position: &Position, color: Color) {
        let none = [[0; MAX_SIZE]; ORIENTATIONS];
        let (mut expected, mut found) = (Found(none), Found(none));
        position.generate(color, &mut expected);
        let mut any = false;
        for row in 0..position.variant().size() {
            let window = RowWindow {
                free: position.free(color).rows_from(row),
                frontier: position.frontier(color).rows_from(row),
            };
            any |= window.has_place(Simt::ALONE, position.remaining_bits(color));
            for piece in position.remaining(color) {
                for (orientation, columns) in piece.orientations().zip(window.places(piece.index()))
                {
                    found.row(orientation, row, columns);
                }
            }
        }
        assert_eq!(found, expected, "{position}");
        assert_eq!(any, position.has_legal_move(color), "{position}");
    }

    #[test]
    fn rows_have_the_legal_placements() {
        let sizes = [1, 2, 4, 9, 22].map(|size| Variant::four(size).expect("a valid size"));
        for (seed, variant) in sizes.into_iter().chain([Variant::CLASSIC, Variant::DUO]).enumerate()
        {
            for position in random_walk(Position::start(variant), seed as u64) {
                variant.colors().for_each(|color| compare(&position, color));
            }
        }
    }
}
