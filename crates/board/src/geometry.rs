//! Board shapes and the tables that depend only on the shape.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use fourfold_common::{join, quote_short};
use thiserror::Error;

use crate::{Bitboard, Direction, Square};

/// The king's eight leaps, as changes in file and rank.
pub const KING_LEAPS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// The knight's eight leaps, as changes in file and rank.
pub const KNIGHT_LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A board of `N` cells, some of which may be cut away, with precomputed tables. Meant to be stored
/// in a `static`.
///
/// Sets of its squares have the type `Bitboard<W>`, where `64·W ≥ N`.
#[derive(Debug)]
pub struct Geometry<const N: usize, const W: usize> {
    width: usize,
    height: usize,
    /// Cells from one row to the next: the width plus any guard cells.
    stride: usize,
    squares: Bitboard<W>,
    rays: [[Bitboard<W>; 8]; N],
    /// For each cell, the number of squares with a lower index.
    dense_indices: [u16; N],
}

impl<const N: usize, const W: usize> Geometry<N, W> {
    /// Creates a full rectangle with `N = width · height`.
    ///
    /// # Panics
    /// Panics if `N` or `W` does not fit the size; in a `static` this is a compile error.
    pub const fn rectangle(width: usize, height: usize) -> Geometry<N, W> {
        Geometry::with_cut(width, height, 0, width)
    }

    /// Creates a board of `side · side` cells without the `cut` by `cut` cells at each corner.
    ///
    /// # Panics
    /// Panics if `N` or `W` does not fit the size; in a `static` this is a compile error.
    pub const fn cross(side: usize, cut: usize) -> Geometry<N, W> {
        Geometry::with_cut(side, side, cut, side)
    }

    /// Creates the same board as [`Geometry::cross`], but with rows of `stride` cells, so that a
    /// step off the right edge ends on a cell that does not exist instead of one in the next row.
    ///
    /// ```
    /// use fourfold_board::Geometry;
    /// static CROSS: Geometry<256, 4> = Geometry::guarded_cross(14, 3, 16);
    /// assert_eq!(CROSS.squares().len(), 160);
    /// assert_eq!(CROSS.parse("a4")?.index(), 3 * 16);
    /// # Ok::<(), fourfold_board::ParseSquareError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if `N` or `W` does not fit the size; in a `static` this is a compile error.
    pub const fn guarded_cross(side: usize, cut: usize, stride: usize) -> Geometry<N, W> {
        Geometry::with_cut(side, side, cut, stride)
    }

    const fn with_cut(width: usize, height: usize, cut: usize, stride: usize) -> Geometry<N, W> {
        assert!(stride >= width, "stride must be at least the width");
        assert!(
            if stride == width { width * height == N } else { stride * height <= N },
            "N must be the number of cells"
        );
        assert!(N <= 64 * W, "N must fit into W words");
        assert!(2 * cut <= width && 2 * cut <= height, "cut corners must not overlap");
        let mut board = Geometry {
            width,
            height,
            stride,
            squares: Bitboard::EMPTY,
            rays: [[Bitboard::EMPTY; 8]; N],
            dense_indices: [0; N],
        };
        let mut dense_index = 0;
        let mut index = 0;
        while index < N {
            let (file, rank) = (index % stride, index / stride);
            let side = file < cut || file >= width - cut;
            let end = rank < cut || rank >= height - cut;
            board.dense_indices[index] = dense_index;
            if file < width && rank < height && !(side && end) {
                board.squares = board.squares.with(Square::new(index));
                dense_index += 1;
            }
            index += 1;
        }
        index = 0;
        while index < N {
            let mut direction = 0;
            while direction < 8 && board.squares.contains(Square::new(index)) {
                board.rays[index][direction] =
                    board.walk(Square::new(index), Direction::ALL[direction]);
                direction += 1;
            }
            index += 1;
        }
        board
    }

