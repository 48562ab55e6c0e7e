//! Kung fu chess: oracle and engine against the rules page, known games, invariants, and each
//! other.

mod engine;
mod games;
mod laws;
mod page;
mod rules;
mod symmetry;
mod twins;
mod vectors;
