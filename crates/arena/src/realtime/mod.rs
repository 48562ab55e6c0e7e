//! Real-time games: kung fu chess. They have their own kind of room; guests, seats, sockets, the
//! store and the limits are shared with turn-based games.
//!
//! [`Room`] is plain data whose events carry their tick. The task that owns it advances time, answers
//! commands and updates everybody.

pub(crate) mod frames;
mod kinds;
mod play;
mod room;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use kinds::{KINDS, find, for_board};
pub(crate) use room::Room;
pub(crate) use view::pieces;
