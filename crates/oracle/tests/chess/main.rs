//! Chess: the oracle and the engine against the rules page, and against each other.

#[path = "../common/mod.rs"]
mod common;
mod games;
mod page;
mod rules;
