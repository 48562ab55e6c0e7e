//! Kung fu chess: the oracle against the rules page, known games and laws.

#[path = "../common/mod.rs"]
mod common;
mod page;
mod rules;
mod vectors;
