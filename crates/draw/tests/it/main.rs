//! The integration tests of this crate, in one binary that links once.

mod animations;
mod colors;
mod pictures;
