//! Playouts: games that are played to the end quickly, and their value to each player.

use fourfold_blokus::{
    Color, MAX_COLORS, Orientation, Placement, PlacementRows, PlacementSink, Position,
};
use fourfold_common::SplitMix64;
use fourfold_common::cpu::{Cpu, Work};

use super::merit::PlacementRater;
use crate::random::below;
use crate::tree::{WinningChances, powers};

/// How many random placements are compared for each one that is played.
const DRAWN: usize = 3;

/// One turn in this many considers pieces of a random size, the others only the largest pieces.
const ANY: usize = 10;

/// Placement lists that are reused in every turn.
#[derive(Default)]
pub(super) struct Lists {
    /// Placements by the size of the piece.
    sizes: [PlacementRows; 6],
    used: u32,
}

impl Lists {
    fn clear(&mut self) {
        self.sizes.iter_mut().for_each(PlacementRows::clear);
        self.used = 0;
    }

    /// Returns the placements of the largest pieces, or occasionally those of a random size.
    fn choose(&self, rng: &mut SplitMix64) -> &PlacementRows {
        let largest = 31 - (self.used | 1).leading_zeros() as usize;
        let sizes = &self.sizes[..=largest % 6];
        if below(rng, ANY) == 0 {
            let size = below(rng, largest.max(1)) + 1;
            if let Some(rows) = sizes.get(size).filter(|rows| !rows.is_empty()) {
                return rows;
            }
        }
        &self.sizes[largest % 6]
    }
}

impl PlacementSink for Lists {
    #[inline(always)]
    fn row(&mut self, orientation: usize, row: usize, columns: u32) {
        let size = Orientation::from_index(orientation).cells().len();
        self.used |= 1 << size;
        self.sizes[size % 6].row(orientation, row, columns);
    }
}

/// A position to be played to the end, or to the horizon.
pub(super) struct Playout<'a> {
    pub(super) position: Position,
    /// After how many placements the position is evaluated as it stands.
    pub(super) horizon: u32,
    pub(super) lists: &'a mut Lists,
    pub(super) rng: &'a mut SplitMix64,
}

impl Work for Playout<'_> {
    type Output = WinningChances;

    #[inline(always)]
    fn run<C: Cpu>(mut self, _: C) -> WinningChances {
        for _ in 0..self.horizon {
            let Some(color) = self.position.turn() else { break };
            self.lists.clear();
            self.position.generate_inline(color, self.lists);
            let Some(placement) = self.draw(color) else { break };
            self.position.play_unchecked(placement);
        }
        winning_chances(&self.position)
    }
}

impl Playout<'_> {
    /// Draws a few random placements and returns the one with the highest merit.
    #[inline(always)]
    fn draw(&mut self, color: Color) -> Option<Placement> {
        let rows = self.lists.choose(self.rng);
        let rater = PlacementRater::new(&self.position, color);
        let mut best: Option<(i32, Placement)> = None;
        for _ in 0..DRAWN.min(rows.len()) {
            let placement = rows.nth(below(self.rng, rows.len()))?;
            let merit = rater.merit(placement);
            if best.is_none_or(|(most, _)| merit > most) {
                best = Some((merit, placement));
            }
        }
        best.map(|(_, placement)| placement)
    }
}

/// The weight of a player by how many points it is behind the leader.
static FADED: [f64; 64] = powers(0.85);

/// The part of the winning chances that goes to the winner, however narrow the win.
const WIN: f64 = 0.5;

/// Returns the winning chances of each player: at the end of a game by who has won and by how much,
/// before that by the points so far and the open corners.
#[inline(always)]
pub(super) fn winning_chances(position: &Position) -> WinningChances {
    let variant = position.variant();
    let over = position.turn().is_none();
    let mut points = [0; MAX_COLORS];
    for color in variant.colors() {
        let Some(player) = variant.owner(color) else { continue };
        points[player.index()] += position.advanced_score(color);
        if !over {
            // Each additional corner is worth less.
            points[player.index()] += 2 * (position.frontier(color).len() as f64).sqrt() as i32;
        }
    }
    let points = &points[..variant.players().len()];
    let best = points.iter().copied().max().unwrap_or(0);
    let winners = points.iter().filter(|&&own| own == best).count() as f64;
    let weight = |own: i32| FADED[((best - own) as usize).min(FADED.len() - 1)];
    let sum: f64 = points.iter().map(|&own| weight(own)).sum();
    let win = if over { WIN } else { 0.0 };
    let mut chances = [0.0; MAX_COLORS];
    for (chance, &own) in chances.iter_mut().zip(points) {
        let won = if own == best { win / winners } else { 0.0 };
        *chance = won + (1.0 - win) * weight(own) / sum;
    }
    chances
}
