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
pub(super) struct BoardView {
    /// The cell of each square index.
    cells: [Cell; MOST],
    /// The square index of each cell.
    squares: [u8; CELLS],
    /// The bit of each cell in a plane, including the cells of cut corners.
    bits: [u8; CELLS],
}

impl BoardView {
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
pub(super) const fn views(board: Board) -> &'static [BoardView; 4] {
    match board {
        Board::Eight => &EIGHT,
        Board::Twelve => &TWELVE,
    }
}

/// Returns a view of the board with a side length, by player number minus one.
#[inline(always)]
pub(super) const fn view<const SIDE: usize>(turn: usize) -> &'static BoardView {
    if SIDE == 8 { &EIGHT[turn % 4] } else { &TWELVE[turn % 4] }
}

/// The plane of existing squares of the board with a side length, which is the same in all views.
pub(super) const fn existing(side: usize) -> [u64; 3] {
    let board = if side == 8 { Board::Eight } else { Board::Twelve };
    let row_bits = side.div_ceil(8) * 8;
    let (mut plane, mut place) = ([0; 3], 0);
    while place < side * side {
        let (row, column) = (place / side, place % side);
        if Cell::on(board, row as i32, column as i32).is_some() {
            let bit = row * row_bits + column;
            plane[bit / 64] |= 1 << (bit % 64);
        }
        place += 1;
    }
    plane
}

static EIGHT: [BoardView; 4] = all(Board::Eight);
static TWELVE: [BoardView; 4] = all(Board::Twelve);
const fn all(board: Board) -> [BoardView; 4] {
    [board_view(board, 0), board_view(board, 1), board_view(board, 2), board_view(board, 3)]
}

const fn board_view(board: Board, turns: usize) -> BoardView {
    let Some(corner) = Cell::on(board, 2, 2) else { panic!("both boards have this cell") };
    let mut view = BoardView { cells: [corner; MOST], squares: [0; CELLS], bits: [0; CELLS] };
    let side = board.size();
    let row_bits = side.div_ceil(8) * 8;
    let mut place = 0;
    while place < side * side {
        let (row, column) = (place / side, place % side);
        let (to_row, to_column) = turn(board, turns, row, column);
        let number = row * STRIDE + column;
        view.bits[number] = (to_row * row_bits + to_column) as u8;
        if let Some(cell) = Cell::on(board, row as i32, column as i32) {
            let square = square(board, to_row, to_column);
            view.squares[number] = square as u8;
            view.cells[square] = cell;
        }
        place += 1;
    }
    view
}

/// Maps a row and column to where a view shows them.
const fn turn(board: Board, turns: usize, row: usize, column: usize) -> (usize, usize) {
    let last = board.size() - 1;
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
    let (side, mut place, mut count) = (board.size(), 0, 0);
    while place < row * side + column {
        if Cell::on(board, (place / side) as i32, (place % side) as i32).is_some() {
            count += 1;
        }
        place += 1;
    }
    count
}

/// Returns the number of squares of a board.
pub(super) const fn count(board: Board) -> usize {
    square(board, board.size() - 1, board.size())
}

/// The maximum number of pieces of one player.
pub(super) const ARMY: usize = 16;
/// A king's steps, and castling to both sides.
const KING: usize = 8 + 2;

/// Returns an upper bound on the legal actions of one player: each piece except the king has at
/// most the moves of a queen on an empty board, and waiting is always legal.
pub(super) const fn max_legal(board: Board) -> usize {
    let (side, mut place, mut most) = (board.size() as i32, 0, 0);
    while place < side * side {
        let reach = queen(board, place / side, place % side);
        most = if reach > most { reach } else { most };
        place += 1;
    }
    (ARMY - 1) * most + KING + 1
}

/// Returns the number of squares that a queen reaches on an empty board.
const fn queen(board: Board, row: i32, column: i32) -> usize {
    let (mut reach, mut direction) = (0, 0);
    while direction < 9 && Cell::on(board, row, column).is_some() {
        let (down, right) = (direction / 3 - 1, direction % 3 - 1);
        let mut steps = 1;
        while direction != 4
            && Cell::on(board, row + steps * down, column + steps * right).is_some()
        {
            reach += 1;
            steps += 1;
        }
        direction += 1;
    }
    reach
}
