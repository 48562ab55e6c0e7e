//! Random play, for tests and benchmarks.

use fourfold_board::Keys;

use crate::{Game, Order};

/// A random legal order of a player, if there is one: the same for the same keys, on every machine.
pub fn random_order(game: &Game, player: u8, keys: &mut Keys) -> Option<Order> {
    let mut orders = Vec::new();
    game.legal_orders(player, &mut orders);
    let index = keys.next().checked_rem(orders.len() as u64)?;
    Some(orders[index as usize])
}
