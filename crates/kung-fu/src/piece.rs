//! Pieces: their roles, where they are, and what they are doing.

use crate::Player;
use crate::board::Cell;

/// The maximum number of pieces in a game: four armies of sixteen.
pub const MAX_PIECES: usize = 64;

/// The type of a piece, without its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Role {
    /// Moves any number of squares diagonally.
    Bishop,
    /// Moves one square in any direction. A player whose king is captured is eliminated.
    King,
    /// Flies in a straight line to a square that is two rows and one column away, or vice versa.
    Knight,
    /// Moves forward, and diagonally to capture.
    Pawn,
    /// Moves any number of squares in any direction.
    Queen,
    /// Moves any number of squares along a row or a column.
    Rook,
}

impl Role {
    /// All roles, in the order of their letters.
    pub const ALL: [Role; 6] =
        [Role::Bishop, Role::King, Role::Knight, Role::Pawn, Role::Queen, Role::Rook];

    /// Returns the letter in uppercase; `N` is the knight.
    pub const fn letter(self) -> char {
        ['B', 'K', 'N', 'P', 'Q', 'R'][self as usize]
    }

    /// Returns the role with a letter in uppercase.
    pub fn from_letter(letter: char) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.letter() == letter)
    }
}

/// Identifies a piece of a game: its index in the order of [names](crate::Game::name). It never
/// changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceId(pub u8);

/// What a piece is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It stands and accepts orders.
    Standing,
    /// It has arrived and is resting.
    Resting {
        /// The tick on which the rest ends.
        until: u64,
    },
    /// It is in flight.
    Moving {
        /// The target.
        to: Cell,
        /// The tick on which the flight starts.
        start: u64,
        /// The tick on which the piece arrives.
        arrive: u64,
        /// For a castling rook, its king, as long as that is in flight too.
        king: Option<PieceId>,
    },
    /// It was captured or removed.
    Gone,
}

/// A piece of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    pub(crate) role: Role,
    pub(crate) player: Player,
    /// The role and square at the start, which make up the name.
    pub(crate) origin: (Role, Cell),
    /// The square on which the piece stands, or which it has left.
    pub(crate) at: Cell,
    pub(crate) moved: bool,
    pub(crate) status: Status,
}

impl Piece {
    /// Returns the current role.
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Returns the player that the piece belongs to.
    pub const fn player(&self) -> Player {
        self.player
    }

    /// Returns the square on which the piece stands or, while it is in flight, which it has left.
    pub const fn at(&self) -> Cell {
        self.at
    }

    /// Returns whether the piece counts as moved, so that it may no longer castle.
    pub const fn moved(&self) -> bool {
        self.moved
    }

    /// Returns what the piece is doing.
    pub const fn status(&self) -> Status {
        self.status
    }

    /// Returns whether the piece is on the board or in flight, not captured or removed.
    pub const fn is_alive(&self) -> bool {
        !matches!(self.status, Status::Gone)
    }

    /// A placeholder for unused entries.
    pub(crate) const NONE: Piece = Piece {
        role: Role::Pawn,
        player: Player::ALL[0],
        origin: (Role::Pawn, Cell(0)),
        at: Cell(0),
        moved: false,
        status: Status::Gone,
    };
}

/// Returns the length of a flight in squares, which determines its duration; a knight's counts as
/// two.
pub(crate) const fn squares(role: Role, from: Cell, to: Cell) -> u64 {
    let (down, right) = from.to(to);
    let (down, right) = (down.unsigned_abs(), right.unsigned_abs());
    match role {
        Role::Knight => 2,
        _ if down > right => down as u64,
        _ => right as u64,
    }
}
