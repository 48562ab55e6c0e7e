//! The targets of a piece as a set of squares, found by arithmetic instead of walking: for threads that
//! run in lockstep.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::board::{Cell, Line, Side};
use crate::game::bit_indices;
use crate::piece::{MAX_PIECES, Piece, Status};
use crate::{Board, Game, Player, Role};

/// A numbering of the squares of a board: the existing squares, row by row from the top left of the
/// board as it is or as a player sees it.
pub trait Numbering {
    /// Returns the number of a square.
    fn square(&self, cell: Cell) -> u32;

    /// Returns the square with a number.
    fn cell(&self, square: u32) -> Cell;
}

/// A set of numbered squares: `u64` for 8×8, `u128` for 12×12.
pub trait SquareSet:
    Copy
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// The set without squares.
    const EMPTY: Self;

    /// Returns the set of one square.
    fn of(square: u32) -> Self;

    /// Returns the squares before the first member.
    fn before_first(self) -> Self;

    /// Returns the number of the first member.
    fn first(self) -> u32;

    /// Returns the set without its first member.
    #[must_use]
    fn without_first(self) -> Self;

    /// Subtracts a set from another one as numbers, of which the first square is the lowest bit.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Returns the set with the squares in reverse order.
    #[must_use]
    fn reverse(self) -> Self;

    /// Returns what pieces reach from a square of the board that this type is for.
    fn reach(square: u32) -> &'static Reach<Self>;
}

