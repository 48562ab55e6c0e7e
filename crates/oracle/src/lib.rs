//! Slow reference rules, one module per game. They speak text and depend on nothing.

pub mod blokus;
pub mod chess;
mod error;
pub mod four_player;
pub mod kung_fu;
pub mod study;

pub use error::Error;
