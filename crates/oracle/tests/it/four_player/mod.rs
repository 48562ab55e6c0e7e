//! Four-player chess: oracle and engine against the rules page, known counts and each other.

mod games;
mod page;
mod rules;
mod vectors;
