//! The integration tests of this crate, in a single binary to save link time.

mod bytes;
mod comparison;
mod generators;
mod notation;
mod properties;
mod sgf;
mod symmetry;
