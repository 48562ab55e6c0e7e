//! Arbitrary bytes either parse as games that round-trip, or give errors.
#![no_main]

#[path = "../../crates/chess/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::pgn(bytes));
