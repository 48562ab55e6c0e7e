//! Values that are interpolated between the middlegame and the endgame, and the part of the
//! evaluation that is updated incrementally.

use std::ops::{Add, AddAssign, Mul, Sub};

use fourfold_board::Square;
use fourfold_chess::{Color, Move, Position, Role};

use super::piece_square::worth;

/// Centipawns in the middlegame, and in the endgame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Taper(pub(super) i32, pub(super) i32);

impl Taper {
    pub(super) const fn plus(self, other: Taper) -> Taper {
        Taper(self.0 + other.0, self.1 + other.1)
    }

    /// Divides both values by a power of two.
    pub(super) const fn shift(self, twos: i32) -> Taper {
        Taper(self.0 >> twos, self.1 >> twos)
    }

    pub(super) const fn minus(self, other: Taper) -> Taper {
        Taper(self.0 - other.0, self.1 - other.1)
    }
}

impl Add for Taper {
    type Output = Taper;

    #[inline(always)]
    fn add(self, other: Taper) -> Taper {
        self.plus(other)
    }
}

impl AddAssign for Taper {
    #[inline(always)]
    fn add_assign(&mut self, other: Taper) {
        *self = self.plus(other);
    }
}

impl Sub for Taper {
    type Output = Taper;

    #[inline(always)]
    fn sub(self, other: Taper) -> Taper {
        self.minus(other)
    }
}

impl Mul<i32> for Taper {
    type Output = Taper;

    #[inline(always)]
    fn mul(self, times: i32) -> Taper {
        Taper(self.0 * times, self.1 * times)
    }
}

/// The part of the evaluation that is updated incrementally: the piece-square values, for White,
/// and the game phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Incremental {
    pub(super) sum: Taper,
    phase: i32,
}

/// A position to be searched.
#[derive(Clone, Copy)]
pub(super) struct State<'a> {
    pub(super) position: &'a Position,
    pub(super) incremental: Incremental,
    /// Whether the side to move is in check.
    pub(super) check: bool,
}

/// The phase with all pieces on the board.
const FULL: i32 = 24;

impl Incremental {
    /// Computes the values from the board.
    pub(super) fn of(position: &Position) -> Incremental {
        let mut incremental = Incremental::default();
        for (square, piece) in position.board().iter_pieces() {
            incremental.put(piece.color, piece.role, square);
        }
        incremental
    }

    /// Returns the updated values after a legal move.
    #[inline(always)]
    pub(super) fn after(mut self, position: &Position, mv: Move) -> Incremental {
        let us = position.turn();
        if let Some(wing) = mv.castling() {
            self.take(us, Role::King, mv.from());
            self.take(us, Role::Rook, mv.to());
            self.put(us, Role::King, wing.king_target(us));
            self.put(us, Role::Rook, wing.rook_target(us));
            return self;
        }
        if let Some(role) = position.captured(mv) {
            self.take(!us, role, mv.captured_square());
        }
        self.take(us, mv.role(), mv.from());
        self.put(us, mv.promotion().unwrap_or(mv.role()), mv.to());
        self
    }

    /// Interpolates between the two values of a taper: with all pieces on the board, only the first
    /// one counts.
    #[inline(always)]
    pub(super) fn blend(self, taper: Taper) -> i32 {
        let phase = self.phase.min(FULL);
        (taper.0 * phase + taper.1 * (FULL - phase)) / FULL
    }

    #[inline(always)]
    fn put(&mut self, color: Color, role: Role, square: Square) {
        self.sum += worth(color, role, square);
        self.phase += PHASE[role as usize];
    }

    #[inline(always)]
    fn take(&mut self, color: Color, role: Role, square: Square) {
        self.sum = self.sum - worth(color, role, square);
        self.phase -= PHASE[role as usize];
    }
}

/// How much a piece of each role adds to the phase.
static PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

#[cfg(test)]
mod tests {
    use fourfold_chess::{Setup, random_walk};

    use super::*;

    #[test]
    fn incremental_values_match_the_board() {
        for seed in 0..60 {
            let start = if seed % 2 == 0 {
                Position::start()
            } else {
                let setup = Setup::chess960((seed * 37 % 960) as u16).expect("a start");
                setup.validate().expect("a start is valid")
            };
            let mut incremental = Incremental::of(&start);
            let walk: Vec<Position> = random_walk(start, seed).take(200).collect();
            for pair in walk.windows(2) {
                let (before, after) = (pair[0], pair[1]);
                let played = before.legal_moves().into_iter().find(|&mv| before.after(mv) == after);
                incremental = incremental.after(&before, played.expect("a move leads there"));
                assert_eq!(incremental, Incremental::of(&after), "{before} to {after}");
            }
        }
    }
}
