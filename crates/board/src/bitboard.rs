//! Sets of squares.

use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use bytemuck::{Pod, Zeroable};

use crate::Square;

/// An ordered set of squares in `W` words of 64 bits, with set operators: `|` is union, `&`
/// intersection, `-` difference, `^` symmetric difference and `!` complement.
///
/// ```
/// use fourfold_board::{Bitboard, Square};
///
/// let corners: Bitboard<1> = [0, 7, 56, 63].map(Square::new).into_iter().collect();
/// let first_rank = Bitboard::<1>::from_words([0xff]);
/// assert_eq!((corners - first_rank).len(), 2);
/// assert_eq!((corners & first_rank).first(), Some(Square::new(0)));
/// ```
///
/// A `Bitboard<1>` compiles to the same instructions as a `u64`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct Bitboard<const W: usize>([u64; W]);

impl<const W: usize> Bitboard<W> {
    /// The empty set.
    pub const EMPTY: Bitboard<W> = Bitboard([0; W]);

    /// Creates a set from its words: bit `i` of word `w` is the square with index `64·w + i`.
    #[inline]
    pub const fn from_words(words: [u64; W]) -> Bitboard<W> {
        Bitboard(words)
    }

    /// Returns the words of the set, the inverse of [`Bitboard::from_words`].
    #[inline]
    pub const fn words(self) -> [u64; W] {
        self.0
    }

    /// Returns the set that contains only `square`.
    ///
    /// # Panics
    /// Panics if the square's index does not fit into `W` words.
    #[inline]
    pub const fn of(square: Square) -> Bitboard<W> {
        Bitboard::EMPTY.with(square)
    }

    /// Returns the set with `square` added.
    ///
    /// # Panics
    /// Panics if the square's index does not fit into `W` words.
    #[inline]
    pub const fn with(mut self, square: Square) -> Bitboard<W> {
        self.0[square.index() / 64] |= 1 << (square.index() % 64);
        self
    }

