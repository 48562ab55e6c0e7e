//! Random play, for tests and benchmarks.

use alloc::vec::Vec;

use fourfold_common::SplitMix64;

use crate::{Game, Order, Player};

/// Returns a random legal order of a player, if there is one. The same generator state gives the
/// same order on every machine.
pub fn random_order(game: &Game, player: Player, rng: &mut SplitMix64) -> Option<Order> {
    let mut orders = Vec::new();
    game.legal_orders_into(player, &mut orders);
    let index = rng.next().checked_rem(orders.len() as u64)?;
    Some(orders[index as usize])
}
