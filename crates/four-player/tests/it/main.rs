//! The integration tests of this crate, in one binary to save linking time.

mod comparison;
mod laws;
mod laws_of_play;
mod notation;
mod pgn4;
