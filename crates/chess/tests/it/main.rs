//! The integration tests of this crate, in a single binary to save link time.

mod bytes;
mod commands;
mod comparison;
mod lenient;
mod notation;
mod properties;
mod refusals;
mod rules;
