//! The board: its squares, its pieces, and what each piece attacks.

use std::fmt;

/// The two players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Side {
    White,
    Black,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [Side::White, Side::Black];

    pub(super) fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The direction in which this side's pawns advance, in ranks.
    pub(super) fn forward(self) -> isize {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }

    /// The rank, counted from 0 at White's edge, on which this side's king starts.
    pub(super) fn first_rank(self) -> usize {
        match self {
            Side::White => 0,
            Side::Black => 7,
        }
    }

    /// The rank on which this side's pawns start.
    pub(super) fn pawn_rank(self) -> usize {
        match self {
            Side::White => 1,
            Side::Black => 6,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "white",
            Side::Black => "black",
        })
    }
}

/// The role of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King];

    /// The roles a pawn may promote to.
    pub(super) const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];

    pub(super) fn letter(self) -> char {
        match self {
            Kind::Pawn => 'P',
            Kind::Knight => 'N',
            Kind::Bishop => 'B',
            Kind::Rook => 'R',
            Kind::Queen => 'Q',
            Kind::King => 'K',
        }
    }
}

/// A role and the side that owns the piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Piece {
    pub(super) side: Side,
    pub(super) kind: Kind,
}

impl Piece {
    /// The piece's letter in a FEN: upper case for White, lower case for Black.
    pub(super) fn letter(self) -> char {
        match self.side {
            Side::White => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    pub(super) fn from_letter(letter: char) -> Option<Piece> {
        Side::BOTH
            .into_iter()
            .flat_map(|side| Kind::ALL.map(|kind| Piece { side, kind }))
            .find(|piece| piece.letter() == letter)
    }
}

/// A square; file and rank count from 0, so a1 is (0, 0) and h8 is (7, 7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Square {
    pub(super) file: usize,
    pub(super) rank: usize,
}

impl Square {
    pub(super) fn all() -> impl Iterator<Item = Square> {
        (0..8).flat_map(|rank| (0..8).map(move |file| Square { file, rank }))
    }

    pub(super) fn from_name(name: &str) -> Option<Square> {
        Square::all().find(|square| square.to_string() == name)
    }

    /// Returns the square `files` to the right and `ranks` up, or `None` if that is off the board.
    pub(super) fn step(self, files: isize, ranks: isize) -> Option<Square> {
        let file = self.file.checked_add_signed(files)?;
        let rank = self.rank.checked_add_signed(ranks)?;
        (file < 8 && rank < 8).then_some(Square { file, rank })
    }

    pub(super) fn is_light(self) -> bool {
        (self.file + self.rank) % 2 == 1
    }

    pub(super) fn file_letter(self) -> char {
        char::from(b"abcdefgh"[self.file])
    }

    pub(super) fn rank_digit(self) -> char {
        char::from(b"12345678"[self.rank])
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank_digit())
    }
}

const STRAIGHT: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(isize, isize); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The contents of the 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Board {
    ranks: [[Option<Piece>; 8]; 8],
}

impl Board {
    pub(super) fn empty() -> Board {
        Board { ranks: [[None; 8]; 8] }
    }

    pub(super) fn at(&self, square: Square) -> Option<Piece> {
        self.ranks[square.rank][square.file]
    }

    pub(super) fn is_empty(&self, square: Square) -> bool {
        self.at(square).is_none()
    }

    pub(super) fn holds(&self, square: Square, side: Side, kind: Kind) -> bool {
        self.at(square) == Some(Piece { side, kind })
    }

    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.ranks[square.rank][square.file] = Some(piece);
    }

    pub(super) fn lift(&mut self, square: Square) {
        self.ranks[square.rank][square.file] = None;
    }

    /// Iterates over all pieces with their squares.
    pub(super) fn men(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| self.at(square).map(|piece| (square, piece)))
    }

    pub(super) fn count(&self, side: Side, kind: Kind) -> usize {
        self.men().filter(|(_, piece)| *piece == Piece { side, kind }).count()
    }

    pub(super) fn king(&self, side: Side) -> Option<Square> {
        Square::all().find(|square| self.holds(*square, side, Kind::King))
    }

    pub(super) fn in_check(&self, side: Side) -> bool {
        self.king(side).is_some_and(|king| self.is_attacked(king, side.other()))
    }

    pub(super) fn is_attacked(&self, target: Square, by: Side) -> bool {
        self.attackers(target, by) > 0
    }

    /// Counts the pieces of `by` that attack `target`.
    pub(super) fn attackers(&self, target: Square, by: Side) -> usize {
        self.men()
            .filter(|(from, piece)| piece.side == by && self.attacks(*from).contains(&target))
            .count()
    }

    /// Returns the squares attacked by the piece on `from`, whether they are empty or occupied.
    pub(super) fn attacks(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.at(from) else {
            return Vec::new();
        };
        let forward = piece.side.forward();
        match piece.kind {
            Kind::Pawn => steps(from, &[(-1, forward), (1, forward)]),
            Kind::Knight => steps(from, &KNIGHT),
            Kind::Bishop => self.rays(from, &DIAGONAL),
            Kind::Rook => self.rays(from, &STRAIGHT),
            Kind::Queen => [self.rays(from, &STRAIGHT), self.rays(from, &DIAGONAL)].concat(),
            Kind::King => [steps(from, &STRAIGHT), steps(from, &DIAGONAL)].concat(),
        }
    }

    /// Returns the squares in each direction up to and including the first occupied one.
    fn rays(&self, from: Square, directions: &[(isize, isize)]) -> Vec<Square> {
        let mut squares = Vec::new();
        for (files, ranks) in directions {
            let mut at = from;
            while let Some(next) = at.step(*files, *ranks) {
                squares.push(next);
                if !self.is_empty(next) {
                    break;
                }
                at = next;
            }
        }
        squares
    }
}

fn steps(from: Square, directions: &[(isize, isize)]) -> Vec<Square> {
    directions.iter().filter_map(|(files, ranks)| from.step(*files, *ranks)).collect()
}
