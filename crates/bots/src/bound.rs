//! What a transposition table knows about the true value of a position.

/// What a stored value says about the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The true value is exactly this.
    Exact = 3,
}

impl Bound {
    /// Returns the bound of a value that was found with a window.
    #[inline(always)]
    pub(crate) const fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        match value {
            _ if value >= beta => Bound::Lower,
            _ if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        }
    }

    /// Returns whether a value with this bound is enough for a window.
    #[inline(always)]
    pub(crate) const fn settles(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }
}
