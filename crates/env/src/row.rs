//! A game as one row of bytes: its state, followed by everything else that a step depends on.

use bytemuck::{Pod, Zeroable};

use crate::game::PlainStatus;
use crate::random::Stream;

/// What follows the state of a game in its row.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct RowTail {
    /// The status of the game.
    pub status: PlainStatus,
    /// Number of steps since the start of the game.
    pub steps: u32,
    /// The random stream of the game.
    pub stream: Stream,
}
