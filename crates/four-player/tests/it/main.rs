//! The integration tests of this crate, in a single binary to save link time.

mod bytes;
mod comparison;
mod lanes;
mod notation;
mod pgn4;
mod properties;
mod rules;
