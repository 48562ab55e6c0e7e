//! Blokus: the oracle against the rules page, known counts and whole games.

#[path = "../common/mod.rs"]
mod common;
mod games;
mod page;
mod rules;
mod vectors;
