//! Drawing random legal actions.

use crate::Masks;
use fourfold_env::Stream;

/// Draws an action for each row of a game.
#[inline(always)]
pub fn sample(masks: &Masks<'_>, stream: &mut Stream, out: &mut [i32]) {
    for (row, out) in out.iter_mut().enumerate() {
        *out = masks.nth(row, stream.below(masks.count(row))) as i32;
    }
}
