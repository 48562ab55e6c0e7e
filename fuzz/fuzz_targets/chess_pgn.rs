//! Arbitrary bytes either parse as games that round-trip, or give errors, strictly and leniently.
#![no_main]

#[path = "../../crates/chess/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::pgn(bytes));
