//! The board: its squares, the pieces on it, and what each piece attacks.

use std::fmt;

use super::player::Player;

/// The role of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    /// What a pawn promotes to in a free-for-all: it moves like a queen and is worth one point.
    OnePointQueen,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Pawn,
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Queen,
        Kind::King,
        Kind::OnePointQueen,
    ];

    pub(super) fn letter(self) -> char {
        match self {
            Kind::Pawn => 'P',
            Kind::Knight => 'N',
            Kind::Bishop => 'B',
            Kind::Rook => 'R',
            Kind::Queen => 'Q',
            Kind::King => 'K',
            Kind::OnePointQueen => 'D',
        }
    }

    pub(super) fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// A role and the player who owns the piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Man {
    /// The owner, living or eliminated. Some gray pieces have none.
    pub(super) owner: Option<Player>,
    pub(super) kind: Kind,
}

/// The number of files and of ranks, including the cut corners.
pub(super) const SIDE: usize = 14;

/// A square; file and rank count from 0, so d1 is (3, 0) and k14 is (10, 13).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Square {
    pub(super) file: usize,
    pub(super) rank: usize,
}

impl Square {
    /// Iterates over the 160 squares of the cross.
    pub(super) fn all() -> impl Iterator<Item = Square> {
        (0..SIDE).flat_map(|rank| (0..SIDE).filter_map(move |file| Square::new(file, rank)))
    }

    /// Returns the square on that file and rank, or `None` if it is off the board or in one of the
    /// cut 3×3 corners.
    pub(super) fn new(file: usize, rank: usize) -> Option<Square> {
        let middle = 3..=10;
        let exists =
            file < SIDE && rank < SIDE && (middle.contains(&file) || middle.contains(&rank));
        exists.then_some(Square { file, rank })
    }

    pub(super) fn from_name(name: &str) -> Option<Square> {
        Square::all().find(|square| square.to_string() == name)
    }

    /// Returns the square that many files to the right and ranks up, or `None` if it does not
    /// exist.
    pub(super) fn step(self, (files, ranks): (isize, isize)) -> Option<Square> {
        let file = self.file.checked_add_signed(files)?;
        let rank = self.rank.checked_add_signed(ranks)?;
        Square::new(file, rank)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b"abcdefghijklmn"[self.file]);
        write!(f, "{file}{}", self.rank + 1)
    }
}

const STRAIGHT: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(isize, isize); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The contents of the squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Board {
    ranks: [[Option<Man>; SIDE]; SIDE],
}

impl Board {
    pub(super) fn empty() -> Board {
        Board { ranks: [[None; SIDE]; SIDE] }
    }

    pub(super) fn at(&self, square: Square) -> Option<Man> {
        self.ranks[square.rank][square.file]
    }

    pub(super) fn is_empty(&self, square: Square) -> bool {
        self.at(square).is_none()
    }

    pub(super) fn holds(&self, square: Square, owner: Player, kind: Kind) -> bool {
        self.at(square) == Some(Man { owner: Some(owner), kind })
    }

    pub(super) fn put(&mut self, square: Square, man: Man) {
        self.ranks[square.rank][square.file] = Some(man);
    }

    pub(super) fn lift(&mut self, square: Square) {
        self.ranks[square.rank][square.file] = None;
    }

    /// Iterates over all pieces with their squares.
    pub(super) fn men(&self) -> impl Iterator<Item = (Square, Man)> {
        Square::all().filter_map(|square| self.at(square).map(|man| (square, man)))
    }

    /// Iterates over the player's pieces with their squares.
    pub(super) fn men_of(&self, player: Player) -> impl Iterator<Item = (Square, Kind)> {
        self.men()
            .filter(move |(_, man)| man.owner == Some(player))
            .map(|(square, man)| (square, man.kind))
    }

    pub(super) fn king(&self, player: Player) -> Option<Square> {
        Square::all().find(|square| self.holds(*square, player, Kind::King))
    }

    /// Whether a piece of player `by` attacks the square. Does not check whether the player is
    /// eliminated; that is up to the caller.
    pub(super) fn is_attacked(&self, target: Square, by: Player) -> bool {
        self.men_of(by).any(|(from, _)| self.attacks(from).contains(&target))
    }

    /// Returns the squares attacked by the piece on `from`, whether they are empty or occupied.
    pub(super) fn attacks(&self, from: Square) -> Vec<Square> {
        let Some(Man { owner: Some(owner), kind }) = self.at(from) else {
            return Vec::new();
        };
        match kind {
            Kind::Pawn => steps(from, &owner.pawn_captures()),
            Kind::Knight => steps(from, &KNIGHT),
            Kind::Bishop => self.rays(from, &DIAGONAL),
            Kind::Rook => self.rays(from, &STRAIGHT),
            Kind::Queen | Kind::OnePointQueen => {
                [self.rays(from, &STRAIGHT), self.rays(from, &DIAGONAL)].concat()
            }
            Kind::King => [steps(from, &STRAIGHT), steps(from, &DIAGONAL)].concat(),
        }
    }

    /// Returns the squares in each direction up to and including the first occupied one. A cut
    /// corner ends a line just like the edge of the board.
    fn rays(&self, from: Square, directions: &[(isize, isize)]) -> Vec<Square> {
        let mut squares = Vec::new();
        for direction in directions {
            let mut at = from;
            while let Some(next) = at.step(*direction) {
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
    directions.iter().filter_map(|direction| from.step(*direction)).collect()
}
