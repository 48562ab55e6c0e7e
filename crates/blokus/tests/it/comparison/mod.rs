//! Blokus: oracle and engine against the rules page, known counts and whole games.

mod data;
mod games;
mod implementations;
mod page;
