//! Drawing random legal actions.

use fourfold_env::Stream;

use crate::masks::nth;

/// Draws an action for each row of a game, given the masks and counts of its rows.
#[inline(always)]
pub fn sample(masks: &[u32], counts: &[u32], stream: &mut Stream, out: &mut [i32]) {
    let words = masks.len() / counts.len().max(1);
    for ((mask, &count), out) in masks.chunks_exact(words).zip(counts).zip(out) {
        *out = nth(mask, stream.below(count as usize)) as i32;
    }
}
