//! Masks that an earlier call wrote, read again: whether actions are legal, and which to draw.

use crate::batch::error::StepError;
use crate::batch::expect;
use crate::game::Spec;
use crate::random::Stream;

/// Masks that an earlier call wrote, one for each action of a step.
#[derive(Clone, Copy, Debug)]
pub enum MaskView<'a> {
    /// There are no masks.
    None,
    /// One bit per action.
    Packed(&'a [u8]),
    /// One byte per action, 0 if it is illegal.
    Bytes(&'a [u8]),
    /// The number of legal actions, and the first of their ids.
    Sparse {
        /// One number for each mask, which may be larger than the slots.
        counts: &'a [i32],
        /// The same number of slots for each mask.
        indices: &'a [i32],
    },
}

impl MaskView<'_> {
    /// Checks that there are `count` masks, and returns the number of slots of each.
    pub(crate) fn check(self, spec: &Spec, count: usize) -> Result<usize, StepError> {
        match self {
            MaskView::None => {}
            MaskView::Packed(bits) => {
                expect("bytes of masks", count * spec.mask_bytes(), bits.len())?;
            }
            MaskView::Bytes(bytes) => {
                expect("bytes of masks", count * spec.actions, bytes.len())?;
            }
            MaskView::Sparse { counts, indices } => {
                expect("numbers of legal actions", count, counts.len())?;
                let slots = indices.len().checked_div(count).unwrap_or(0);
                expect("slots of legal actions", count * slots, indices.len())?;
                return Ok(slots);
            }
        }
        Ok(0)
    }

    /// Returns whether the action with this id is legal by the mask at an index, or `None` if the mask
    /// does not say.
    #[inline]
    pub(crate) fn lookup(self, spec: &Spec, slots: usize, index: usize, id: usize) -> Option<bool> {
        match self {
            MaskView::None => None,
            MaskView::Packed(bits) => {
                Some(bits[index * spec.mask_bytes() + id / 8] >> (id % 8) & 1 != 0)
            }
            MaskView::Bytes(bytes) => Some(bytes[index * spec.actions + id] != 0),
            MaskView::Sparse { counts, indices } => {
                let count = usize::try_from(counts[index]).unwrap_or(0);
                let listed = &indices[index * slots..][..count.min(slots)];
                let found = listed.contains(&(id as i32));
                // The list may not have room for all legal actions.
                if found || count <= slots { Some(found) } else { None }
            }
        }
    }
}

/// Draws a legal action by each mask: the one at index `⌊u · count⌋` of the legal actions in
/// ascending order, where `u` are 64 random bits as a fraction. Writes 0 if there is none.
///
/// # Errors
/// Returns an error if a length does not fit, or there are no masks.
pub fn sample_masks(
    spec: &Spec,
    masks: MaskView<'_>,
    bits: &[u64],
    out: &mut [i32],
) -> Result<(), StepError> {
    expect("random numbers", out.len(), bits.len())?;
    let slots = masks.check(spec, out.len())?;
    for (index, (out, &bits)) in out.iter_mut().zip(bits).enumerate() {
        let rank = |count: usize| Stream::scale(bits, count as u64) as usize;
        *out = match masks {
            MaskView::None => {
                return Err(StepError::Length { what: "masks", expected: 1, found: 0 });
            }
            MaskView::Packed(bits) => {
                let mask = &bits[index * spec.mask_bytes()..][..spec.mask_bytes()];
                nth_set_bit(mask, rank(count_bits(mask)))
            }
            MaskView::Bytes(bytes) => {
                let mask = &bytes[index * spec.actions..][..spec.actions];
                nth_set_byte(mask, rank(count_bytes(mask)))
            }
            MaskView::Sparse { counts, indices } => {
                let count = usize::try_from(counts[index]).unwrap_or(0).min(slots);
                indices.get(index * slots + rank(count)).map_or(0, |&id| id.max(0))
            }
        };
    }
    Ok(())
}

fn count_bits(mask: &[u8]) -> usize {
    let (words, rest) = mask.as_chunks::<8>();
    let words = words.iter().map(|&word| u64::from_le_bytes(word).count_ones());
    let rest = rest.iter().map(|byte| byte.count_ones());
    words.chain(rest).sum::<u32>() as usize
}

/// Returns the index of the `nth` set bit, or 0 if there are fewer.
fn nth_set_bit(mask: &[u8], mut nth: usize) -> i32 {
    for (index, part) in mask.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..part.len()].copy_from_slice(part);
        let word = u64::from_le_bytes(bytes);
        let count = word.count_ones() as usize;
        if nth < count {
            let rest = (0..nth).fold(word, |rest, _| rest & (rest - 1));
            return (64 * index) as i32 + rest.trailing_zeros() as i32;
        }
        nth -= count;
    }
    0
}

/// The length of the parts of a mask in which bytes are counted.
const PART: usize = 64;

fn count_bytes(mask: &[u8]) -> usize {
    // Counted in bytes, which are added up by wide instructions.
    mask.chunks(PART)
        .map(|part| part.iter().map(|&flag| u8::from(flag != 0)).sum::<u8>() as usize)
        .sum()
}

/// Returns the index of the `nth` byte that is not 0, or 0 if there are fewer.
fn nth_set_byte(mask: &[u8], mut nth: usize) -> i32 {
    for (index, part) in mask.chunks(PART).enumerate() {
        let count = count_bytes(part);
        if nth < count {
            let mut set = part.iter().enumerate().filter(|(_, flag)| **flag != 0);
            return set.nth(nth).map_or(0, |(place, _)| (index * PART + place) as i32);
        }
        nth -= count;
    }
    0
}
