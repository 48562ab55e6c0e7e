//! Legal masks: words of bits inside, several forms outside.

/// How many actions a mask allows.
#[inline]
pub fn count(mask: &[u64]) -> usize {
    mask.iter().map(|word| word.count_ones() as usize).sum()
}

/// Whether a mask allows an action.
#[inline]
pub fn allows(mask: &[u64], action: usize) -> bool {
    mask[action / 64] >> (action % 64) & 1 != 0
}

/// The action with this number among those that a mask allows.
#[inline]
pub fn nth(mask: &[u64], nth: usize) -> Option<usize> {
    let mut left = nth as u32;
    for (index, &word) in mask.iter().enumerate() {
        let here = word.count_ones();
        if left < here {
            let mut rest = word;
            for _ in 0..left {
                rest &= rest - 1;
            }
            return Some(64 * index + rest.trailing_zeros() as usize);
        }
        left -= here;
    }
    None
}

/// The actions that a mask allows, in order.
pub fn actions(mask: &[u64]) -> impl Iterator<Item = usize> + '_ {
    mask.iter().enumerate().flat_map(|(index, &word)| {
        std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
            .take_while(|&word| word != 0)
            .map(move |word| 64 * index + word.trailing_zeros() as usize)
    })
}

/// Allows every action, as the mask of a finished game does.
pub(crate) fn allow_all(mask: &mut [u64], actions: usize) {
    mask.fill(u64::MAX);
    if let (Some(last), 1..) = (mask.last_mut(), actions % 64) {
        *last = (1 << (actions % 64)) - 1;
    }
}

/// A row of bytes of bits, little-endian, with a zero tail.
#[inline]
pub(crate) fn write_packed(mask: &[u64], out: &mut [u8]) {
    let mut words = out.chunks_exact_mut(8);
    for (out, word) in words.by_ref().zip(mask) {
        out.copy_from_slice(&word.to_le_bytes());
    }
    let rest = words.into_remainder();
    if let Some(last) = mask.last() {
        let length = rest.len();
        rest.copy_from_slice(&last.to_le_bytes()[..length]);
    }
}

/// One byte for each action.
#[inline]
pub(crate) fn write_bools(mask: &[u64], out: &mut [bool]) {
    out.fill(false);
    for (out, &word) in out.chunks_mut(64).zip(mask) {
        let mut rest = word;
        while rest != 0 {
            out[rest.trailing_zeros() as usize] = true;
            rest &= rest - 1;
        }
    }
}

/// The allowed actions first, then −1; returns how many there are.
#[inline]
pub(crate) fn write_indices(mask: &[u64], out: &mut [i32]) -> i32 {
    out.fill(-1);
    let mut count = 0;
    for (out, action) in out.iter_mut().zip(actions(mask)) {
        *out = action as i32;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_says_the_same() {
        let mut mask = [0b1010, 1 << 63, 0, 0b11];
        let allowed = [1, 3, 127, 192, 193];
        assert_eq!(actions(&mask).collect::<Vec<_>>(), allowed);
        assert_eq!(count(&mask), 5);
        for (index, &action) in allowed.iter().enumerate() {
            assert_eq!(nth(&mask, index), Some(action));
            assert!(allows(&mask, action));
        }
        assert_eq!(nth(&mask, 5), None);
        let mut bools = [true; 200];
        write_bools(&mask, &mut bools);
        let set: Vec<usize> = (0..200).filter(|&action| bools[action]).collect();
        assert_eq!(set, allowed);
        let mut packed = [0xff; 25];
        write_packed(&mask, &mut packed);
        let set: Vec<usize> = (0..200).filter(|i| packed[i / 8] >> (i % 8) & 1 != 0).collect();
        assert_eq!(set, allowed);
        let mut indices = [0; 7];
        assert_eq!(write_indices(&mask, &mut indices), 5);
        assert_eq!(indices, [1, 3, 127, 192, 193, -1, -1]);
        allow_all(&mut mask, 200);
        assert_eq!(count(&mask), 200);
    }
}
