//! Drawing random legal actions.

use fourfold_common::cpu;

use crate::batch::Slot;
use crate::batch::chunk::{CHECKED_AHEAD, prefetch_lists};
use crate::game::Spec;
use crate::legal::Legal;
use crate::random::Stream;

/// Draws an action for each acting player of each game of a range.
pub(crate) struct Draw<'a> {
    /// Draw from streams of this seed instead of the games' own.
    pub(crate) seed: Option<u64>,
    /// The index of the first game.
    pub(crate) first: u64,
    /// Without logits, all legal actions are equally likely.
    pub(crate) logits: Option<Logits<'a>>,
    pub(crate) out: &'a mut [i32],
}

/// One logit for each action of each row of `out`.
#[derive(Clone, Copy)]
pub(crate) struct Logits<'a> {
    pub(crate) values: &'a [f32],
    /// Divides the logits; 0 selects the largest.
    pub(crate) temperature: f32,
    pub(crate) actions: usize,
}

impl<'a> Draw<'a> {
    /// Keeps the first `games` games, which have `rows` rows each, and returns the rest.
    pub(crate) fn split_off(&mut self, games: usize, rows: usize) -> Draw<'a> {
        let at = games * rows;
        let logits = self.logits.as_mut().map(|logits| {
            let rest = logits.values.split_off(at * logits.actions..).unwrap_or_default();
            Logits { values: rest, ..*logits }
        });
        let out = self.out.split_off_mut(at..).unwrap_or_default();
        Draw { seed: self.seed, first: self.first + games as u64, logits, out }
    }

    #[inline(always)]
    pub(crate) fn run<G>(&mut self, spec: &Spec, slots: &mut [Slot<G>], lists: &[u32]) {
        let (rows, length) = (spec.mask_rows(), spec.list_len());
        let mut scratch = Scratch::default();
        for (index, out) in self.out.chunks_exact_mut(rows).enumerate() {
            if let Some(slot) = slots.get(index + CHECKED_AHEAD) {
                cpu::prefetch(std::slice::from_ref(&slot.stream));
            }
            prefetch_lists(lists, index + CHECKED_AHEAD, spec);
            let mut seeded = self.seed.map(|seed| Stream::new(seed, self.first + index as u64));
            let stream = seeded.as_mut().unwrap_or(&mut slots[index].stream);
            let lists = &lists[index * rows * length..][..rows * length];
            for (row, (list, out)) in lists.chunks_exact(length).zip(out).enumerate() {
                let legal = Legal::new(list, spec.actions);
                *out = match self.logits {
                    None => legal.nth(stream.below(legal.count())),
                    Some(Logits { values, temperature, actions }) => {
                        let values = &values[(index * rows + row) * actions..][..actions];
                        sample_logits(legal, values, temperature, stream, &mut scratch)
                    }
                } as i32;
            }
        }
    }
}

/// Memory that [`sample_logits`] reuses from row to row.
#[derive(Default)]
struct Scratch {
    ids: Vec<usize>,
    weights: Vec<f64>,
}

/// Draws a legal action with probabilities proportional to `exp(logit / temperature)`. NaN counts
/// as −∞; if all logits are −∞, all legal actions are equally likely. Always draws one number.
fn sample_logits(
    legal: Legal<'_>,
    logits: &[f32],
    temperature: f32,
    stream: &mut Stream,
    Scratch { ids, weights }: &mut Scratch,
) -> usize {
    // A number from [0, 1) with 53 bits.
    let uniform = (stream.next() >> 11) as f64 / (1u64 << 53) as f64;
    ids.clear();
    ids.extend(legal.iter());
    ids.sort_unstable();
    let logit = |id: usize| if logits[id].is_nan() { f32::NEG_INFINITY } else { logits[id] };
    let best = ids.iter().map(|&id| logit(id)).fold(f32::NEG_INFINITY, f32::max);
    let weight = |id: usize| match logit(id) {
        _ if best == f32::NEG_INFINITY => 1.0,
        // Also if both are infinite, which would make the difference NaN.
        logit if logit == best => 1.0,
        _ if temperature == 0.0 => 0.0,
        logit => (f64::from(logit - best) / f64::from(temperature)).exp(),
    };
    weights.clear();
    weights.extend(ids.iter().map(|&id| weight(id)));
    let mut rest = uniform * weights.iter().sum::<f64>();
    for (&id, &weight) in ids.iter().zip(&*weights) {
        if rest < weight {
            return id;
        }
        rest -= weight;
    }
    // Rounding may leave a remainder.
    let last = ids.iter().zip(&*weights).rev().find(|(_, weight)| **weight > 0.0);
    last.map_or(0, |(&id, _)| id)
}
