//! Dense square indices, on the board as each player sees it.
//!
//! Existing squares are indexed row by row from the top left. The board is transformed so that a
//! player's army stands where the first player's does: 8×8 is flipped vertically, 12×12 is rotated
//! counterclockwise in quarter turns.

use fourfold_kung_fu::{Board, Cell};

/// Number of squares of the larger board.
const MOST: usize = 128;
/// Size of tables by cell: rows are `STRIDE` apart.
const CELLS: usize = 256;
const STRIDE: usize = 16;

/// A board as one player sees it.
pub(super) struct Turned {
    /// The cell of each square index.
    cells: [Cell; MOST],
    /// The square index of each cell.
    squares: [u8; CELLS],
    /// The bit of each cell in a plane, including the cells of cut corners.
    bits: [u8; CELLS],
}

impl Turned {
    /// Returns the cell of a square index, which must be less than the number of squares.
    #[inline(always)]
    pub(super) const fn cell(&self, square: usize) -> Cell {
        self.cells[square % MOST]
    }

    /// Returns the square index of a cell of the board.
    #[inline(always)]
    pub(super) const fn square(&self, cell: Cell) -> u32 {
        self.squares[cell.row() as usize * STRIDE + cell.column() as usize] as u32
    }

    /// Returns the index of the bit for a row and column in a plane.
    #[inline(always)]
    pub(super) const fn bit(&self, row: u8, column: u8) -> usize {
        self.bits[(row as usize * STRIDE + column as usize) % CELLS] as usize
    }
}

/// Returns all views of a board, by player number minus one.
pub(super) const fn views(board: Board) -> &'static [Turned; 4] {
    match board {
        Board::Eight => &EIGHT,
        Board::Twelve => &TWELVE,
    }
}

/// Returns `row * side + column` of each existing square as displayed, by square index.
pub(super) const fn places(board: Board) -> &'static [u8; MOST] {
    match board {
        Board::Eight => &EIGHT_PLACES,
        Board::Twelve => &TWELVE_PLACES,
    }
}

static EIGHT: [Turned; 4] = all(Board::Eight);
static TWELVE: [Turned; 4] = all(Board::Twelve);
static EIGHT_PLACES: [u8; MOST] = made_places(Board::Eight);
static TWELVE_PLACES: [u8; MOST] = made_places(Board::Twelve);

const fn all(board: Board) -> [Turned; 4] {
    [turned(board, 0), turned(board, 1), turned(board, 2), turned(board, 3)]
}

const fn turned(board: Board, turns: usize) -> Turned {
    let Some(corner) = Cell::on(board, 2, 2) else { panic!("both boards have this cell") };
    let mut made = Turned { cells: [corner; MOST], squares: [0; CELLS], bits: [0; CELLS] };
    let side = board.side();
    let row_bits = side.div_ceil(8) * 8;
    let mut place = 0;
    while place < side * side {
        let (row, column) = (place / side, place % side);
        let (to_row, to_column) = turn(board, turns, row, column);
        let number = row * STRIDE + column;
        made.bits[number] = (to_row * row_bits + to_column) as u8;
        if let Some(cell) = Cell::on(board, row as i32, column as i32) {
            let square = square(board, to_row, to_column);
            made.squares[number] = square as u8;
            made.cells[square] = cell;
        }
        place += 1;
    }
    made
}

/// Maps a row and column to where a view shows them.
const fn turn(board: Board, turns: usize, row: usize, column: usize) -> (usize, usize) {
    let last = board.side() - 1;
    match (board, turns) {
        (_, 0) => (row, column),
        (Board::Eight, _) => (last - row, column),
        (Board::Twelve, 1) => (last - column, row),
        (Board::Twelve, 2) => (last - row, last - column),
        (Board::Twelve, _) => (column, last - row),
    }
}

/// Returns the square index of a row and column: the number of existing squares before them.
const fn square(board: Board, row: usize, column: usize) -> usize {
    let (side, mut place, mut count) = (board.side(), 0, 0);
    while place < row * side + column {
        if Cell::on(board, (place / side) as i32, (place % side) as i32).is_some() {
            count += 1;
        }
        place += 1;
    }
    count
}

const fn made_places(board: Board) -> [u8; MOST] {
    let (side, mut places, mut place, mut next) = (board.side(), [0; MOST], 0, 0);
    while place < side * side {
        if Cell::on(board, (place / side) as i32, (place % side) as i32).is_some() {
            places[next] = place as u8;
            next += 1;
        }
        place += 1;
    }
    places
}

/// Returns the number of squares of a board.
pub(super) const fn count(board: Board) -> usize {
    square(board, board.side() - 1, board.side())
}

/// The maximum number of pieces of one player.
pub(super) const ARMY: usize = 16;
/// A king's steps, and castling to both sides.
const KING: usize = 8 + 2;

/// Returns an upper bound on the legal actions of one player: each piece except the king has at
/// most the moves of a queen on an empty board, and waiting is always legal.
pub(super) const fn most_legal(board: Board) -> usize {
    let (side, mut place, mut most) = (board.side() as i32, 0, 0);
    while place < side * side {
        let reach = queen(board, place / side, place % side);
        most = if reach > most { reach } else { most };
        place += 1;
    }
    (ARMY - 1) * most + KING + 1
}

/// Returns the number of squares that a queen reaches on an empty board.
const fn queen(board: Board, row: i32, column: i32) -> usize {
    let (mut reach, mut way) = (0, 0);
    while way < 9 && Cell::on(board, row, column).is_some() {
        let (down, right) = (way / 3 - 1, way % 3 - 1);
        let mut steps = 1;
        while way != 4 && Cell::on(board, row + steps * down, column + steps * right).is_some() {
            reach += 1;
            steps += 1;
        }
        way += 1;
    }
    reach
}
