//! Pieces and their places: standing, moving or gone.

use super::board::Square;
use crate::board::Role;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Role, player, row and column at the start of the game, like `P:1:6:4`.
    pub(super) id: String,
    pub(super) player: i64,
    pub(super) role: Role,
    pub(super) place: Place,
    /// Whether it has been ordered to move; such a king or rook may not castle. Reset for a
    /// castling rook that returns home.
    pub(super) moved: bool,
}

impl Piece {
    pub(super) fn new(role: Role, player: i64, at: Square, moved: bool) -> Piece {
        let id = format!("{}:{player}:{}:{}", role.letter(), at.row, at.col);
        Piece { id, player, role, place: Place::Standing { at, rests_until: None }, moved }
    }

    pub(super) fn stands_at(&self) -> Option<Square> {
        if let Place::Standing { at, .. } = self.place { Some(at) } else { None }
    }

    pub(super) fn flight(&self) -> Option<Flight> {
        if let Place::Moving(flight) = self.place { Some(flight) } else { None }
    }

    pub(super) fn is_gone(&self) -> bool {
        self.place == Place::Gone
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// On a square. A resting piece accepts no orders until the tick on which its rest ends.
    Standing {
        at: Square,
        rests_until: Option<i64>,
    },
    Moving(Flight),
    /// Captured or removed.
    Gone,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Flight {
    pub(super) from: Square,
    pub(super) to: Square,
    /// The last tick on which it is on its origin.
    pub(super) start: i64,
    /// The tick on which it arrives at its destination.
    pub(super) arrival: i64,
    /// Set for a castling rook whose king has not arrived yet.
    pub(super) castling: bool,
}

impl Flight {
    pub(super) fn total(&self) -> i64 {
        self.arrival - self.start
    }

    /// Returns row and column at a tick, in units of `1 / parts` of a square. `parts` must make the
    /// result a whole number; twice the ticks per square is enough, even for knights.
    pub(super) fn position(&self, now: i64, parts: i64) -> (i64, i64) {
        let at = |from: i64, to: i64| {
            let distance = parts * (from * self.total() + (to - from) * (now - self.start));
            assert_eq!(distance % self.total(), 0, "{self:?} is between parts at tick {now}");
            distance / self.total()
        };
        (at(self.from.row, self.to.row), at(self.from.col, self.to.col))
    }

    /// Whether it moves along a row or a column.
    pub(super) fn is_straight(&self) -> bool {
        self.from.row == self.to.row || self.from.col == self.to.col
    }
}
