//! Slow reference implementations of the rules, one module per game, with text input and output, and
//! the [`harness`] of the tests in the game crates that compare them with the engines.
//!
//! The crate has no dependencies and shares no code with the engines, so that it does not share
//! their mistakes.

pub mod analysis;
pub mod blokus;
mod board;
pub mod chess;
mod error;
pub mod four_player;
pub mod harness;
pub mod kung_fu;
mod text;

pub use error::Error;
