//! Blokus: the oracle against known counts and whole games.

#[path = "../common/mod.rs"]
mod common;
mod rules;
mod vectors;
