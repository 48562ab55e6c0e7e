//! Kung fu chess: oracle and engine against the rules page, known games, invariants, and each
//! other.

mod cases;
mod compare;
mod engine;
mod games;
mod implementation;
mod invariants;
mod page;
mod symmetry;
