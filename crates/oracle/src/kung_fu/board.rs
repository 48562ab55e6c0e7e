//! The two boards, and the geometry of each army.

use super::piece::Kind;

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
        match self {
            Board::Small => 8,
            Board::Cross => 12,
        }
    }

    /// The players who can play on the board.
    pub(super) fn players(self) -> Vec<i64> {
        match self {
            Board::Small => vec![1, 2],
            Board::Cross => vec![1, 2, 3, 4],
        }
    }

    pub(super) fn is_within_edges(self, square: Square) -> bool {
        let line = 0..self.size();
        line.contains(&square.row) && line.contains(&square.col)
    }

    pub(super) fn is_cut(self, square: Square) -> bool {
        let is_outer = |line: i64| !(2..=9).contains(&line);
        self == Board::Cross && is_outer(square.row) && is_outer(square.col)
    }

    pub(super) fn has(self, square: Square) -> bool {
        self.is_within_edges(square) && !self.is_cut(square)
    }

    /// Returns the army of one of the board's players.
    pub(super) fn army(self, player: i64) -> Army {
        let army = |forward, lines, back, pawns, promotion, ends, officers| Army {
            forward,
            lines,
            back,
            pawns,
            promotion,
            ends,
            officers,
        };
        match (self, player) {
            (Board::Small, 1) => army((-1, 0), Lines::Rows, 7, 6, 0, (0, 7), "RNBQKBNR"),
            (Board::Small, 2) => army((1, 0), Lines::Rows, 0, 1, 7, (0, 7), "RNBQKBNR"),
            (Board::Cross, 1) => army((0, -1), Lines::Columns, 11, 10, 2, (2, 9), "RNBQKBNR"),
            (Board::Cross, 2) => army((-1, 0), Lines::Rows, 11, 10, 2, (2, 9), "RNBKQBNR"),
            (Board::Cross, 3) => army((0, 1), Lines::Columns, 0, 1, 9, (2, 9), "RNBKQBNR"),
            (Board::Cross, 4) => army((1, 0), Lines::Rows, 0, 1, 9, (2, 9), "RNBQKBNR"),
            (Board::Small | Board::Cross, _) => unreachable!("no player {player} at the board"),
        }
    }
}

/// Whether an army's back line, and every line ahead of it, is a row or a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lines {
    Rows,
    Columns,
}

/// Where an army starts and which direction it moves in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Army {
    pub(super) forward: (i64, i64),
    lines: Lines,
    /// The index of the line on which the officers start.
    back: i64,
    /// The index of the line on which the pawns start, and from which they may move two squares.
    pawns: i64,
    /// The index of the line on which the pawns promote.
    promotion: i64,
    /// The positions of the castling rooks on the back line.
    ends: (i64, i64),
    /// The letters of the officers, from the first end to the last.
    officers: &'static str,
}

impl Army {
    pub(super) fn is_on_back_line(&self, square: Square) -> bool {
        self.line_of(square) == self.back
    }

    pub(super) fn is_on_pawn_line(&self, square: Square) -> bool {
        self.line_of(square) == self.pawns
    }

    pub(super) fn is_on_promotion_line(&self, square: Square) -> bool {
        self.line_of(square) == self.promotion
    }

    /// The home squares of the castling rooks.
    pub(super) fn rook_homes(&self) -> [Square; 2] {
        [self.square(self.back, self.ends.0), self.square(self.back, self.ends.1)]
    }

    /// Returns the two squares that a pawn captures on; they may be off the board.
    pub(super) fn pawn_targets(&self, from: Square) -> [Square; 2] {
        let ahead = from.step(self.forward, 1);
        let sideways = (self.forward.1, self.forward.0);
        [ahead.step(sideways, -1), ahead.step(sideways, 1)]
    }

    /// Returns all pieces of the army on their start squares.
    pub(super) fn men(&self) -> Vec<(Kind, Square)> {
        let mut men = Vec::new();
        for (place, letter) in (self.ends.0..).zip(self.officers.chars()) {
            let officer = Kind::from_letter(letter).expect("an officer's letter");
            men.push((officer, self.square(self.back, place)));
            men.push((Kind::Pawn, self.square(self.pawns, place)));
        }
        men
    }

    fn line_of(&self, square: Square) -> i64 {
        match self.lines {
            Lines::Rows => square.row,
            Lines::Columns => square.col,
        }
    }

    fn square(&self, line: i64, place: i64) -> Square {
        match self.lines {
            Lines::Rows => Square { row: line, col: place },
            Lines::Columns => Square { row: place, col: line },
        }
    }
}
