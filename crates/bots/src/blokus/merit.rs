//! How good a placement looks without a search: its size, the corners (frontier cells) that it
//! opens and closes, the corners that it takes from opponents, and in the opening its distance from
//! the center.

use fourfold_blokus::{Color, MAX_COLORS, MAX_PIECE_SIZE, Placement, Position};

/// The merit of each square of the piece. A merit that is higher by 8 doubles the prior.
const SQUARE: i32 = 12;
/// The merit of each new corner with room for more than a single square.
const OPENED: i32 = 5;
/// The cost of each corner that is closed.
const SHUT: i32 = 3;
/// The merit of each corner that is taken from an opponent.
const TAKEN: i32 = 9;
/// The cost of each step away from the center in the opening.
const STEP: i32 = 6;
/// How many placements of a color belong to the opening.
const OPENING: usize = 5;

/// Rates the placements of one color in a position.
pub(super) struct PlacementRater<'a> {
    position: &'a Position,
    color: Color,
    /// The merit of covering a corner of each color; negative for a color of the same player.
    taken: [i32; MAX_COLORS],
    opening: bool,
}

impl<'a> PlacementRater<'a> {
    /// Prepares to rate the placements of a color.
    #[inline(always)]
    pub(super) fn new(position: &'a Position, color: Color) -> PlacementRater<'a> {
        let variant = position.variant();
        let owner = variant.owner(color);
        let taken = Color::ALL.map(|other| {
            if other == color {
                0
            } else if owner.is_some() && variant.owner(other) == owner {
                -TAKEN
            } else {
                TAKEN
            }
        });
        PlacementRater { position, color, taken, opening: position.placed(color) < OPENING }
    }

    /// Returns how good a legal placement looks. A merit that is higher by 8 doubles the prior.
    #[inline(always)]
    pub(super) fn merit(&self, placement: Placement) -> i32 {
        let shape = placement.rows();
        let top = placement.row();
        let (free, frontier) = (self.position.free(self.color), self.position.frontier(self.color));
        let at = |row: usize| if (1..=MAX_PIECE_SIZE).contains(&row) { shape[row - 1] } else { 0 };
        // The cells that stay free, from two rows above the piece to two rows below it.
        let mut after = [0; MAX_PIECE_SIZE + 4];
        for (row, after) in after.iter_mut().enumerate() {
            let Some(place) = (top + row).checked_sub(2) else { continue };
            let here = if row > 0 { at(row - 1) } else { 0 };
            let above = if row > 1 { at(row - 2) } else { 0 };
            *after = free.row(place) & !(here | here << 1 | here >> 1 | above | at(row));
        }
        let (mut opened, mut shut, mut merit) = (0, 0, 0);
        for row in 0..MAX_PIECE_SIZE + 2 {
            let Some(place) = (top + row).checked_sub(1) else { continue };
            let beside = at(row + 1) | if row > 0 { at(row - 1) } else { 0 };
            let (free, old) = (after[row + 1], frontier.row(place));
            let room = free << 1 | free >> 1 | after[row] | after[row + 2];
            opened += ((beside << 1 | beside >> 1) & free & room & !old).count_ones();
            shut += (old & !free).count_ones();
            for (other, worth) in Color::ALL.into_iter().zip(self.taken) {
                let covered = self.position.frontier(other).row(place) & at(row);
                merit += worth * covered.count_ones() as i32;
            }
        }
        merit += SQUARE * placement.piece().size() as i32;
        merit += OPENED * opened as i32 - SHUT * shut as i32;
        if self.opening { merit - STEP * self.steps(placement) } else { merit }
    }

    /// Returns how many steps a placement is from the center.
    fn steps(&self, placement: Placement) -> i32 {
        let last = self.position.variant().size() - 1;
        let steps = |(row, column): (usize, usize)| {
            (2 * row).abs_diff(last).max((2 * column).abs_diff(last)) / 2
        };
        placement.cells().map(steps).min().unwrap_or(0) as i32
    }
}
