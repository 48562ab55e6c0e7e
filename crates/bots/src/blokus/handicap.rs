//! The handicap of a bot: what it overlooks. Strong bots overlook nothing; weak ones consider few
//! placements, forget pieces that they have and corners that they could build on, and end their
//! playouts early.

use fourfold_blokus::{Placement, Position};

use crate::random::draw;

/// The handicap of a bot. Probabilities are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handicap {
    /// How many placements it considers.
    pub(super) candidates: usize,
    /// After how many placements a playout is evaluated as it stands.
    pub(super) horizon: u32,
    /// The probability of forgetting a piece that it still has.
    pub(super) miss_piece: u64,
    /// The probability of overlooking a corner.
    pub(super) miss_corner: u64,
    /// Determines which pieces and corners are overlooked.
    pub(super) seed: u64,
}

impl Handicap {
    /// No handicap: nothing that matters is overlooked.
    pub(super) const NONE: Handicap =
        Handicap { candidates: 48, horizon: u32::MAX, miss_piece: 0, miss_corner: 0, seed: 0 };

    /// Returns whether a legal placement is noticed: its piece is not forgotten, and one of the
    /// corners that it uses is not overlooked.
    pub(super) fn sees(&self, position: &Position, placement: Placement) -> bool {
        let Some(color) = position.turn() else { return true };
        let is_missed = |what, chance| draw(self.seed, what) % 1000 < chance;
        if is_missed(placement.piece().index() as u64, self.miss_piece) {
            return false;
        }
        let frontier = position.frontier(color);
        self.miss_corner == 0
            || placement.cells().any(|(row, column)| {
                let cell = 64 + 32 * row as u64 + column as u64;
                frontier.contains(row, column) && !is_missed(cell, self.miss_corner)
            })
    }
}
