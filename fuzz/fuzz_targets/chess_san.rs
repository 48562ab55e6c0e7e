//! In a position from random play, arbitrary text either parses as a legal move in SAN that
//! round-trips, or gives an error.
#![no_main]

#[path = "../../crates/chess/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|input: (u16, u8, u64, &str)| {
    let (start, plies, seed, text) = input;
    properties::san(&properties::position(start % 1920, plies, seed), text);
});
