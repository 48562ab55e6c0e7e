//! The integration tests of this crate, in one binary that links once.

mod laws;
mod notation;
mod sgf;
mod symmetry;
