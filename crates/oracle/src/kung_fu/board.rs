//! The two boards, and the geometry of each army.

use crate::board::Role;

/// A square by row and column, counted from the top left; it may be off the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Square {
    pub(super) row: i64,
    pub(super) col: i64,
}

impl Square {
    pub(super) fn step(self, (rows, cols): (i64, i64), times: i64) -> Square {
        Square { row: self.row + times * rows, col: self.col + times * cols }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Board {
    /// 8×8, for two players.
    Small,
    /// 12×12 without its 2×2 corners, for two to four players.
    Cross,
}

impl Board {
    pub(super) fn size(self) -> i64 {
        [8, 12][self as usize]
    }

    /// The number of rows and columns of each cut corner.
    fn cut(self) -> i64 {
        (self.size() - 8) / 2
    }

    /// The players who can play on the board.
    pub(super) fn players(self) -> Vec<i64> {
        (1..=[2, 4][self as usize]).collect()
    }

    pub(super) fn is_within_edges(self, square: Square) -> bool {
        let line = 0..self.size();
        line.contains(&square.row) && line.contains(&square.col)
    }

    pub(super) fn is_cut(self, square: Square) -> bool {
        let middle = self.cut()..self.size() - self.cut();
        !middle.contains(&square.row) && !middle.contains(&square.col)
    }

    pub(super) fn has(self, square: Square) -> bool {
        self.is_within_edges(square) && !self.is_cut(square)
    }

    /// Returns the army of one of the board's players.
    pub(super) fn army(self, player: i64) -> Army {
        let (forward, back_line) = match (self, player) {
            (Board::Small, 1) => ((-1, 0), "RNBQKBNR"),
            (Board::Small, 2) => ((1, 0), "RNBQKBNR"),
            (Board::Cross, 1) => ((0, -1), "RNBQKBNR"),
            (Board::Cross, 2) => ((-1, 0), "RNBKQBNR"),
            (Board::Cross, 3) => ((0, 1), "RNBKQBNR"),
            (Board::Cross, 4) => ((1, 0), "RNBQKBNR"),
            (Board::Small | Board::Cross, _) => unreachable!("no player {player} at the board"),
        };
        Army { board: self, forward, back_line }
    }
}

/// Where an army starts and which direction it moves in. Its lines are the rows or columns that it
/// faces, counted from 0 at its own edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Army {
    board: Board,
    pub(super) forward: (i64, i64),
    /// The letters of the pieces on the back line, in the order of rows or columns.
    back_line: &'static str,
}

impl Army {
    /// All pieces except pawns start on the back line.
    pub(super) fn is_on_back_line(&self, square: Square) -> bool {
        self.line_of(square) == 0
    }

    /// The pawns start on this line, and may move two squares from it.
    pub(super) fn is_on_pawn_line(&self, square: Square) -> bool {
        self.line_of(square) == 1
    }

    /// The pawns promote on the last line that reaches across the whole board.
    pub(super) fn is_on_promotion_line(&self, square: Square) -> bool {
        self.line_of(square) == self.board.size() - 1 - self.board.cut()
    }

    /// The home squares of the castling rooks.
    pub(super) fn rook_homes(&self) -> [Square; 2] {
        [0, 7].map(|index| self.square(0, index))
    }

    /// Returns the two squares that a pawn captures on; they may be off the board.
    pub(super) fn pawn_targets(&self, from: Square) -> [Square; 2] {
        let ahead = from.step(self.forward, 1);
        let sideways = (self.forward.1, self.forward.0);
        [ahead.step(sideways, -1), ahead.step(sideways, 1)]
    }

    /// Returns all pieces of the army on their start squares.
    pub(super) fn pieces(&self) -> Vec<(Role, Square)> {
        let mut pieces = Vec::new();
        for (index, letter) in (0..).zip(self.back_line.chars()) {
            let role = Role::from_letter(letter).expect("a role's letter");
            pieces.push((role, self.square(0, index)));
            pieces.push((Role::Pawn, self.square(1, index)));
        }
        pieces
    }

    fn line_of(&self, square: Square) -> i64 {
        let last = self.board.size() - 1;
        match self.forward {
            (0, 1) => square.col,
            (0, _) => last - square.col,
            (1, _) => square.row,
            _ => last - square.row,
        }
    }

    /// Returns the square on a line at one of the eight places where pieces start.
    fn square(&self, line: i64, index: i64) -> Square {
        let last = self.board.size() - 1;
        let index = self.board.cut() + index;
        match self.forward {
            (0, 1) => Square { row: index, col: line },
            (0, _) => Square { row: index, col: last - line },
            (1, _) => Square { row: line, col: index },
            _ => Square { row: last - line, col: index },
        }
    }
}
