//! Counting how often each square is attacked, for all squares at once.

use fourfold_chess::Bitboard;

/// A five-bit counter for each square, bit-sliced: word `n` holds bit `n` of all 64 counters.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts([u64; 5]);

impl Counts {
    /// Increments the counters of all squares in `set`. Five bits are enough, because a side has at
    /// most sixteen pieces.
    #[inline(always)]
    pub(crate) fn add(&mut self, set: Bitboard) {
        let [set] = set.words();
        let [a, b, c, d, e] = &mut self.0;
        let carry = *a & set;
        *a ^= set;
        let next = *b & carry;
        *b ^= carry;
        let last = *c & next;
        *c ^= next;
        *e ^= *d & last;
        *d ^= last;
    }

    /// Returns the squares whose counter is not zero.
    #[inline(always)]
    pub(crate) fn any(&self) -> Bitboard {
        let [a, b, c, d, e] = self.0;
        Bitboard::from_words([a | b | c | d | e])
    }

    /// Returns the squares whose counter is greater than in `other`.
    #[inline(always)]
    pub(crate) fn above(&self, other: &Counts) -> Bitboard {
        let mut above = 0;
        for (own, other) in self.0.into_iter().zip(other.0) {
            // Iterates from the lowest bit up, so that the highest differing bit decides.
            above = own & !other | above & !(own ^ other);
        }
        Bitboard::from_words([above])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_counted_to_sixteen() {
        let mut counts = [Counts::default(); 17];
        for (number, counts) in counts.iter_mut().enumerate() {
            (0..number).for_each(|_| counts.add(Bitboard::from_words([1])));
        }
        for one in 0..17 {
            assert_eq!(counts[one].any(), Bitboard::from_words([u64::from(one > 0)]));
            for other in 0..17 {
                let above = counts[one].above(&counts[other]);
                assert_eq!(above, Bitboard::from_words([u64::from(one > other)]));
            }
        }
    }
}
