//! Former names, for one release.

use crate::batch::error::OutOfMemory;
use crate::batch::players::MoveRequest;
use crate::captions::ActionPlace;
use crate::options::Autoreset;
use crate::{chess, four_player, kung_fu};

/// The former name of [`ActionPlace`].
#[deprecated(note = "renamed to `ActionPlace`")]
pub type Place = ActionPlace;

/// The former name of [`OutOfMemory`].
#[deprecated(note = "renamed to `OutOfMemory`")]
pub type NoMemory = OutOfMemory;

/// The former name of [`MoveRequest`].
#[deprecated(note = "renamed to `MoveRequest`")]
pub type Asked<'a> = MoveRequest<'a>;

/// The former name of [`PlayerSet`](crate::PlayerSet).
#[deprecated(note = "renamed to `PlayerSet`")]
pub type Seats = crate::PlayerSet;

#[allow(non_upper_case_globals, reason = "the name of a former variant")]
impl Autoreset {
    /// The former name of [`Self::Disabled`].
    #[deprecated(note = "renamed to `Disabled`")]
    pub const Off: Autoreset = Autoreset::Disabled;
}

impl chess::Rules {
    /// The former name of [`Self::LEGACY`].
    #[deprecated(note = "renamed to `LEGACY`")]
    pub const SEED: chess::Rules = chess::Rules::LEGACY;
}

impl four_player::Rules {
    /// The former name of [`Self::LEGACY`].
    #[deprecated(note = "renamed to `LEGACY`")]
    pub const SEED: four_player::Rules = four_player::Rules::LEGACY;
}

impl<const SIDE: usize> kung_fu::Rules<SIDE> {
    /// Returns the number of [`Self::player`].
    #[deprecated(note = "use `player`")]
    pub const fn number(&self, index: usize) -> u8 {
        self.player(index).number()
    }
}