macro_rules! square_set {
    ($type:ty, $table:ident) => {
        impl SquareSet for $type {
            const EMPTY: $type = 0;

            #[inline(always)]
            fn of(square: u32) -> $type {
                1 << square % <$type>::BITS
            }

            #[inline(always)]
            fn before_first(self) -> $type {
                !self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn first(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn without_first(self) -> $type {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn minus(self, other: $type) -> $type {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn reverse(self) -> $type {
                self.reverse_bits()
            }

            #[inline(always)]
            fn reach(square: u32) -> &'static Reach<$type> {
                &$table[(square % <$type>::BITS) as usize]
            }
        }
    };
}

square_set!(u64, EIGHT);
square_set!(u128, TWELVE);

/// What pieces reach from a square of an empty board.
#[derive(Clone, Copy, Debug)]
pub struct Reach<S> {
    /// The row, the column, and the diagonals that descend to the right and to the left, without the
    /// square itself.
    lines: [S; 4],
    /// The squares next to it, in all directions.
    near: S,
    /// The squares two steps away along the row and the column.
    second: S,
    /// The squares that a knight reaches.
    leaps: S,
}

static EIGHT: [Reach<u64>; 64] = {
    let mut table = [Reach { lines: [0; 4], near: 0, second: 0, leaps: 0 }; 64];
    let mut square = 0;
    while square < table.len() {
        let Reach { lines: [row, column, right, left], near, second, leaps } =
            reach(Board::Eight, square);
        table[square] = Reach {
            lines: [row as u64, column as u64, right as u64, left as u64],
            near: near as u64,
            second: second as u64,
            leaps: leaps as u64,
        };
        square += 1;
    }
    table
};

static TWELVE: [Reach<u128>; 128] = {
    let mut table = [Reach { lines: [0; 4], near: 0, second: 0, leaps: 0 }; 128];
    let mut square = 0;
    while square < table.len() {
        table[square] = reach(Board::Twelve, square);
        square += 1;
    }
    table
};

/// Returns the number of a square that exists.
const fn number(board: Board, cell: Cell) -> usize {
    let (row, column) = (cell.row() as usize, cell.column() as usize);
    match (board, row) {
        (Board::Eight, _) => 8 * row + column,
        (Board::Twelve, 0..2) => 8 * row + column - 2,
        (Board::Twelve, 2..10) => 16 + 12 * (row - 2) + column,
        (Board::Twelve, _) => 112 + 8 * (row - 10) + column - 2,
    }
}

/// Returns the square with a number.
const fn cell(board: Board, square: usize) -> Cell {
    let mut cell = 0;
    while cell < 256 {
        let found = Cell(cell as u8);
        if found.exists(board) && number(board, found) == square {
            return found;
        }
        cell += 1;
    }
    panic!("both boards have all squares");
}

/// Returns the squares that a piece reaches with steps in a direction and the opposite one.
const fn both_ways(board: Board, from: Cell, (down, right): (i8, i8), most: usize) -> u128 {
    ray(board, from, (down, right), most) | ray(board, from, (-down, -right), most)
}

/// Returns the squares that a piece reaches with steps in one direction, up to a number of steps.
const fn ray(board: Board, from: Cell, step: (i8, i8), most: usize) -> u128 {
    let (mut set, mut steps, mut cell) = (0, 0, from.step(step));
    while steps < most && cell.exists(board) {
        set |= 1 << number(board, cell);
        steps += 1;
        cell = cell.step(step);
    }
    set
}

const fn reach(board: Board, square: usize) -> Reach<u128> {
    const STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];
    const LEAPS: [(i8, i8); 4] = [(1, 2), (2, 1), (2, -1), (1, -2)];
    let from = cell(board, square);
    let mut reach = Reach { lines: [0; 4], near: 0, second: 0, leaps: 0 };
    let mut line = 0;
    while line < 4 {
        let one = both_ways(board, from, STEPS[line], 1);
        reach.lines[line] = both_ways(board, from, STEPS[line], 12);
        reach.near |= one;
        if line < 2 {
            reach.second |= both_ways(board, from, STEPS[line], 2) & !one;
        }
        reach.leaps |= both_ways(board, from, LEAPS[line], 1);
        line += 1;
    }
    reach
}

/// Returns what a piece on a square reaches along a line: up to the first occupied squares, inclusive.
#[inline(always)]
fn slide<S: SquareSet>(line: S, square: S, occupied: S) -> S {
    // The subtraction borrows from the nearest occupied square, and changes everything up to it.
    let occupied = occupied & line;
    let after = occupied.minus(square);
    let before = occupied.reverse().minus(square.reverse()).reverse();
    (after ^ before) & line
}

/// The state of the board that all pieces of a player share when their targets are found.
#[derive(Clone, Copy)]
struct Crowd<S> {
    occupied: S,
    reserved: S,
    /// Whether pawns move along columns of the numbering, not rows, and whether to higher numbers.
    pawns_vertical: bool,
    pawns_ascend: bool,
}

impl Game {
    /// Returns the indices of the pieces that stand on the squares of a row; 255 for none.
    #[inline(always)]
    pub fn standing_on_row(&self, row: usize) -> &[u8; 16] {
        &self.standing.as_chunks().0[row % 16]
    }

    /// Finds the legal orders of every `LANES`th piece of a game, beginning with `lane`, as far as they
    /// belong to a player. Calls `visit` with the square and the targets of each. `occupied` must be the
    /// squares on which pieces stand.
    #[inline(always)]
    pub fn targets_of_lane<S: SquareSet, const LANES: usize>(
        &self,
        player: Player,
        numbering: &impl Numbering,
        occupied: S,
        lane: usize,
        mut visit: impl FnMut(u32, S),
    ) {
        if self.outcome().is_some() || self.is_closed() || !self.alive().contains(player) {
            return;
        }
        let side = Side::of(self.rules().board, player);
        // Both boards have these squares in the middle.
        let middle = Cell::at(5, 5);
        let (from, to) = (numbering.square(middle), numbering.square(middle.step(side.forward)));
        let mut reserved = S::EMPTY;
        self.for_each_reserved(player, |cell| {
            reserved = reserved | S::of(numbering.square(cell));
        });
        let crowd = Crowd {
            occupied,
            reserved,
            pawns_vertical: from.abs_diff(to) != 1,
            pawns_ascend: to > from,
        };
        let mut found = 0;
        for slot in 0..MAX_PIECES / LANES {
            let index = slot * LANES + lane % LANES;
            let piece = &self.pieces[index];
            let may_move = piece.player == player && piece.status() == Status::Standing;
            found |= u64::from(may_move) << slot;
        }
        for slot in bit_indices(found) {
            let piece = &self.pieces[(slot * LANES + lane % LANES) % MAX_PIECES];
            let square = numbering.square(piece.at);
            visit(square, self.targets(piece, square, numbering, &crowd));
        }
    }

    /// Returns the targets of the legal orders of a standing piece. Differs from the search along
    /// directions in that all roles take the same path, as far as possible.
    #[inline(always)]
    fn targets<S: SquareSet>(
        &self,
        piece: &Piece,
        square: u32,
        numbering: &impl Numbering,
        crowd: &Crowd<S>,
    ) -> S {
        let &Crowd { occupied, reserved, pawns_vertical, pawns_ascend } = crowd;
        let Reach { lines, near, second, leaps } = *S::reach(square);
        let here = S::of(square);
        let blocked = occupied | reserved;
        let [row, column, right, left] = lines.map(|line| slide(line, here, blocked));
        let role = piece.role();
        let side = Side::of(self.rules().board, piece.player);
        let ahead = if pawns_ascend { !here.before_first() } else { here.before_first() };
        let ahead_left = if pawns_vertical { ahead } else { !ahead };
        let straight = if pawns_vertical { column } else { row };
        let steps = if side.pawns.contains(piece.at) { near | second } else { near };
        let attacked = match role {
            Role::Pawn => (right & ahead | left & ahead_left) & near & occupied,
            Role::Knight => leaps,
            Role::King => (row | column | right | left) & near,
            Role::Bishop => right | left,
            Role::Rook => row | column,
            Role::Queen => row | column | right | left,
        };
        let mut targets = attacked & !reserved;
        let mut rest = targets & occupied;
        if role == Role::Pawn {
            targets = targets | straight & ahead & steps & !blocked;
        }
        while rest != S::EMPTY {
            let other = self.piece_on(numbering.cell(rest.first()));
            let others = rest.without_first();
            if other.is_some_and(|other| self.same_team(piece.player, other.player)) {
                targets = targets & !(rest ^ others);
            }
            rest = others;
        }
        if role == Role::King && !piece.moved() && side.back.contains(piece.at) {
            let along = if let Line::Row(_) = side.back { (0, 1) } else { (1, 0) };
            for sign in [1, -1] {
                let step = (sign * along.0, sign * along.1);
                let to = piece.at.step((2 * step.0, 2 * step.1));
                let exists = to.exists(self.rules().board);
                if exists && self.castling(piece, side, step).is_ok() {
                    targets = targets | S::of(numbering.square(to));
                }
            }
        }
        targets
    }
}
