//! Games played on quickly, and what they are worth to each player.

use fourfold_blokus::{MAX_COLORS, Orientation, Placement, PlacementRows, PlacementSink, Position};
use fourfold_board::Keys;
use fourfold_board::cpu::{Cpu, Work};

use super::merit::Eyes;
use crate::tree::Shares;

/// How many placements are looked at for each that is laid.
const DRAWN: usize = 3;

/// In one of so many turns a piece of any size is laid, else one of the largest.
const ANY: usize = 10;

/// Lists that are filled again and again.
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

    /// One list of the largest pieces, now and then of any.
    fn choose(&self, keys: &mut Keys) -> &PlacementRows {
        let largest = 31 - (self.used | 1).leading_zeros() as usize;
        let sizes = &self.sizes[..=largest % 6];
        if below(keys, ANY) == 0 {
            let size = below(keys, largest.max(1)) + 1;
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
        let size = Orientation::numbered(orientation).cells().len();
        self.used |= 1 << size;
        self.sizes[size % 6].row(orientation, row, columns);
    }
}

/// A number below a count.
pub(super) fn below(keys: &mut Keys, count: usize) -> usize {
    ((u128::from(keys.next()) * count as u128) >> 64) as usize
}

/// A position to be played on to the end, or to the horizon.
pub(super) struct Playout<'a> {
    pub(super) position: Position,
    /// After how many placements it is judged as it stands.
    pub(super) horizon: u32,
    pub(super) lists: &'a mut Lists,
    pub(super) keys: &'a mut Keys,
}

impl Work for Playout<'_> {
    type Output = Shares;

    #[inline(always)]
    fn run<C: Cpu>(mut self, _: C) -> Shares {
        for _ in 0..self.horizon {
            let Some(color) = self.position.turn() else { break };
            self.lists.clear();
            self.position.legal_rows(color, self.lists);
            let Some(placement) = self.draw(color) else { break };
            self.position.play_unchecked(placement);
        }
        shares(&self.position)
    }
}

impl Playout<'_> {
    /// The best at first sight of a few.
    #[inline(always)]
    fn draw(&mut self, color: usize) -> Option<Placement> {
        let rows = self.lists.choose(self.keys);
        let eyes = Eyes::new(&self.position, color);
        let mut best: Option<(i32, Placement)> = None;
        for _ in 0..DRAWN.min(rows.len()) {
            let placement = rows.nth(below(self.keys, rows.len()))?;
            let merit = eyes.merit(placement);
            if best.is_none_or(|(most, _)| merit > most) {
                best = Some((merit, placement));
            }
        }
        best.map(|(_, placement)| placement)
    }
}

/// What is left of a share by how many points a player is behind the best.
static FADED: [f64; 64] = {
    let mut faded = [1.0; 64];
    let mut points = 1;
    while points < 64 {
        faded[points] = faded[points - 1] * 0.85;
        points += 1;
    }
    faded
};

/// How much of a share is for the win alone, however narrow.
const WIN: f64 = 0.5;

/// How a position is shared out between the players: at the end by who has won and by how much, before it by
/// the points so far and the corners to go on from.
#[inline(always)]
pub(super) fn shares(position: &Position) -> Shares {
    let variant = position.variant();
    let players = variant.players();
    let over = position.turn().is_none();
    let mut points = [0; MAX_COLORS];
    for color in 0..variant.colors() {
        let Some(player) = variant.owner(color) else { continue };
        points[player] += position.advanced_score(color);
        if !over {
            // A corner is worth less, the more of them there are.
            points[player] += 2 * (position.frontier(color).len() as f64).sqrt() as i32;
        }
    }
    let points = &points[..players];
    let best = points.iter().copied().max().unwrap_or(0);
    let winners = points.iter().filter(|&&own| own == best).count() as f64;
    let weight = |own: i32| FADED[((best - own) as usize).min(FADED.len() - 1)];
    let sum: f64 = points.iter().map(|&own| weight(own)).sum();
    let win = if over { WIN } else { 0.0 };
    let mut shares = [0.0; MAX_COLORS];
    for (share, &own) in shares.iter_mut().zip(points) {
        let won = if own == best { win / winners } else { 0.0 };
        *share = won + (1.0 - win) * weight(own) / sum;
    }
    shares
}
