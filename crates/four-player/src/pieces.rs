//! Piece placement in three forms that are kept in sync: by square, as sets, and by line.

use bytemuck::{Pod, Zeroable};
use fourfold_board::{Direction, KING_LEAPS, KNIGHT_LEAPS, Square};

use crate::army::ARMIES;
use crate::lines::{Axis, Lines, walk};
use crate::{BOARD, Bitboard, Piece, Player, Players, Role};

/// The contents of a cell: eight times the owner's index, plus the role's discriminant. The owner's
/// index of a piece without an owner is 4. All codes are below 64, so a 64-bit word can hold a set
/// of them.
pub(crate) type Code = u8;

/// An empty square.
pub(crate) const EMPTY: Code = 0;
/// A cell that the board does not have.
const WALL: Code = 40;
/// The owner's index of pieces without an owner.
pub(crate) const UNOWNED: u8 = 4;

/// Returns the code of a player's piece.
#[inline(always)]
pub(crate) const fn code(owner: Player, role: Role) -> Code {
    8 * owner as u8 + role as u8
}

/// Returns the piece with a code, or `None` for an empty square or a wall.
pub(crate) const fn decode(code: Code) -> Option<Piece> {
    let role = (code & 7) as usize;
    if role == 0 {
        return None;
    }
    let owner = if code >> 3 == UNOWNED { None } else { Some(Player::from_index(code >> 3)) };
    Some(Piece { owner, role: Role::ALL[role - 1] })
}

pub(crate) const fn encode(piece: Piece) -> Code {
    let owner = match piece.owner {
        Some(player) => player as u8,
        None => UNOWNED,
    };
    8 * owner + piece.role as u8
}

/// A set of codes.
pub(crate) type Codes = u64;

/// Returns the codes of all pieces of some players.
#[inline(always)]
pub(crate) const fn codes_of(players: Players) -> Codes {
    // Each player's codes fill one byte.
    let bits = players.bits() as u64;
    (bits & 1 | (bits & 2) << 7 | (bits & 4) << 14 | (bits & 8) << 21) * 0xff
}

/// The codes of all pieces, including those without an owner.
pub(crate) const ALL_PIECES: Codes = 0xfe_fefe_fefe;
/// The codes of all four kings.
pub(crate) const KINGS: Codes = 0x0101_0101 << Role::King as u8;

/// For each direction, the codes of the pieces that attack a square from its neighbor in that
/// direction.
static NEAR: [Codes; 8] = attacks(true);
/// For each direction, the codes of the pieces that attack a square from farther away in that
/// direction.
static FAR: [Codes; 8] = attacks(false);

const fn attacks(near: bool) -> [Codes; 8] {
    let mut table = [0; 8];
    let mut index = 0;
    while index < 8 {
        let slider = if index % 2 == 0 { Role::Rook } else { Role::Bishop };
        let mut player = 0;
        while player < 4 {
            let owner = Player::ALL[player];
            let mut codes = 1 << code(owner, slider)
                | 1 << code(owner, Role::Queen)
                | 1 << code(owner, Role::OnePointQueen);
            if near {
                codes |= 1 << code(owner, Role::King);
                let [left, right] = ARMIES[player].captures;
                let back = Direction::ALL[index].opposite() as u8;
                if left as u8 == back || right as u8 == back {
                    codes |= 1 << code(owner, Role::Pawn);
                }
            }
            table[index] |= codes;
            player += 1;
        }
        index += 1;
    }
    table
}

/// Returns the codes of the pieces that attack a square from some distance in a direction, if the
/// squares between are empty.
#[inline(always)]
pub(crate) fn attackers_from(direction: Direction, distance: u32) -> Codes {
    if distance == 1 { NEAR[direction as usize] } else { FAR[direction as usize] }
}

/// Returns the codes of the sliders that move along a direction.
#[inline(always)]
pub(crate) fn sliders_from(direction: Direction) -> Codes {
    FAR[direction as usize]
}

pub(crate) static KING: [Bitboard; 256] = leaps(&KING_LEAPS);
pub(crate) static KNIGHT: [Bitboard; 256] = leaps(&KNIGHT_LEAPS);

const fn leaps(leaps: &[(i32, i32)]) -> [Bitboard; 256] {
    let mut table = [Bitboard::EMPTY; 256];
    let mut cell = 0;
    while cell < 256 {
        let square = Square::new(cell);
        if BOARD.squares().contains(square) {
            table[cell] = BOARD.leaps(square, leaps);
        }
        cell += 1;
    }
    table
}

/// The squares that any piece could capture on from a square, on an empty board: the moves of a
/// queen and a knight.
pub(crate) static REACH: [Bitboard; 256] = {
    let mut table = KNIGHT;
    let mut cell = 0;
    while cell < 256 {
        let rays = BOARD.rays(Square::new(cell), &Direction::ALL);
        table[cell] = table[cell].union(rays);
        cell += 1;
    }
    table
};

/// Returns the set that contains only this cell.
#[inline(always)]
pub(crate) const fn only(cell: u8) -> Bitboard {
    Bitboard::of(Square::new(cell as usize))
}

/// Returns the index of a square's cell.
#[inline(always)]
pub(crate) const fn cell(square: Square) -> u8 {
    square.index() as u8
}

