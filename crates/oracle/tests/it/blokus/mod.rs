//! Blokus: oracle and engine against the rules page, known counts and whole games.

mod games;
mod page;
mod rules;
mod vectors;
