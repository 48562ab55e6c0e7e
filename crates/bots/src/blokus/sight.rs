//! What a player overlooks. A strong one overlooks nothing; a weak one thinks of few placements, forgets
//! pieces that it has and corners that it could go on from, and soon stops to play on in its mind.

use fourfold_blokus::{Placement, Position};
use fourfold_board::Keys;

/// How well a player sees. Chances are in thousandths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sight {
    /// How many placements it thinks of.
    pub(super) candidates: usize,
    /// How many placements it plays on in its mind before it judges.
    pub(super) horizon: u32,
    /// The chance that it forgets a piece that it has.
    pub(super) piece: u64,
    /// The chance that it overlooks a corner to go on from.
    pub(super) corner: u64,
    /// Whose eyes they are: what is overlooked is the same for the same seed.
    pub(super) seed: u64,
}

impl Sight {
    /// Eyes that miss nothing that matters.
    pub(super) const CLEAR: Sight =
        Sight { candidates: 48, horizon: u32::MAX, piece: 0, corner: 0, seed: 0 };

    /// Whether a legal placement is seen: its piece is thought of, and one of the corners that it uses.
    pub(super) fn sees(&self, position: &Position, placement: Placement) -> bool {
        let Some(color) = position.turn() else { return true };
        if self.draw(placement.piece().number() as u64) < self.piece {
            return false;
        }
        let frontier = position.frontier(color);
        self.corner == 0
            || placement.cells().any(|(row, column)| {
                let cell = 64 + 32 * row as u64 + column as u64;
                frontier.contains(row, column) && self.draw(cell) >= self.corner
            })
    }

    fn draw(&self, what: u64) -> u64 {
        Keys::new(Keys::new(self.seed).next() ^ what).next() % 1000
    }
}
