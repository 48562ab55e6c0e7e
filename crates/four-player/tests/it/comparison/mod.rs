//! Four-player chess: oracle and engine against the rules page, known counts and each other.

mod data;
mod games;
mod implementations;
mod page;
