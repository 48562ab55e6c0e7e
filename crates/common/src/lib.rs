//! Code shared by all crates, independent of any game: run-time CPU dispatch, a random number
//! generator and text for error messages.

pub mod cpu;
mod random;
mod text;

pub use random::SplitMix64;
pub use text::{capitalize, join, quote_short};
