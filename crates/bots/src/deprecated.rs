//! Former names, for one release.

use std::sync::atomic::AtomicBool;

use crate::chess::Engine;
use crate::{Budget, Score};

impl<'a> Budget<'a> {
    /// The former name of [`Self::with_stop`].
    #[deprecated(note = "renamed to `with_stop`")]
    #[must_use]
    pub const fn until(self, stop: &'a AtomicBool) -> Budget<'a> {
        self.with_stop(stop)
    }
}

/// The former name of [`BotMove`](crate::BotMove).
#[deprecated(note = "renamed to `BotMove`")]
pub type Thought = crate::BotMove;

impl Score {
    /// The former name of [`Self::flipped`].
    #[deprecated(note = "renamed to `flipped`")]
    #[must_use]
    pub const fn turned(self) -> Score {
        self.flipped()
    }
}

impl Engine {
    /// The former name of [`Self::clear`].
    #[deprecated(note = "renamed to `clear`")]
    pub fn forget(&mut self) {
        self.clear();
    }
}
