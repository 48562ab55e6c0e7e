//! Games in real time: kung fu chess. A room of this kind beside the one with turns; guests, seats,
//! sockets, the store and the limits are the same.
//!
//! [`Room`] is plain data and is told what to do on which tick; [`Play`] is the task that lets its
//! time run, answers commands and tells everybody.

pub(crate) mod film;
mod kinds;
mod play;
mod room;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use kinds::{KINDS, find, on};
pub(crate) use play::Play;
pub(crate) use room::{Act, Entry, Room};
pub(crate) use view::pieces;
