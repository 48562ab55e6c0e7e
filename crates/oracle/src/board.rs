//! The boards of chess-like games: squares, pieces, and what each piece attacks.

use std::fmt;

/// A step on the board, as files to the right and ranks up.
pub(crate) type Direction = (i32, i32);

/// The directions of straight and then of diagonal lines.
const LINES: [Direction; 8] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [Direction; 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The role of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    /// What a pawn promotes to in a free-for-all of four-player chess: it moves like a queen and is
    /// worth one point. No other game has it.
    OnePointQueen,
}

impl Role {
    /// The roles that every game has.
    const COMMON: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// The roles that a pawn may promote to, except in a free-for-all of four-player chess.
    pub(crate) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    pub(crate) fn letter(self) -> char {
        char::from(b"PNBRQKD"[self as usize])
    }

    /// Returns the role with this letter, if it is one that every game has.
    pub(crate) fn from_letter(letter: char) -> Option<Role> {
        Role::COMMON.into_iter().find(|role| role.letter() == letter)
    }

    /// The directions in which a slider moves; none for the other roles.
    pub(crate) fn lines(self) -> &'static [Direction] {
        match self {
            Role::Rook => &LINES[..4],
            Role::Bishop => &LINES[4..],
            Role::Queen | Role::OnePointQueen => &LINES,
            Role::Pawn | Role::Knight | Role::King => &[],
        }
    }
}

/// Who owns a piece.
pub(crate) trait Owner: Copy + Eq {
    /// The direction in which the owner's pawns advance, or `None` if nobody can move the piece.
    fn pawn_direction(self) -> Option<Direction>;
}

/// A role and the owner of the piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Piece<O> {
    pub(crate) owner: O,
    pub(crate) role: Role,
}

/// A square, possibly off the board; file and rank count from 0, so a1 is (0, 0). Squares sort as
/// a1, b1, …, a2, b2, ….
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Square {
    pub(crate) rank: i32,
    pub(crate) file: i32,
}

impl Square {
    pub(crate) fn step(self, (files, ranks): Direction) -> Square {
        Square { rank: self.rank + ranks, file: self.file + files }
    }

    pub(crate) fn file_letter(self) -> char {
        char::from(b'a' + self.file as u8)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank + 1)
    }
}

/// The contents of the squares of a board with `SIDE` files and ranks. Eight files and eight ranks
/// reach from edge to edge; the corners of larger boards are cut off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Board<O, const SIDE: usize> {
    ranks: [[Option<Piece<O>>; SIDE]; SIDE],
}

impl<O: Owner, const SIDE: usize> Board<O, SIDE> {
    pub(crate) fn empty() -> Board<O, SIDE> {
        Board { ranks: [[None; SIDE]; SIDE] }
    }

    /// Whether the square is on the board.
    pub(crate) fn has(square: Square) -> bool {
        let side = SIDE as i32;
        let cut = (side - 8) / 2;
        let is_on = |line: i32| (0..side).contains(&line);
        let is_middle = |line: i32| (cut..side - cut).contains(&line);
        is_on(square.file)
            && is_on(square.rank)
            && (is_middle(square.file) || is_middle(square.rank))
    }

    /// Iterates over all squares, in their order.
    pub(crate) fn squares() -> impl Iterator<Item = Square> {
        let side = SIDE as i32;
        let all = (0..side).flat_map(move |rank| (0..side).map(move |file| Square { rank, file }));
        all.filter(|square| Self::has(*square))
    }

    pub(crate) fn square_named(name: &str) -> Option<Square> {
        Self::squares().find(|square| square.to_string() == name)
    }

    /// Returns the piece on a square; `None` if the square is empty or off the board.
    pub(crate) fn at(&self, square: Square) -> Option<Piece<O>> {
        if Self::has(square) {
            self.ranks[square.rank as usize][square.file as usize]
        } else {
            None
        }
    }

