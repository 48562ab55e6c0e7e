//! The integration tests of this crate, in one binary that links once.

mod colors;
mod films;
mod pictures;
