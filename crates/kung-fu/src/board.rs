//! Squares, the two boards, and each player's side of them. Everything that differs between players
//! is in one table.

use bytemuck::{Pod, Zeroable};
use fourfold_board::{Geometry, Square};

use crate::{Board, Player, Role};

/// A set of squares.
pub type Bitboard = fourfold_board::Bitboard<4>;

/// A square by its index: 16 times the row from the top, plus the column. A step off the board
/// leads to an index that is not a square of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Cell(pub(crate) u8);

/// Indices per row.
const STRIDE: usize = 16;

impl Cell {
    /// Returns the square at a row and column, if the board has one.
    pub const fn on(board: Board, row: i32, column: i32) -> Option<Cell> {
        let side = board.size() as i32;
        if row < 0 || column < 0 || row >= side || column >= side {
            return None;
        }
        let cell = Cell::at(row as u8, column as u8);
        if cell.exists(board) { Some(cell) } else { None }
    }

    pub(crate) const fn at(row: u8, column: u8) -> Cell {
        Cell(row * STRIDE as u8 + column)
    }

    /// Returns the row, counted from 0 at the top.
    #[inline(always)]
    pub const fn row(self) -> u8 {
        self.0 / STRIDE as u8
    }

    /// Returns the column, counted from 0 at the left.
    #[inline(always)]
    pub const fn column(self) -> u8 {
        self.0 % STRIDE as u8
    }

    /// Returns the square as a member of a [`Bitboard`].
    #[inline(always)]
    pub const fn square(self) -> Square {
        Square::new(self.0 as usize)
    }

    #[inline(always)]
    pub(crate) const fn exists(self, board: Board) -> bool {
        let rows = match board {
            Board::Eight => &EIGHT_ROWS,
            Board::Twelve => &TWELVE_ROWS,
        };
        rows[self.row() as usize] >> self.column() & 1 != 0
    }

    /// Returns the square some rows and columns away, which may be off the board.
    #[inline(always)]
    pub(crate) const fn step(self, (down, right): (i8, i8)) -> Cell {
        Cell(self.0.wrapping_add((down as u8).wrapping_mul(STRIDE as u8)).wrapping_add(right as u8))
    }

    /// Returns the rows and columns from here to another square.
    #[inline(always)]
    pub(crate) const fn to(self, other: Cell) -> (i8, i8) {
        (other.row() as i8 - self.row() as i8, other.column() as i8 - self.column() as i8)
    }
}

const EIGHT: Bitboard = Geometry::<256, 4>::guarded_cross(8, 0, STRIDE).squares();
const TWELVE: Bitboard = Geometry::<256, 4>::guarded_cross(12, 2, STRIDE).squares();

static EIGHT_ROWS: [u16; 16] = rows(EIGHT);
static TWELVE_ROWS: [u16; 16] = rows(TWELVE);

/// Returns the squares of each row, as bits by column.
const fn rows(cells: Bitboard) -> [u16; 16] {
    let (mut rows, mut cell) = ([0; 16], 0);
    while cell < 256 {
        rows[cell / STRIDE] |= (cells.contains(Square::new(cell)) as u16) << (cell % STRIDE);
        cell += 1;
    }
    rows
}

/// A row or a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Row(u8),
    Column(u8),
}

impl Line {
    #[inline(always)]
    pub(crate) const fn contains(self, cell: Cell) -> bool {
        match self {
            Line::Row(row) => cell.row() == row,
            Line::Column(column) => cell.column() == column,
        }
    }

    /// Returns the square at a place along this line.
    pub(crate) const fn cell(self, index: u8) -> Cell {
        match self {
            Line::Row(row) => Cell::at(row, index),
            Line::Column(column) => Cell::at(index, column),
        }
    }
}

/// A player's side of a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// The line on which the pieces start and the king castles.
    pub(crate) back: Line,
    /// The places of the first and the last piece on that line.
    pub(crate) ends: [u8; 2],
    pub(crate) pieces: [Role; 8],
    /// The line on which pawns start, and from which they may move two squares.
    pub(crate) pawns: Line,
    /// The direction of pawn moves, as rows and columns.
    pub(crate) forward: (i8, i8),
    /// The line on which pawns become queens.
    pub(crate) promotion: Line,
}

use Role::{Bishop, King, Knight, Queen, Rook};

const QUEEN_FIRST: [Role; 8] = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
const KING_FIRST: [Role; 8] = [Rook, Knight, Bishop, King, Queen, Bishop, Knight, Rook];

const fn side(
    back: Line,
    ends: [u8; 2],
    pieces: [Role; 8],
    pawns: Line,
    forward: (i8, i8),
    promotion: Line,
) -> Side {
    Side { back, ends, pieces, pawns, forward, promotion }
}

use Line::{Column, Row};

static SIDES: [[Side; 4]; 2] = [
    [
        side(Row(7), [0, 7], QUEEN_FIRST, Row(6), (-1, 0), Row(0)),
        side(Row(0), [0, 7], QUEEN_FIRST, Row(1), (1, 0), Row(7)),
        // The 8×8 board has no players 3 and 4.
        side(Row(0), [0, 7], QUEEN_FIRST, Row(1), (1, 0), Row(7)),
        side(Row(0), [0, 7], QUEEN_FIRST, Row(1), (1, 0), Row(7)),
    ],
    [
        side(Column(11), [2, 9], QUEEN_FIRST, Column(10), (0, -1), Column(2)),
        side(Row(11), [2, 9], KING_FIRST, Row(10), (-1, 0), Row(2)),
        side(Column(0), [2, 9], KING_FIRST, Column(1), (0, 1), Column(9)),
        side(Row(0), [2, 9], QUEEN_FIRST, Row(1), (1, 0), Row(9)),
    ],
];

impl Side {
    /// Returns a player's side of a board.
    #[inline(always)]
    pub(crate) fn of(board: Board, player: Player) -> &'static Side {
        &SIDES[board as usize][player.index()]
    }
}
