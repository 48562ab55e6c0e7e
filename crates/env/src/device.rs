//! What a game needs to run on a GPU.

use crate::game::Game;

/// A game that can be stepped on a GPU.
pub trait DeviceGame: Game {
    /// Returns the rules as numbers, without those that a state knows.
    fn rules_to_numbers(rules: &Self::Rules) -> [u32; 8];

    /// Returns the rules of a state; the inverse of [`DeviceGame::rules_to_numbers`].
    fn rules_from_numbers(&self, numbers: &[u32; 8]) -> Self::Rules;

    /// The number of parts in which an observation can be written, by as many threads.
    const PARTS: usize = 1;

    /// Writes a part of the observation of a player, as [`Game::observe`] does: planes in words, lowest byte
    /// first, and scalars.
    #[inline(always)]
    fn observe_part(
        &self,
        rules: &Self::Rules,
        player: usize,
        _part: usize,
        planes: &mut [u32],
        scalars: &mut [f32],
    ) {
        self.observe(rules, player, bytemuck::cast_slice_mut(planes), scalars);
    }
}
