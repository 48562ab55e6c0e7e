//! In a position from random play, arbitrary text either parses as a legal move that round-trips,
//! or gives an error.
#![no_main]

#[path = "../../crates/four-player/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|input: (u8, u8, u64, &str)| {
    let (rules, plies, seed, text) = input;
    laws::moves(&laws::position(rules, plies, seed), text);
});
