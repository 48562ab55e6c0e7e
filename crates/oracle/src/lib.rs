//! Slow reference implementations of the rules, one module per game, with text input and output.
//!
//! The crate has no dependencies and shares no code with the engine, so that tests can compare the
//! two.

pub mod blokus;
pub mod chess;
mod error;
pub mod four_player;
pub mod kung_fu;
pub mod study;

pub use error::Error;
