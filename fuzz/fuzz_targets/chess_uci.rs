//! Any text is a legal move that reads back, or an error, in a position from random play.
#![no_main]

#[path = "../../crates/chess/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|input: (u16, u8, u64, &str)| {
    let (start, plies, seed, text) = input;
    laws::uci(&laws::position(start % 1920, plies, seed), text);
});
