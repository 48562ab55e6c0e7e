//! In a position from random play, arbitrary text either parses as a legal move in SAN that
//! round-trips, or gives an error.
#![no_main]

#[path = "../../crates/chess/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|input: (u16, u8, u64, &str)| {
    let (start, plies, seed, text) = input;
    laws::san(&laws::position(start % 1920, plies, seed), text);
});
