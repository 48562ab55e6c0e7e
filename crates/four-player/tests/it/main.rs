//! The integration tests of this crate, in one binary that links once.

mod laws;
mod laws_of_play;
mod notation;
mod pgn4;
