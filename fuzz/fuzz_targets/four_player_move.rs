//! Any text is a legal move that reads back, or an error, in a position from random play.
#![no_main]

#[path = "../../crates/four-player/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|input: (u8, u8, u64, &str)| {
    let (rules, plies, seed, text) = input;
    laws::moves(&laws::position(rules, plies, seed), text);
});
