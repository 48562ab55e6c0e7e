//! Where the men stand, in the three forms that the rules ask for, kept in step: by square, as sets,
//! and by line.

use fourfold_board::{Direction, KING_LEAPS, KNIGHT_LEAPS, Square};

use crate::army::ARMIES;
use crate::lines::{Axis, Lines, walk};
use crate::{BOARD, Bitboard, Kind, Man, Player, Players};

/// What a cell holds: eight times the owner's number, plus the kind's. The owner's number of a man of
/// nobody is 4. All codes are below 64, so a word can hold a set of them.
pub(crate) type Code = u8;

/// An empty square.
pub(crate) const EMPTY: Code = 0;
/// A cell that the board does not have.
const WALL: Code = 40;
/// The owner's number of men that belong to nobody.
pub(crate) const NOBODY: u8 = 4;

/// A player's man as a code.
#[inline(always)]
pub(crate) const fn code(owner: Player, kind: Kind) -> Code {
    8 * owner as u8 + kind as u8
}

/// The man that a code stands for.
pub(crate) const fn decoded(code: Code) -> Option<Man> {
    let kind = (code & 7) as usize;
    if kind == 0 {
        return None;
    }
    let owner = if code >> 3 == NOBODY { None } else { Some(Player::from_index(code >> 3)) };
    Some(Man { owner, kind: Kind::ALL[kind - 1] })
}

pub(crate) const fn encoded(man: Man) -> Code {
    let owner = match man.owner {
        Some(player) => player as u8,
        None => NOBODY,
    };
    8 * owner + man.kind as u8
}

/// A set of codes.
pub(crate) type Codes = u64;

/// All men of some players.
#[inline(always)]
pub(crate) const fn codes_of(players: Players) -> Codes {
    // A byte of ones for each player.
    let bits = players.bits() as u64;
    (bits & 1 | (bits & 2) << 7 | (bits & 4) << 14 | (bits & 8) << 21) * 0xff
}

/// The kings of all four.
pub(crate) const KINGS: Codes = 0x0101_0101 << Kind::King as u8;

/// Men that attack a neighbour in a direction, seen from the neighbour, as sets of codes.
static NEAR: [Codes; 8] = attacks(true);
/// Men that attack along a direction from farther away, seen from the attacked square.
static FAR: [Codes; 8] = attacks(false);

const fn attacks(near: bool) -> [Codes; 8] {
    let mut table = [0; 8];
    let mut index = 0;
    while index < 8 {
        let slider = if index % 2 == 0 { Kind::Rook } else { Kind::Bishop };
        let mut player = 0;
        while player < 4 {
            let owner = Player::ALL[player];
            let mut codes = 1 << code(owner, slider)
                | 1 << code(owner, Kind::Queen)
                | 1 << code(owner, Kind::Promoted);
            if near {
                codes |= 1 << code(owner, Kind::King);
                let [left, right] = ARMIES[player].captures;
                let back = Direction::ALL[index].opposite() as u8;
                if left as u8 == back || right as u8 == back {
                    codes |= 1 << code(owner, Kind::Pawn);
                }
            }
            table[index] |= codes;
            player += 1;
        }
        index += 1;
    }
    table
}

/// The men that attack a square from a distance in a direction, were nothing between.
#[inline(always)]
pub(crate) fn attackers_from(direction: Direction, distance: u32) -> Codes {
    if distance == 1 { NEAR[direction as usize] } else { FAR[direction as usize] }
}

/// The sliders among them.
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
        if BOARD.exists().contains(square) {
            table[cell] = BOARD.leaps(square, leaps);
        }
        cell += 1;
    }
    table
}

/// Where any man could take from a square on an empty board: queen's and knight's moves.
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

/// The set of one cell.
#[inline(always)]
pub(crate) const fn only(cell: u8) -> Bitboard {
    Bitboard::of(Square::new(cell as usize))
}

/// The number of a square's cell.
#[inline(always)]
pub(crate) const fn cell(square: Square) -> u8 {
    square.index() as u8
}

/// Some players' men, as those whose attacks count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attackers {
    pub(crate) codes: Codes,
    pub(crate) knights: Bitboard,
}

/// All men on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Men {
    codes: [Code; 256],
    lines: Lines,
    /// By owner, nobody last.
    owners: [Bitboard; 5],
    /// By the number of their kind; all men in the place of no kind.
    kinds: [Bitboard; 8],
}

