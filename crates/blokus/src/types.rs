//! Colors and players, which differ where a player owns two colors or shares one.

use crate::MAX_COLORS;

/// A color, which has one set of pieces. The order is the turn order; the
/// [variant](crate::Variant) determines the name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Color(pub(crate) u8);

impl Color {
    /// The colors of the largest game. A game with two colors has the first two.
    pub const ALL: [Color; MAX_COLORS] = [Color(0), Color(1), Color(2), Color(3)];

    /// Returns the color with an index, or `None` if no variant has that many colors.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Color> {
        if index < MAX_COLORS { Some(Color(index as u8)) } else { None }
    }

    /// Returns the index, counted from 0 in turn order.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The remainder saves bounds checks.
        self.0 as usize % MAX_COLORS
    }

    /// Returns the color as a bit of a set.
    #[inline(always)]
    pub(crate) const fn bit(self) -> u8 {
        1 << self.0
    }
}

/// A player, who may own two colors or share one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Player(pub(crate) u8);

impl Player {
    /// The players of the largest game. A game with fewer players has the first ones.
    pub const ALL: [Player; MAX_COLORS] = [Player(0), Player(1), Player(2), Player(3)];

    /// Returns the player with an index, or `None` if no variant has that many players.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Player> {
        if index < MAX_COLORS { Some(Player(index as u8)) } else { None }
    }

    /// Returns the index, counted from 0 in turn order.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize % MAX_COLORS
    }
}
