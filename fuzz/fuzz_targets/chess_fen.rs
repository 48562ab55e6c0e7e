//! Arbitrary text either parses as a FEN that round-trips, or gives an error.
#![no_main]

#[path = "../../crates/chess/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::fen(text));
