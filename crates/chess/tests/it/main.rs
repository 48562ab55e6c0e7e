//! The integration tests of this crate, in a single binary that is linked only once.

mod comparison;
mod laws;
mod notation;
mod refusals;
mod rules;
