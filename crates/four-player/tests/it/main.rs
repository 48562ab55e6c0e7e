//! The integration tests of this crate, in a single binary to save link time.

mod comparison;
mod laws;
mod laws_of_play;
mod notation;
mod pgn4;
