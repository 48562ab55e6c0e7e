//! Cells, the two boards, and how each player sits at them: all that differs between players is in
//! one table.

use fourfold_board::{Geometry, Square};

use crate::{Board, Kind};

/// A set of cells.
pub type Bitboard = fourfold_board::Bitboard<4>;

/// A cell by its number: sixteen times the row from the top, plus the column. A step off a board
/// leads to a number that is no cell of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(pub(crate) u8);

/// Cells in a row of numbers.
const STRIDE: usize = 16;

impl Cell {
    /// The cell in a row and column of a board, if it has one.
    pub const fn on(board: Board, row: i32, column: i32) -> Option<Cell> {
        let side = board.side() as i32;
        if row < 0 || column < 0 || row >= side || column >= side {
            return None;
        }
        let cell = Cell::at(row as u8, column as u8);
        if cell.exists(board) { Some(cell) } else { None }
    }

    pub(crate) const fn at(row: u8, column: u8) -> Cell {
        Cell(row * STRIDE as u8 + column)
    }

    /// The row, from the top.
    #[inline(always)]
    pub const fn row(self) -> u8 {
        self.0 / STRIDE as u8
    }

    /// The column, from the left.
    #[inline(always)]
    pub const fn column(self) -> u8 {
        self.0 % STRIDE as u8
    }

    /// The cell as a member of sets.
    #[inline(always)]
    pub const fn square(self) -> Square {
        Square::new(self.0 as usize)
    }

    #[inline(always)]
    pub(crate) const fn exists(self, board: Board) -> bool {
        cells(board).contains(self.square())
    }

    /// The cell some steps away, or a number that is no cell.
    #[inline(always)]
    pub(crate) const fn step(self, (down, right): (i8, i8)) -> Cell {
        Cell(self.0.wrapping_add((down as u8).wrapping_mul(STRIDE as u8)).wrapping_add(right as u8))
    }

    /// Rows and columns from here to another cell.
    #[inline(always)]
    pub(crate) const fn to(self, other: Cell) -> (i8, i8) {
        (other.row() as i8 - self.row() as i8, other.column() as i8 - self.column() as i8)
    }
}

/// All cells of a board.
#[inline(always)]
pub(crate) const fn cells(board: Board) -> Bitboard {
    match board {
        Board::Eight => EIGHT,
        Board::Twelve => TWELVE,
    }
}

const EIGHT: Bitboard = Geometry::<256, 4>::guarded_cross(8, 0, STRIDE).exists();
const TWELVE: Bitboard = Geometry::<256, 4>::guarded_cross(12, 2, STRIDE).exists();

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

    /// The cell of this line that another line in the other way crosses.
    pub(crate) const fn cell(self, place: u8) -> Cell {
        match self {
            Line::Row(row) => Cell::at(row, place),
            Line::Column(column) => Cell::at(place, column),
        }
    }
}

/// How a player sits at a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// Where the pieces stand at the start, and kings castle.
    pub(crate) back: Line,
    /// The places of the first and the last piece on that line.
    pub(crate) ends: [u8; 2],
    pub(crate) pieces: [Kind; 8],
    /// Where pawns stand at the start, and may go two squares.
    pub(crate) pawns: Line,
    /// The way of pawns.
    pub(crate) forward: (i8, i8),
    /// Where pawns become queens.
    pub(crate) promotion: Line,
}

use Kind::{Bishop, King, Knight, Queen, Rook};

const QUEEN_FIRST: [Kind; 8] = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
const KING_FIRST: [Kind; 8] = [Rook, Knight, Bishop, King, Queen, Bishop, Knight, Rook];

const fn side(
    back: Line,
    ends: [u8; 2],
    pieces: [Kind; 8],
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
        // Nobody sits there.
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
    /// A player's side of a board.
    #[inline(always)]
    pub(crate) fn of(board: Board, player: u8) -> &'static Side {
        &SIDES[board as usize][(player.wrapping_sub(1) % 4) as usize]
    }
}