impl Men {
    /// None.
    pub(crate) const NONE: Men = {
        let mut codes = [WALL; 256];
        let mut cell = 0;
        while cell < 256 {
            if BOARD.exists().contains(Square::new(cell)) {
                codes[cell] = EMPTY;
            }
            cell += 1;
        }
        Men {
            codes,
            lines: Lines::EMPTY,
            owners: [Bitboard::EMPTY; 5],
            kinds: [Bitboard::EMPTY; 8],
        }
    };

    /// What a cell holds.
    #[inline(always)]
    pub(crate) fn at(&self, cell: u8) -> Code {
        self.codes[cell as usize]
    }

    #[inline(always)]
    pub(crate) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// A player's men.
    #[inline(always)]
    pub(crate) fn of(&self, player: Player) -> Bitboard {
        self.owners[player as usize]
    }

    /// Men that never had an owner.
    pub(crate) fn of_nobody(&self) -> Bitboard {
        self.owners[NOBODY as usize]
    }

    /// Everybody's men of a kind.
    #[inline(always)]
    pub(crate) fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind as usize]
    }

    /// Everybody's queens of both kinds.
    #[inline(always)]
    pub(crate) fn queens(&self) -> Bitboard {
        self.kind(Kind::Queen) | self.kind(Kind::Promoted)
    }

    /// All men.
    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.kinds[0]
    }

    /// Adds a man to the sets of its owner and kind, or takes it out.
    #[inline(always)]
    fn flip(&mut self, cell: u8, code: Code) {
        let square = Square::new(cell as usize);
        self.owners[usize::from(code >> 3).min(NOBODY as usize)].toggle(square);
        self.kinds[(code & 7) as usize].toggle(square);
    }

    /// Makes an empty square an occupied one, or the other way round.
    #[inline(always)]
    fn occupy(&mut self, cell: u8) {
        self.kinds[0].toggle(Square::new(cell as usize));
        self.lines.toggle(cell);
    }

    /// Puts a man on an empty square.
    #[inline(always)]
    pub(crate) fn put(&mut self, cell: u8, code: Code) {
        self.codes[cell as usize] = code;
        self.flip(cell, code);
        self.occupy(cell);
    }

    /// Takes a man off its square.
    #[inline(always)]
    pub(crate) fn take(&mut self, cell: u8, code: Code) {
        self.codes[cell as usize] = EMPTY;
        self.flip(cell, code);
        self.occupy(cell);
    }

    /// Puts another man in the place of one.
    #[inline(always)]
    pub(crate) fn replace(&mut self, cell: u8, old: Code, new: Code) {
        self.codes[cell as usize] = new;
        self.flip(cell, old);
        self.flip(cell, new);
    }

    /// These players' men, as attackers.
    #[inline(always)]
    pub(crate) fn attackers(&self, players: Players) -> Attackers {
        let codes = codes_of(players);
        let mut set = Bitboard::EMPTY;
        for player in Player::ALL {
            let whole = 0u64.wrapping_sub(u64::from(players.contains(player)));
            set |= self.of(player) & Bitboard::from_words([whole; 4]);
        }
        Attackers { codes, knights: set & self.kind(Kind::Knight) }
    }

    /// Whether one of these attackers attacks a square.
    #[inline(always)]
    pub(crate) fn attacked(&self, cell: u8, by: &Attackers) -> bool {
        let hits = self.hits(cell, Axis::Rank)
            | self.hits(cell, Axis::File)
            | self.hits(cell, Axis::Rising)
            | self.hits(cell, Axis::Falling);
        hits & by.codes != 0 || KNIGHT[cell as usize].meets(by.knights)
    }

    /// Whoever's men attack a square along an axis, as codes.
    #[inline(always)]
    fn hits(&self, cell: u8, axis: Axis) -> Codes {
        let (up, down) = self.lines.empty(cell, axis);
        let above = self.at(walk(cell, axis.up(), up + 1));
        let below = self.at(walk(cell, axis.down(), down + 1));
        attackers_from(axis.up(), up + 1) & 1 << above
            | attackers_from(axis.down(), down + 1) & 1 << below
    }

    /// The men among these attackers that attack a square.
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

    /// All men and their squares, in the order of the squares.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Square, Man)> + '_ {
        self.occupied().iter().filter_map(|square| Some((square, decoded(self.at(cell(square)))?)))
    }
}
