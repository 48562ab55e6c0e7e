//! Code shared by all crates, independent of any game: run-time CPU dispatch, a random number
//! generator, text for error messages and a check that returns an error.

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch))]

extern crate alloc;

pub mod cpu;
mod ensure;
mod random;
mod text;

pub use random::SplitMix64;
pub use text::{capitalize, join, quote_short};