    /// Computes a ray by stepping until the board ends.
    const fn walk(&self, from: Square, direction: Direction) -> Bitboard<W> {
        let mut seen = Bitboard::EMPTY;
        let mut at = self.step(from, direction);
        while let Some(square) = at {
            seen = seen.with(square);
            at = self.step(square, direction);
        }
        seen
    }

    /// Returns the number of cells in a row, without guard cells.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of cells in a column.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Returns all squares of the board, without cells that are cut away.
    #[inline]
    pub const fn squares(&self) -> Bitboard<W> {
        self.squares
    }

    /// Returns the file of a square, counted from 0 at the left.
    #[inline]
    pub const fn file(&self, square: Square) -> usize {
        square.index() % self.stride
    }

    /// Returns the rank of a square, counted from 0 at the bottom.
    #[inline]
    pub const fn rank(&self, square: Square) -> usize {
        square.index() / self.stride
    }

    /// Returns the square at a file and rank, or `None` if the board has no square there.
    pub const fn square(&self, file: i32, rank: i32) -> Option<Square> {
        if file < 0 || rank < 0 || file >= self.width as i32 || rank >= self.height() as i32 {
            return None;
        }
        let square = Square::new(rank as usize * self.stride + file as usize);
        if self.squares.contains(square) { Some(square) } else { None }
    }

    /// Returns the square reached by a leap of this many files and ranks, or `None` if it is off
    /// the board.
    pub const fn leap(&self, from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
        self.square(self.file(from) as i32 + files, self.rank(from) as i32 + ranks)
    }

    /// Returns the neighbor in a direction, or `None` if it is off the board.
    pub const fn step(&self, from: Square, direction: Direction) -> Option<Square> {
        self.leap(from, direction.step())
    }

    /// Returns all squares reached by the given leaps.
    ///
    /// ```
    /// use fourfold_board::{Geometry, KNIGHT_LEAPS};
    /// static BOARD: Geometry<64, 1> = Geometry::rectangle(8, 8);
    /// let g1 = BOARD.parse("g1")?;
    /// assert_eq!(BOARD.names(BOARD.leaps(g1, &KNIGHT_LEAPS)), "e2 f3 h3");
    /// # Ok::<(), fourfold_board::ParseSquareError>(())
    /// ```
    pub const fn leaps(&self, from: Square, leaps: &[(i32, i32)]) -> Bitboard<W> {
        let mut reached = Bitboard::EMPTY;
        let mut index = 0;
        while index < leaps.len() {
            if let Some(square) = self.leap(from, leaps[index]) {
                reached = reached.with(square);
            }
            index += 1;
        }
        reached
    }

    /// Returns the squares seen from `from` in one direction on an empty board.
    #[inline]
    pub const fn ray(&self, from: Square, direction: Direction) -> Bitboard<W> {
        self.rays[from.index()][direction as usize]
    }

    /// Returns the squares seen from `from` in several directions on an empty board.
    pub const fn rays(&self, from: Square, directions: &[Direction]) -> Bitboard<W> {
        let mut seen = Bitboard::EMPTY;
        let mut index = 0;
        while index < directions.len() {
            seen = seen.union(self.ray(from, directions[index]));
            index += 1;
        }
        seen
    }

    /// Returns the squares seen from `from` in one direction, up to and including the first
    /// occupied one.
    #[inline]
    pub const fn slide(
        &self,
        from: Square,
        direction: Direction,
        occupied: Bitboard<W>,
    ) -> Bitboard<W> {
        let ray = self.ray(from, direction);
        let blockers = ray.intersection(occupied);
        let nearest = if direction.ascends() { blockers.first() } else { blockers.last() };
        match nearest {
            Some(blocker) => ray.difference(self.ray(blocker, direction)),
            None => ray,
        }
    }

