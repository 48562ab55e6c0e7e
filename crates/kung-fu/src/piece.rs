//! Pieces: what they are, where they stand, and how they fly.

use crate::side::Cell;

/// No game has more pieces: four armies of sixteen.
pub const MAX_PIECES: usize = 64;

/// What a piece is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Any number of squares diagonally.
    Bishop,
    /// One square in any way; who loses it is out.
    King,
    /// Flies straight to a square two and one away.
    Knight,
    /// Forward, and diagonally to capture.
    Pawn,
    /// Any number of squares in any way.
    Queen,
    /// Any number of squares straight.
    Rook,
}

impl Kind {
    /// All of them, in the order of their letters.
    pub const ALL: [Kind; 6] =
        [Kind::Bishop, Kind::King, Kind::Knight, Kind::Pawn, Kind::Queen, Kind::Rook];

    /// The letter: `N` is the knight.
    pub const fn letter(self) -> char {
        ['B', 'K', 'N', 'P', 'Q', 'R'][self as usize]
    }

    /// The kind with a letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// A piece of a game by its number, in the order of their [names](crate::Game::name); it keeps it
/// for ever.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceId(pub u8);

/// What a piece is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It stands and may be ordered.
    Standing,
    /// It has arrived and rests.
    Resting {
        /// The tick on which it is rested.
        until: u64,
    },
    /// It flies to a square.
    Moving {
        /// Where it goes.
        to: Cell,
        /// The tick on which it left.
        start: u64,
        /// The tick on which it arrives.
        arrive: u64,
        /// For a rook that castles, its king while that flies too.
        king: Option<PieceId>,
    },
    /// It was taken or removed.
    Gone,
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    pub(crate) kind: Kind,
    pub(crate) player: u8,
    /// What it was at the start, and where: its name.
    pub(crate) born: (Kind, Cell),
    /// Where it stands, or has left from.
    pub(crate) at: Cell,
    pub(crate) moved: bool,
    pub(crate) status: Status,
}

impl Piece {
    /// What it is now.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Whose it is, from 1 to 4.
    pub const fn player(&self) -> u8 {
        self.player
    }

    /// Where it stands or, while it flies, has left from.
    pub const fn at(&self) -> Cell {
        self.at
    }

    /// Whether it was ever ordered.
    pub const fn moved(&self) -> bool {
        self.moved
    }

    /// What it is doing.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Whether it is on the board or above it.
    pub const fn is_there(&self) -> bool {
        !matches!(self.status, Status::Gone)
    }

    /// In the place of no piece.
    pub(crate) const NONE: Piece = Piece {
        kind: Kind::Pawn,
        player: 0,
        born: (Kind::Pawn, Cell(0)),
        at: Cell(0),
        moved: false,
        status: Status::Gone,
    };
}

/// How long a flight takes, in squares: a knight's counts two.
pub(crate) const fn squares(kind: Kind, from: Cell, to: Cell) -> u64 {
    let (down, right) = from.to(to);
    let (down, right) = (down.unsigned_abs(), right.unsigned_abs());
    match kind {
        Kind::Knight => 2,
        _ if down > right => down as u64,
        _ => right as u64,
    }
}
