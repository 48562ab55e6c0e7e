//! The integration tests of this crate, in a single binary to save link time.

mod animations;
mod colors;
mod pictures;
