//! Kung fu chess: oracle and engine against the rules page, known games, invariants, and each
//! other.

mod cases;
mod compare;
mod implementations;
mod invariants;
mod page;
mod random_games;
mod symmetry;
