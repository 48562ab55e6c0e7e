//! In a position from random play, arbitrary text either parses as a legal move that round-trips,
//! or gives an error.
#![no_main]

#[path = "../../crates/four-player/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|input: (u8, u8, u64, &str)| {
    let (rules, plies, seed, text) = input;
    properties::moves(&properties::position(rules, plies, seed), text);
});
