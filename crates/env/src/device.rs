//! Rules in the memory of a GPU.

use crate::game::Game;

/// A game that can be stepped on a GPU.
pub trait DeviceGame: Game {
    /// Returns the rules as numbers, without those that a state knows.
    fn rules_to_numbers(rules: &Self::Rules) -> [u32; 8];

    /// Returns the rules of a state; the inverse of [`DeviceGame::rules_to_numbers`].
    fn rules_from_numbers(&self, numbers: &[u32; 8]) -> Self::Rules;
}
