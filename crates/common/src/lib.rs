//! What all crates share and no game or board is part of: run-time CPU dispatch, a random number
//! generator and text for error messages.

pub mod cpu;
mod random;
mod text;

pub use random::SplitMix64;
pub use text::{capitalize, join, quote_short};
