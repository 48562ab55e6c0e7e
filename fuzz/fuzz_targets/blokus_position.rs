//! Arbitrary text either parses as a position that round-trips, or gives an error.
#![no_main]

#[path = "../../crates/blokus/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|text: &str| laws::text(text));
