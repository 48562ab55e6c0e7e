//! The integration tests of this crate, in a single binary to save link time.

mod comparison;
mod generators;
mod laws;
mod notation;
mod sgf;
mod symmetry;