    /// Whether the square is on the board and empty.
    pub(crate) fn is_empty(&self, square: Square) -> bool {
        Self::has(square) && self.at(square).is_none()
    }

    pub(crate) fn holds(&self, square: Square, owner: impl Into<O>, role: Role) -> bool {
        self.at(square) == Some(Piece { owner: owner.into(), role })
    }

    pub(crate) fn put(&mut self, square: Square, owner: impl Into<O>, role: Role) {
        let piece = Piece { owner: owner.into(), role };
        self.ranks[square.rank as usize][square.file as usize] = Some(piece);
    }

    pub(crate) fn remove(&mut self, square: Square) {
        self.ranks[square.rank as usize][square.file as usize] = None;
    }

    /// Iterates over all pieces with their squares.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Square, Piece<O>)> {
        Self::squares().filter_map(|square| Some((square, self.at(square)?)))
    }

    /// Iterates over the owner's pieces with their squares.
    pub(crate) fn pieces_of(&self, owner: impl Into<O>) -> impl Iterator<Item = (Square, Role)> {
        let owner = owner.into();
        let own = self.pieces().filter(move |(_, piece)| piece.owner == owner);
        own.map(|(square, piece)| (square, piece.role))
    }

    /// Returns the squares of the owner's pieces of one role.
    pub(crate) fn squares_of(&self, owner: impl Into<O>, role: Role) -> Vec<Square> {
        let own = self.pieces_of(owner).filter(|(_, other)| *other == role);
        own.map(|(square, _)| square).collect()
    }

    pub(crate) fn king(&self, owner: impl Into<O>) -> Option<Square> {
        let mut own = self.pieces_of(owner);
        own.find(|(_, role)| *role == Role::King).map(|(square, _)| square)
    }

    /// Whether a piece of `by` attacks the square.
    pub(crate) fn is_attacked(&self, target: Square, by: impl Into<O>) -> bool {
        self.attackers(target, by).next().is_some()
    }

    /// Iterates over the squares of the pieces of `by` that attack the square.
    pub(crate) fn attackers(
        &self,
        target: Square,
        by: impl Into<O>,
    ) -> impl Iterator<Item = Square> {
        let squares = self.pieces_of(by).map(|(from, _)| from);
        squares.filter(move |from| self.attacks(*from).contains(&target))
    }

    /// Returns the squares attacked by the piece on `from`, whether they are empty or occupied.
    pub(crate) fn attacks(&self, from: Square) -> Vec<Square> {
        let Some(Piece { owner, role }) = self.at(from) else {
            return Vec::new();
        };
        let Some((files, ranks)) = owner.pawn_direction() else {
            return Vec::new();
        };
        let steps = |directions: &[Direction]| {
            let squares = directions.iter().map(|direction| from.step(*direction));
            squares.filter(|square| Self::has(*square)).collect()
        };
        match role {
            Role::Pawn => steps(&[(files - ranks, ranks - files), (files + ranks, ranks + files)]),
            Role::Knight => steps(&KNIGHT),
            Role::King => steps(&LINES),
            Role::Bishop | Role::Rook | Role::Queen | Role::OnePointQueen => {
                role.lines().iter().flat_map(|direction| self.ray(from, *direction)).collect()
            }
        }
    }

    /// Returns the squares in a direction up to and including the first occupied one. A cut corner
    /// ends a line just like the edge of the board.
    fn ray(&self, from: Square, direction: Direction) -> impl Iterator<Item = Square> {
        let mut next = Some(from.step(direction));
        std::iter::from_fn(move || {
            let square = next.filter(|square| Self::has(*square))?;
            next = self.is_empty(square).then(|| square.step(direction));
            Some(square)
        })
    }

    /// Returns the first piece in a direction.
    pub(crate) fn first_piece(
        &self,
        from: Square,
        direction: Direction,
    ) -> Option<(Square, Piece<O>)> {
        let last = self.ray(from, direction).last()?;
        Some((last, self.at(last)?))
    }
}
