//! Pieces: their roles, where they are, and what they are doing.

use bytemuck::{Pod, Zeroable};

use crate::Player;
use crate::board::Cell;
use crate::game::NO_PIECE;

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Piece {
    /// The tick on which the flight starts; 0 unless the piece is in flight.
    start: u64,
    /// The tick on which the piece arrives or its rest ends; 0 if it stands or is gone.
    until: u64,
    /// A [`Role`].
    role: u8,
    pub(crate) player: Player,
    /// The [`Role`] and square at the start, which make up the name.
    start_role: u8,
    start_cell: Cell,
    /// The square on which the piece stands, or which it has left.
    pub(crate) at: Cell,
    /// The target; 0 unless the piece is in flight.
    to: Cell,
    /// The king of a castling rook while both are in flight, or [`NO_PIECE`].
    king: u8,
    /// One of `STANDING`, `RESTING`, `MOVING` and `GONE`, plus `MOVED` if the piece counts as moved.
    flags: u8,
}

const STANDING: u8 = 0;
const RESTING: u8 = 1;
const MOVING: u8 = 2;
const GONE: u8 = 3;
const MOVED: u8 = 4;

impl Piece {
    /// Creates a piece that stands on its first square.
    pub(crate) const fn new(role: Role, player: Player, at: Cell) -> Piece {
        Piece {
            start: 0,
            until: 0,
            role: role as u8,
            player,
            start_role: role as u8,
            start_cell: at,
            at,
            to: Cell(0),
            king: NO_PIECE,
            flags: STANDING,
        }
    }

    /// Returns the current role.
    #[inline(always)]
    pub const fn role(&self) -> Role {
        // Not a table, which would be in memory.
        match self.role {
            0 => Role::Bishop,
            1 => Role::King,
            2 => Role::Knight,
            3 => Role::Pawn,
            4 => Role::Queen,
            _ => Role::Rook,
        }
    }

    pub(crate) const fn set_role(&mut self, role: Role) {
        self.role = role as u8;
    }

    /// Returns the role and square at the start, which make up the name.
    pub(crate) const fn origin(&self) -> (Role, Cell) {
        (Role::ALL[self.start_role as usize % Role::ALL.len()], self.start_cell)
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
        self.flags & MOVED != 0
    }

    pub(crate) const fn set_moved(&mut self, moved: bool) {
        self.flags = self.flags & !MOVED | if moved { MOVED } else { 0 };
    }

    /// Returns what the piece is doing.
    #[inline(always)]
    pub const fn status(&self) -> Status {
        match self.flags & !MOVED {
            STANDING => Status::Standing,
            RESTING => Status::Resting { until: self.until },
            MOVING => Status::Moving {
                to: self.to,
                start: self.start,
                arrive: self.until,
                king: if self.king == NO_PIECE { None } else { Some(PieceId(self.king)) },
            },
            _ => Status::Gone,
        }
    }

    #[inline(always)]
    pub(crate) const fn set_status(&mut self, status: Status) {
        let (flag, to, start, until, king) = match status {
            Status::Standing => (STANDING, Cell(0), 0, 0, NO_PIECE),
            Status::Resting { until } => (RESTING, Cell(0), 0, until, NO_PIECE),
            Status::Moving { to, start, arrive, king: None } => {
                (MOVING, to, start, arrive, NO_PIECE)
            }
            Status::Moving { to, start, arrive, king: Some(king) } => {
                (MOVING, to, start, arrive, king.0)
            }
            Status::Gone => (GONE, Cell(0), 0, 0, NO_PIECE),
        };
        self.flags = self.flags & MOVED | flag;
        (self.to, self.start, self.until, self.king) = (to, start, until, king);
    }

    /// Returns whether the piece is on the board or in flight, not captured or removed.
    pub const fn is_alive(&self) -> bool {
        !matches!(self.status(), Status::Gone)
    }

    /// A placeholder for unused entries.
    pub(crate) const NONE: Piece =
        Piece { flags: GONE, ..Piece::new(Role::Pawn, Player::ALL[0], Cell(0)) };
}

/// A condition on pieces: who they belong to and, if given, their role. It is tested in one comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceFilter {
    mask: u16,
    value: u16,
}

impl PieceFilter {
    /// Creates a filter for the pieces of a player, with a role or of all roles.
    #[inline(always)]
    pub const fn new(player: Player, role: Option<Role>) -> PieceFilter {
        let player = player.index() as u8;
        let (mask, role) = match role {
            Some(role) => (u8::MAX, role as u8),
            None => (0, 0),
        };
        PieceFilter {
            mask: u16::from_le_bytes([mask, u8::MAX]),
            value: u16::from_le_bytes([role, player]),
        }
    }

    /// Returns whether a piece fulfills the condition, alive or not.
    #[inline(always)]
    pub fn accepts(self, piece: &Piece) -> bool {
        // The role and the player are the first bytes of the third word.
        let [_, _, word]: [u64; 3] = bytemuck::cast(*piece);
        u64::from_le(word) as u16 & self.mask == self.value
    }
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
