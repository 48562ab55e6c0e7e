//! Shapes of boards, and what follows from a shape alone.

use std::fmt;

use crate::{Bitboard, Direction, Square};

/// The king's eight leaps, as files and ranks gained.
pub const KING_LEAPS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// The knight's eight leaps, as files and ranks gained.
pub const KNIGHT_LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A board of `N` cells, some of which may be cut away, with its tables: meant for a `static`.
///
/// Sets of its squares are `Bitboard<W>`, where `64·W ≥ N`.
#[derive(Debug)]
pub struct Geometry<const N: usize, const W: usize> {
    width: usize,
    height: usize,
    /// Cells from one row to the next: the width, and guard cells that do not exist.
    stride: usize,
    exists: Bitboard<W>,
    rays: [[Bitboard<W>; 8]; N],
    /// How many existing squares have a lower index.
    numbers: [u16; N],
}

impl<const N: usize, const W: usize> Geometry<N, W> {
    /// A full rectangle, `N = width · height`.
    ///
    /// # Panics
    /// If `N` or `W` does not fit the size; in a `static` that is a compile error.
    pub const fn rectangle(width: usize, height: usize) -> Geometry<N, W> {
        Geometry::with_cut(width, height, 0, width)
    }

    /// A square board of `side · side` cells without the `cut` by `cut` cells at each corner.
    ///
    /// # Panics
    /// If `N` or `W` does not fit the size; in a `static` that is a compile error.
    pub const fn cross(side: usize, cut: usize) -> Geometry<N, W> {
        Geometry::with_cut(side, side, cut, side)
    }

    /// The same board with rows of `stride` cells, so that a step off its right edge ends on a cell
    /// that does not exist instead of one in the next row.
    ///
    /// ```
    /// use fourfold_board::Geometry;
    /// static CROSS: Geometry<256, 4> = Geometry::guarded_cross(14, 3, 16);
    /// assert_eq!(CROSS.exists().len(), 160);
    /// assert_eq!(CROSS.parse("a4")?.index(), 3 * 16);
    /// # Ok::<(), fourfold_board::ParseSquareError>(())
    /// ```
    ///
    /// # Panics
    /// If `N` or `W` does not fit the size; in a `static` that is a compile error.
    pub const fn guarded_cross(side: usize, cut: usize, stride: usize) -> Geometry<N, W> {
        Geometry::with_cut(side, side, cut, stride)
    }

    const fn with_cut(width: usize, height: usize, cut: usize, stride: usize) -> Geometry<N, W> {
        assert!(stride >= width, "a row holds the board's width");
        assert!(
            if stride == width { width * height == N } else { stride * height <= N },
            "N cells"
        );
        assert!(N <= 64 * W, "W words hold N squares");
        assert!(2 * cut <= width && 2 * cut <= height, "the corners do not meet");
        let mut board = Geometry {
            width,
            height,
            stride,
            exists: Bitboard::EMPTY,
            rays: [[Bitboard::EMPTY; 8]; N],
            numbers: [0; N],
        };
        let mut number = 0;
        let mut index = 0;
        while index < N {
            let (file, rank) = (index % stride, index / stride);
            let side = file < cut || file >= width - cut;
            let end = rank < cut || rank >= height - cut;
            board.numbers[index] = number;
            if file < width && rank < height && !(side && end) {
                board.exists = board.exists.with(Square::new(index));
                number += 1;
            }
            index += 1;
        }
        index = 0;
        while index < N {
            let mut direction = 0;
            while direction < 8 && board.exists.contains(Square::new(index)) {
                board.rays[index][direction] =
                    board.walk(Square::new(index), Direction::ALL[direction]);
                direction += 1;
            }
            index += 1;
        }
        board
    }

    /// The definition of a ray: step until the board ends.
    const fn walk(&self, from: Square, direction: Direction) -> Bitboard<W> {
        let mut seen = Bitboard::EMPTY;
        let mut at = self.step(from, direction);
        while let Some(square) = at {
            seen = seen.with(square);
            at = self.step(square, direction);
        }
        seen
    }

    /// Cells in a row.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Cells in a column.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// The squares that the board has.
    #[inline]
    pub const fn exists(&self) -> Bitboard<W> {
        self.exists
    }

    /// The file of a square, from 0 at the left.
    #[inline]
    pub const fn file(&self, square: Square) -> usize {
        square.index() % self.stride
    }

    /// The rank of a square, from 0 at the bottom.
    #[inline]
    pub const fn rank(&self, square: Square) -> usize {
        square.index() / self.stride
    }

    /// The square there, if the board has one.
    pub const fn square(&self, file: i32, rank: i32) -> Option<Square> {
        if file < 0 || rank < 0 || file >= self.width as i32 || rank >= self.height() as i32 {
            return None;
        }
        let square = Square::new(rank as usize * self.stride + file as usize);
        if self.exists.contains(square) { Some(square) } else { None }
    }

