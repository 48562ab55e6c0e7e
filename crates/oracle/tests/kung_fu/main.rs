//! Kung fu chess: the oracle against the rules page, known games and laws.

#[path = "../common/mod.rs"]
mod common;
mod games;
mod laws;
mod page;
mod rules;
mod symmetry;
mod vectors;
