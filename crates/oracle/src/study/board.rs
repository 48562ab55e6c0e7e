//! Pieces on squares, and which piece attacks which square. Only the board field of the FEN is
//! parsed here; the chess module has validated it before.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colour {
    White,
    Black,
}

impl Colour {
    pub(super) fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// The direction of this color's pawns, in ranks.
    pub(super) fn forward(self) -> i32 {
        match self {
            Colour::White => 1,
            Colour::Black => -1,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    /// The value in pawns; `None` for the king.
    pub(super) fn value(self) -> Option<i32> {
        match self {
            Kind::Pawn => Some(1),
            Kind::Knight | Kind::Bishop => Some(3),
            Kind::Rook => Some(5),
            Kind::Queen => Some(9),
            Kind::King => None,
        }
    }

    /// Whether this role is worth more than the other; the king is worth more than all others.
    pub(super) fn is_worth_more_than(self, other: Kind) -> bool {
        match (self.value(), other.value()) {
            (Some(mine), Some(theirs)) => mine > theirs,
            (None, Some(_)) => true,
            (_, None) => false,
        }
    }

    pub(super) fn is_slider(self) -> bool {
        matches!(self, Kind::Bishop | Kind::Rook | Kind::Queen)
    }

    pub(super) fn from_letter(letter: char) -> Option<Kind> {
        match letter.to_ascii_lowercase() {
            'p' => Some(Kind::Pawn),
            'n' => Some(Kind::Knight),
            'b' => Some(Kind::Bishop),
            'r' => Some(Kind::Rook),
            'q' => Some(Kind::Queen),
            'k' => Some(Kind::King),
            _ => None,
        }
    }
}

/// A role and the color that owns the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Man {
    pub(super) colour: Colour,
    pub(super) kind: Kind,
}

/// A square, possibly off the board: files and ranks from 0 to 7 are on it. Squares sort as a1, b1,
/// …, h1, a2, …, h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Square {
    pub(super) rank: i32,
    pub(super) file: i32,
}

impl Square {
    pub(super) fn all() -> impl Iterator<Item = Square> {
        (0..8).flat_map(|rank| (0..8).map(move |file| Square { rank, file }))
    }

    pub(super) fn from_name(name: &str) -> Option<Square> {
        Square::all().find(|square| square.to_string() == name)
    }

    pub(super) fn is_on_board(self) -> bool {
        (0..8).contains(&self.rank) && (0..8).contains(&self.file)
    }

    pub(super) fn step(self, (files, ranks): (i32, i32)) -> Square {
        Square { rank: self.rank + ranks, file: self.file + files }
    }

    /// Returns the one-square step toward the other square, if both are on one line.
    pub(super) fn direction_to(self, other: Square) -> Option<(i32, i32)> {
        let (files, ranks) = (other.file - self.file, other.rank - self.rank);
        let on_a_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        (on_a_line && self != other).then_some((files.signum(), ranks.signum()))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file as u8);
        write!(f, "{file}{}", self.rank + 1)
    }
}

/// The contents of the 64 squares.
#[derive(Clone, Debug)]
pub(super) struct Board {
    ranks: [[Option<Man>; 8]; 8],
}

impl Board {
    /// Parses the board field of a FEN that has been validated.
    pub(super) fn of_fen(fen: &str) -> Board {
        let mut board = Board { ranks: [[None; 8]; 8] };
        let mut square = Square { rank: 7, file: 0 };
        for letter in fen.chars().take_while(|letter| *letter != ' ') {
            if letter == '/' {
                square = Square { rank: square.rank - 1, file: 0 };
            } else if let Some(kind) = Kind::from_letter(letter) {
                let colour = if letter.is_uppercase() { Colour::White } else { Colour::Black };
                board.put(square, Some(Man { colour, kind }));
                square.file += 1;
            } else {
                square.file += letter.to_digit(10).map_or(0, |empty| empty as i32);
            }
        }
        board
    }

    /// Returns the piece on a square; `None` if it is empty or off the board.
    pub(super) fn at(&self, square: Square) -> Option<Man> {
        if square.is_on_board() {
            self.ranks[square.rank as usize][square.file as usize]
        } else {
            None
        }
    }

    pub(super) fn put(&mut self, square: Square, man: Option<Man>) {
        self.ranks[square.rank as usize][square.file as usize] = man;
    }

    /// Returns the pieces of one color with their squares.
    pub(super) fn men(&self, colour: Colour) -> Vec<(Square, Kind)> {
        let all = Square::all().filter_map(|square| Some((square, self.at(square)?)));
        all.filter(|(_, man)| man.colour == colour)
            .map(|(square, man)| (square, man.kind))
            .collect()
    }

    pub(super) fn squares_of(&self, colour: Colour, kind: Kind) -> Vec<Square> {
        let men = self.men(colour).into_iter();
        men.filter(|(_, other)| *other == kind).map(|(square, _)| square).collect()
    }

    /// Whether the piece on `from` attacks a square, which may be empty or occupied.
    pub(super) fn attacks(&self, from: Square, to: Square) -> bool {
        let Some(man) = self.at(from) else {
            return false;
        };
        let (files, ranks) = ((to.file - from.file).abs(), (to.rank - from.rank).abs());
        match man.kind {
            Kind::Pawn => files == 1 && to.rank - from.rank == man.colour.forward(),
            Kind::Knight => (files, ranks) == (1, 2) || (files, ranks) == (2, 1),
            Kind::King => files.max(ranks) == 1,
            Kind::Bishop | Kind::Rook | Kind::Queen => {
                let direction = from.direction_to(to);
                direction.is_some_and(|direction| slides(man.kind, direction))
                    && self.between(from, to).is_empty()
            }
        }
    }

    /// Returns the squares attacked by the piece on `from`.
    pub(super) fn attacked_from(&self, from: Square) -> Vec<Square> {
        Square::all().filter(|to| self.attacks(from, *to)).collect()
    }

    /// Returns the squares of the pieces of one color that attack a square.
    pub(super) fn attackers(&self, to: Square, by: Colour) -> Vec<Square> {
        let men = self.men(by).into_iter().map(|(from, _)| from);
        men.filter(|from| self.attacks(*from, to)).collect()
    }

    pub(super) fn is_attacked(&self, to: Square, by: Colour) -> bool {
        !self.attackers(to, by).is_empty()
    }

    /// Returns the occupied squares strictly between two squares on one line.
    pub(super) fn between(&self, from: Square, to: Square) -> Vec<Square> {
        let Some(direction) = from.direction_to(to) else {
            return Vec::new();
        };
        let mut men = Vec::new();
        let mut square = from.step(direction);
        while square != to {
            men.extend(self.at(square).map(|_| square));
            square = square.step(direction);
        }
        men
    }

    /// Returns the first piece in that direction, excluding the one on `from`.
    pub(super) fn first_man(&self, from: Square, direction: (i32, i32)) -> Option<(Square, Man)> {
        let mut square = from.step(direction);
        while square.is_on_board() {
            if let Some(man) = self.at(square) {
                return Some((square, man));
            }
            square = square.step(direction);
        }
        None
    }
}

pub(super) const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// Whether pieces of that role slide in that direction.
pub(super) fn slides(kind: Kind, (files, ranks): (i32, i32)) -> bool {
    let straight = files == 0 || ranks == 0;
    match kind {
        Kind::Bishop => !straight,
        Kind::Rook => straight,
        Kind::Queen => true,
        Kind::Pawn | Kind::Knight | Kind::King => false,
    }
}
