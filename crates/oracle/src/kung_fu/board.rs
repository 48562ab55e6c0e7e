//! The two boards, and what sets one army apart from another.

use super::piece::Kind;

/// A place by row and column from the top left; it need not be on the board.
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
    /// 8×8, for two.
    Small,
    /// 12×12 without its corners of 2×2, for two to four.
    Cross,
}

impl Board {
    pub(super) fn size(self) -> i64 {
        match self {
            Board::Small => 8,
            Board::Cross => 12,
        }
    }

    /// The players who can sit at the board.
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

    /// The army of a player who can sit at the board.
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

/// Whether an army's back line, and all lines ahead of it, are rows or columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lines {
    Rows,
    Columns,
}

/// Where an army stands and where it goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Army {
    pub(super) forward: (i64, i64),
    lines: Lines,
    /// The number of the line of the officers.
    back: i64,
    /// The number of the line of the pawns, from which they may go two squares.
    pawns: i64,
    /// The number of the line on which they promote.
    promotion: i64,
    /// Where on the back line the rooks stand that castle.
    ends: (i64, i64),
    /// The officers from the first end to the last.
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

    /// The squares of the rooks that castle.
    pub(super) fn rook_homes(&self) -> [Square; 2] {
        [self.square(self.back, self.ends.0), self.square(self.back, self.ends.1)]
    }

    /// The two squares slantwise ahead.
    pub(super) fn pawn_targets(&self, from: Square) -> [Square; 2] {
        let ahead = from.step(self.forward, 1);
        let sideways = (self.forward.1, self.forward.0);
        [ahead.step(sideways, -1), ahead.step(sideways, 1)]
    }

    /// All men of the army on their squares at the start.
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
