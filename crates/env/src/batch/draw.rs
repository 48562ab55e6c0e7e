//! Drawing random legal actions.

use fourfold_common::cpu;

use crate::batch::Slot;
use crate::batch::chunk::{CHECKED_AHEAD, prefetch_lists};
use crate::game::Spec;
use crate::legal::Legal;
use crate::random::Stream;
use crate::softmax::Softmax;

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
    /// [`Softmax::inverse`] of the temperature.
    pub(crate) inverse: f64,
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
                    Some(Logits { values, inverse, actions }) => {
                        let values = &values[(index * rows + row) * actions..][..actions];
                        sample_logits(legal, values, inverse, stream, &mut scratch)
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
    logits: Vec<f32>,
    weights: Vec<u64>,
}

/// Draws a legal action with probabilities proportional to `exp(logit / temperature)`. NaN counts
/// as −∞; if all logits are −∞, all legal actions are equally likely. Always draws one number.
fn sample_logits(
    legal: Legal<'_>,
    row: &[f32],
    inverse: f64,
    stream: &mut Stream,
    Scratch { ids, logits, weights }: &mut Scratch,
) -> usize {
    ids.clear();
    ids.extend(legal.iter());
    ids.sort_unstable();
    logits.clear();
    logits.extend(ids.iter().map(|&id| row[id]));
    let mut softmax = Softmax::new(inverse);
    logits.iter().for_each(|&logit| softmax.add(logit));
    weights.clear();
    weights.extend(logits.iter().map(|&logit| softmax.weight(logit)));
    let mut rest = Stream::scale(stream.next(), weights.iter().sum());
    for (&id, &weight) in ids.iter().zip(&*weights) {
        if rest < weight {
            return id;
        }
        rest -= weight;
    }
    // Without a legal action, which only unreachable states have.
    0
}