    /// The square that a leap of this many files and ranks leads to.
    pub const fn leap(&self, from: Square, (files, ranks): (i32, i32)) -> Option<Square> {
        self.square(self.file(from) as i32 + files, self.rank(from) as i32 + ranks)
    }

    /// The neighbour in a direction.
    pub const fn step(&self, from: Square, direction: Direction) -> Option<Square> {
        self.leap(from, direction.step())
    }

    /// All squares that these leaps lead to.
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

    /// The squares seen from `from` in one direction on an empty board.
    #[inline]
    pub const fn ray(&self, from: Square, direction: Direction) -> Bitboard<W> {
        self.rays[from.index()][direction as usize]
    }

    /// The squares seen from `from` in several directions on an empty board.
    pub const fn rays(&self, from: Square, directions: &[Direction]) -> Bitboard<W> {
        let mut seen = Bitboard::EMPTY;
        let mut index = 0;
        while index < directions.len() {
            seen = seen.union(self.ray(from, directions[index]));
            index += 1;
        }
        seen
    }

    /// The squares seen from `from` in one direction, up to and with the first occupied one.
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

    /// The squares seen from `from` in several directions, each up to its first occupied one.
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

    /// The direction in which a slide from `from` comes to `to`, if there is one.
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

    /// The squares strictly between two squares of one line; none if no slide connects them.
    pub const fn between(&self, from: Square, to: Square) -> Bitboard<W> {
        match self.direction(from, to) {
            Some(way) => self.ray(from, way).intersection(self.ray(to, way.opposite())),
            None => Bitboard::EMPTY,
        }
    }

    /// The whole line through two squares, both included; none if no slide connects them.
    pub const fn line(&self, from: Square, to: Square) -> Bitboard<W> {
        match self.direction(from, to) {
            Some(way) => self.ray(from, way).union(self.ray(from, way.opposite())).with(from),
            None => Bitboard::EMPTY,
        }
    }

    /// The most squares that these directions lead to from any square: the size that a list of
    /// slides needs.
    pub const fn largest_fan_out(&self, directions: &[Direction]) -> usize {
        let mut largest = 0;
        let mut index = 0;
        while index < N {
            let fan_out = self.rays(Square::new(index), directions).len();
            if fan_out > largest {
                largest = fan_out;
            }
            index += 1;
        }
        largest
    }

    /// The number of a square among those that exist, counted row by row from the bottom left.
    ///
    /// # Panics
    /// If the board has no such square.
    #[inline]
    pub const fn number(&self, square: Square) -> usize {
        assert!(self.exists.contains(square), "the board has no such square");
        self.numbers[square.index()] as usize
    }

    /// The square with a number, the inverse of [`Geometry::number`].
    pub const fn numbered(&self, number: usize) -> Option<Square> {
        let (mut low, mut high) = (0, N);
        while low < high {
            let middle = (low + high) / 2;
            let square = Square::new(middle);
            let counted = self.numbers[middle] as usize + self.exists.contains(square) as usize;
            if counted > number { high = middle } else { low = middle + 1 }
        }
        if low < N { Some(Square::new(low)) } else { None }
    }

    /// The name of a square: its file as a letter, its rank as a number from 1.
    pub fn name(&self, square: Square) -> String {
        let file = (b'a' + self.file(square) as u8) as char;
        format!("{file}{}", self.rank(square) + 1)
    }

    /// The names of a set's members, in order, with spaces between them.
    pub fn names(&self, set: Bitboard<W>) -> String {
        set.iter().map(|square| self.name(square)).collect::<Vec<_>>().join(" ")
    }

    /// The square with a name, the inverse of [`Geometry::name`].
    ///
    /// # Errors
    /// If the text is no name, or names no square of this board.
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

    /// The set drawn as a board, in the form that [`Bitboard::picture`] reads.
    pub fn draw(&self, set: Bitboard<W>) -> String {
        let mut drawing = String::new();
        for rank in (0..self.height()).rev() {
            for file in 0..self.width {
                drawing.push(match self.square(file as i32, rank as i32) {
                    Some(square) if set.contains(square) => 'X',
                    Some(_) => '.',
                    None => ' ',
                });
            }
            drawing.push('\n');
        }
        drawing
    }
}

/// Why a text is not the name of a square.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseSquareError {
    /// Not a lower-case letter followed by a number.
    Malformed(String),
    /// Well formed, but the board has no such square.
    OffBoard(String),
}

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseSquareError::Malformed(text) => {
                write!(f, "'{}' is not a square name", shown(text))
            }
            ParseSquareError::OffBoard(text) => {
                write!(f, "the board has no square '{}'", shown(text))
            }
        }
    }
}

impl std::error::Error for ParseSquareError {}

/// A user's text, short enough for a message and without control characters.
pub fn shown(text: &str) -> String {
    const MOST: usize = 20;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
