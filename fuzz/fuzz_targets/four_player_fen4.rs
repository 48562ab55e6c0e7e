//! Arbitrary text either parses as a FEN4 that round-trips, or gives an error.
#![no_main]

#[path = "../../crates/four-player/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::fen4(text));
