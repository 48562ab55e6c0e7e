//! Bots that play with networks trained by `python -m fourfold.train`.
//!
//! A [`Model`] is loaded from the two files that training writes. Its bot searches by PUCT, with the network evaluated on
//! the CPU. No code here belongs to a particular game, except for [`kung_fu`], which has no turns.
//!
//! [`levels`] and [`make`] are those of `fourfold-bots` with the level `learned` for games whose weights are in
//! `models/`.

mod description;
mod error;
mod kernel;
pub mod kung_fu;
mod levels;
mod model;
mod network;
mod play;
mod tensors;

// For the tests of modules here, which share it with those in `tests`.
#[cfg(test)]
extern crate self as fourfold_learned;
#[cfg(test)]
#[path = "../tests/it/random_model.rs"]
#[allow(dead_code, reason = "a part is for other tests")]
mod random_model;

pub use error::ModelError;
pub use levels::{LEARNED, find, levels, make, shipped};
pub use model::{Evaluation, Model};