    /// Returns the squares seen from `from` in several directions, in each up to and including the
    /// first occupied one.
    pub const fn slides(
        &self,
        from: Square,
        directions: &[Direction],
        occupied: Bitboard<W>,
    ) -> Bitboard<W> {
        let mut seen = Bitboard::EMPTY;
        let mut index = 0;
        while index < directions.len() {
            seen = seen.union(self.slide(from, directions[index], occupied));
            index += 1;
        }
        seen
    }

    /// Returns the direction of a slide from `from` to `to`, or `None` if no slide connects them.
    pub const fn direction(&self, from: Square, to: Square) -> Option<Direction> {
        let mut index = 0;
        while index < 8 {
            if self.rays[from.index()][index].contains(to) {
                return Some(Direction::ALL[index]);
            }
            index += 1;
        }
        None
    }

    /// Returns the squares strictly between two squares, or the empty set if no slide connects
    /// them.
    pub const fn between(&self, from: Square, to: Square) -> Bitboard<W> {
        match self.direction(from, to) {
            Some(direction) => {
                self.ray(from, direction).intersection(self.ray(to, direction.opposite()))
            }
            None => Bitboard::EMPTY,
        }
    }

    /// Returns the whole line through two squares, including both, or the empty set if no slide
    /// connects them.
    pub const fn line(&self, from: Square, to: Square) -> Bitboard<W> {
        match self.direction(from, to) {
            Some(direction) => {
                self.ray(from, direction).union(self.ray(from, direction.opposite())).with(from)
            }
            None => Bitboard::EMPTY,
        }
    }

    /// Returns the index of a square among those that exist, counted row by row from the bottom
    /// left.
    ///
    /// # Panics
    /// Panics if the board has no such square.
    #[inline]
    pub const fn dense_index(&self, square: Square) -> usize {
        assert!(self.squares.contains(square), "the board has no such square");
        self.dense_indices[square.index()] as usize
    }

    /// Returns the square with a dense index, the inverse of [`Geometry::dense_index`].
    pub const fn from_dense_index(&self, index: usize) -> Option<Square> {
        let (mut low, mut high) = (0, N);
        while low < high {
            let middle = (low + high) / 2;
            let square = Square::new(middle);
            let counted =
                self.dense_indices[middle] as usize + self.squares.contains(square) as usize;
            if counted > index { high = middle } else { low = middle + 1 }
        }
        if low < N { Some(Square::new(low)) } else { None }
    }

    /// Returns the name of a square: its file as a letter, then its rank counted from 1.
    pub fn name(&self, square: Square) -> String {
        let file = (b'a' + self.file(square) as u8) as char;
        format!("{file}{}", self.rank(square) + 1)
    }

    /// Returns the names of the members of `set` in ascending order, separated by spaces.
    pub fn names(&self, set: Bitboard<W>) -> String {
        join(set.iter().map(|square| self.name(square)), " ")
    }

    /// Parses the name of a square, the inverse of [`Geometry::name`].
    ///
    /// # Errors
    /// Returns an error if the text is not a square name, or if this board has no such square.
    pub fn parse(&self, name: &str) -> Result<Square, ParseSquareError> {
        let malformed = || ParseSquareError::Malformed(name.to_owned());
        let mut letters = name.chars();
        let file = letters.next().filter(char::is_ascii_lowercase).ok_or_else(malformed)?;
        let digits = letters.as_str();
        if digits.starts_with('0') || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(malformed());
        }
        let rank: u16 = digits.parse().map_err(|_| malformed())?;
        self.square(file as i32 - 'a' as i32, rank as i32 - 1)
            .ok_or_else(|| ParseSquareError::OffBoard(name.to_owned()))
    }
}

/// The error returned when a string is not the name of a square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseSquareError {
    /// Not a lowercase letter followed by a number.
    #[error("expected a square like 'd4', got '{}'", quote_short(.0))]
    Malformed(String),
    /// Well formed, but the board has no such square.
    #[error("the board has no square '{}'", quote_short(.0))]
    OffBoard(String),
}