    /// Returns whether `square` is a member.
    ///
    /// # Panics
    /// Panics if the square's index does not fit into `W` words.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0[square.index() / 64] >> (square.index() % 64) & 1 != 0
    }

    /// Returns the members of either set.
    #[inline]
    pub const fn union(mut self, other: Bitboard<W>) -> Bitboard<W> {
        let mut word = 0;
        while word < W {
            self.0[word] |= other.0[word];
            word += 1;
        }
        self
    }

    /// Returns the members of both sets.
    #[inline]
    pub const fn intersection(mut self, other: Bitboard<W>) -> Bitboard<W> {
        let mut word = 0;
        while word < W {
            self.0[word] &= other.0[word];
            word += 1;
        }
        self
    }

    /// Returns the members of this set that are not in `other`.
    #[inline]
    pub const fn difference(mut self, other: Bitboard<W>) -> Bitboard<W> {
        let mut word = 0;
        while word < W {
            self.0[word] &= !other.0[word];
            word += 1;
        }
        self
    }

    /// Returns the members of exactly one of the two sets.
    #[inline]
    pub const fn symmetric_difference(mut self, other: Bitboard<W>) -> Bitboard<W> {
        let mut word = 0;
        while word < W {
            self.0[word] ^= other.0[word];
            word += 1;
        }
        self
    }

    /// Returns every bit of the `W` words that is not in this set, including bits that are not
    /// squares of the board.
    #[inline]
    pub const fn complement(mut self) -> Bitboard<W> {
        let mut word = 0;
        while word < W {
            self.0[word] = !self.0[word];
            word += 1;
        }
        self
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        let mut union = 0;
        let mut word = 0;
        while word < W {
            union |= self.0[word];
            word += 1;
        }
        union == 0
    }

    /// Returns whether the set has at least one member.
    #[inline]
    pub const fn any(self) -> bool {
        !self.is_empty()
    }

    /// Returns whether the two sets have a member in common.
    #[inline]
    pub const fn intersects(self, other: Bitboard<W>) -> bool {
        self.intersection(other).any()
    }

    /// Returns the number of members.
    #[inline]
    pub const fn len(self) -> usize {
        let mut count = 0;
        let mut word = 0;
        while word < W {
            count += self.0[word].count_ones();
            word += 1;
        }
        count as usize
    }

    /// Returns whether the set has at least two members.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        let mut rest = self;
        rest.pop();
        rest.any()
    }

    /// Returns the member with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        let mut word = 0;
        while word < W {
            if self.0[word] != 0 {
                return Some(Square::of_bit(64 * word as u32 + self.0[word].trailing_zeros()));
            }
            word += 1;
        }
        None
    }

    /// Returns the member with the highest index.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        let mut word = W;
        while word > 0 {
            word -= 1;
            if self.0[word] != 0 {
                return Some(Square::of_bit(64 * word as u32 + 63 - self.0[word].leading_zeros()));
            }
        }
        None
    }

    /// Removes and returns the member with the lowest index.
    #[inline]
    pub const fn pop(&mut self) -> Option<Square> {
        let mut word = 0;
        while word < W {
            let members = self.0[word];
            if members != 0 {
                self.0[word] = members & (members - 1);
                return Some(Square::of_bit(64 * word as u32 + members.trailing_zeros()));
            }
            word += 1;
        }
        None
    }

    /// Adds a square.
    #[inline(always)]
    pub const fn insert(&mut self, square: Square) {
        self.0[square.index() / 64] |= 1 << (square.index() % 64);
    }

    /// Adds `square` to the set, or removes it if it is already a member.
    ///
    /// # Panics
    /// Panics if the square's index does not fit into `W` words.
    #[inline(always)]
    pub const fn toggle(&mut self, square: Square) {
        self.0[square.index() / 64] ^= 1 << (square.index() % 64);
    }

    /// Iterates over the members in the same order as [`Bitboard::iter`], but does not revisit
    /// finished words. Faster in hot loops over sets of several words.
    ///
    /// ```
    /// use fourfold_board::{Bitboard, Square};
    /// let set: Bitboard<4> = [3, 70, 200].map(Square::new).into_iter().collect();
    /// assert!(set.iter_by_word().eq(set.iter()));
    /// ```
    #[inline(always)]
    pub fn iter_by_word(self) -> impl Iterator<Item = Square> {
        let (mut word, mut members) = (0, self.0[0]);
        core::iter::from_fn(move || {
            while members == 0 {
                word += 1;
                members = *self.0.get(word)?;
            }
            let square = Square::of_bit(64 * word as u32 + members.trailing_zeros());
            members &= members - 1;
            Some(square)
        })
    }

    /// Iterates over the members in ascending order.
    #[inline]
    pub const fn iter(self) -> Squares<W> {
        Squares(self)
    }
}

/// An iterator over the members of a [`Bitboard`] in ascending order.
#[derive(Clone, Debug)]
pub struct Squares<const W: usize>(Bitboard<W>);

impl<const W: usize> Iterator for Squares<W> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl<const W: usize> ExactSizeIterator for Squares<W> {}

impl<const W: usize> IntoIterator for Bitboard<W> {
    type Item = Square;
    type IntoIter = Squares<W>;

    #[inline]
    fn into_iter(self) -> Squares<W> {
        self.iter()
    }
}

impl<const W: usize> FromIterator<Square> for Bitboard<W> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard<W> {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl<const W: usize> From<Square> for Bitboard<W> {
    #[inline]
    fn from(square: Square) -> Bitboard<W> {
        Bitboard::of(square)
    }
}

impl<const W: usize> Default for Bitboard<W> {
    fn default() -> Bitboard<W> {
        Bitboard::EMPTY
    }
}

impl<const W: usize> fmt::Debug for Bitboard<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Square::index)).finish()
    }
}

/// Implements an operator and its assigning form in terms of the named method.
macro_rules! set_operator {
    ($operator:ident, $apply:ident, $assigning:ident, $assign:ident, $method:ident) => {
        impl<const W: usize> $operator for Bitboard<W> {
            type Output = Bitboard<W>;

            #[inline]
            fn $apply(self, other: Bitboard<W>) -> Bitboard<W> {
                self.$method(other)
            }
        }

        impl<const W: usize> $assigning for Bitboard<W> {
            #[inline]
            fn $assign(&mut self, other: Bitboard<W>) {
                *self = self.$method(other);
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, intersection);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, union);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, symmetric_difference);
set_operator!(Sub, sub, SubAssign, sub_assign, difference);

impl<const W: usize> Not for Bitboard<W> {
    type Output = Bitboard<W>;

    #[inline]
    fn not(self) -> Bitboard<W> {
        self.complement()
    }
}