/// Returns whether a square exists. An index can be too large even for a cell.
pub(crate) fn is_on_board(square: Square) -> bool {
    square.index() < 256 && BOARD.squares().contains(square)
}

/// The pieces of the players whose attacks count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attackers {
    pub(crate) codes: Codes,
    pub(crate) knights: Bitboard,
}

/// All pieces on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Pieces {
    /// The pieces of each owner; those without an owner come last.
    owners: [Bitboard; 5],
    /// The pieces of each role, by discriminant. Index 0 holds all pieces.
    roles: [Bitboard; 8],
    codes: [Code; 256],
    lines: Lines,
}

impl Pieces {
    /// The empty board.
    pub(crate) const NONE: Pieces = {
        let mut codes = [WALL; 256];
        let mut cell = 0;
        while cell < 256 {
            if BOARD.squares().contains(Square::new(cell)) {
                codes[cell] = EMPTY;
            }
            cell += 1;
        }
        Pieces {
            codes,
            lines: Lines::EMPTY,
            owners: [Bitboard::EMPTY; 5],
            roles: [Bitboard::EMPTY; 8],
        }
    };

    /// Returns the contents of a cell.
    #[inline(always)]
    pub(crate) fn at(&self, cell: u8) -> Code {
        self.codes[cell as usize]
    }

    #[inline(always)]
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Returns the pieces of a player.
    #[inline(always)]
    pub(crate) fn of(&self, player: Player) -> Bitboard {
        self.owners[player as usize]
    }

    /// Returns the pieces without an owner.
    pub(crate) fn unowned(&self) -> Bitboard {
        self.owners[UNOWNED as usize]
    }

    /// Returns the pieces of a role, of all owners.
    #[inline(always)]
    pub(crate) fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// Returns all queens, including one-point queens.
    #[inline(always)]
    pub(crate) fn queens(&self) -> Bitboard {
        self.role(Role::Queen) | self.role(Role::OnePointQueen)
    }

    /// Returns all occupied squares.
    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.roles[0]
    }

    /// Toggles a piece in the sets of its owner and its role.
    #[inline(always)]
    fn toggle_sets(&mut self, cell: u8, code: Code) {
        let square = Square::new(cell as usize);
        self.owners[usize::from(code >> 3).min(UNOWNED as usize)].toggle(square);
        self.roles[(code & 7) as usize].toggle(square);
    }

    /// Toggles whether a square is occupied.
    #[inline(always)]
    fn toggle_occupied(&mut self, cell: u8) {
        self.roles[0].toggle(Square::new(cell as usize));
        self.lines.toggle(cell);
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(crate) fn put(&mut self, cell: u8, code: Code) {
        self.codes[cell as usize] = code;
        self.toggle_sets(cell, code);
        self.toggle_occupied(cell);
    }

    /// Removes a piece from its square.
    #[inline(always)]
    pub(crate) fn remove(&mut self, cell: u8, code: Code) {
        self.codes[cell as usize] = EMPTY;
        self.toggle_sets(cell, code);
        self.toggle_occupied(cell);
    }

    /// Replaces a piece with another one.
    #[inline(always)]
    pub(crate) fn replace(&mut self, cell: u8, old: Code, new: Code) {
        self.codes[cell as usize] = new;
        self.toggle_sets(cell, old);
        self.toggle_sets(cell, new);
    }

    /// Returns the pieces of these players as attackers.
    #[inline(always)]
    pub(crate) fn attackers(&self, players: Players) -> Attackers {
        let codes = codes_of(players);
        let mut set = Bitboard::EMPTY;
        for player in Player::ALL {
            let whole = 0u64.wrapping_sub(u64::from(players.contains(player)));
            set |= self.of(player) & Bitboard::from_words([whole; 4]);
        }
        Attackers { codes, knights: set & self.role(Role::Knight) }
    }

    /// Returns whether any of these attackers attacks a square.
    #[inline(always)]
    pub(crate) fn attacked(&self, cell: u8, by: &Attackers) -> bool {
        let hits = self.hits(cell, Axis::Rank)
            | self.hits(cell, Axis::File)
            | self.hits(cell, Axis::Rising)
            | self.hits(cell, Axis::Falling);
        hits & by.codes != 0 || KNIGHT[cell as usize].intersects(by.knights)
    }

    /// Returns the codes of the pieces that attack a square along an axis, of any owner.
    #[inline(always)]
    fn hits(&self, cell: u8, axis: Axis) -> Codes {
        let (up, down) = self.lines.empty(cell, axis);
        let above = self.at(walk(cell, axis.up(), up + 1));
        let below = self.at(walk(cell, axis.down(), down + 1));
        attackers_from(axis.up(), up + 1) & 1 << above
            | attackers_from(axis.down(), down + 1) & 1 << below
    }

    /// Returns the squares of those attackers that attack a square.
    pub(crate) fn attackers_of(&self, cell: u8, by: &Attackers) -> Bitboard {
        let mut found = KNIGHT[cell as usize] & by.knights;
        for direction in Direction::ALL {
            let distance = self.lines.empty_toward(cell, direction) + 1;
            let at = walk(cell, direction, distance);
            if attackers_from(direction, distance) & by.codes & 1 << self.at(at) != 0 {
                found |= only(at);
            }
        }
        found
    }

    /// Iterates over all pieces with their squares, in square order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().iter().filter_map(|square| Some((square, decode(self.at(cell(square)))?)))
    }
}
