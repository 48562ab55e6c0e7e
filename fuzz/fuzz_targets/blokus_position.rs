//! Arbitrary text either parses as a position that round-trips, or gives an error.
#![no_main]

#[path = "../../crates/blokus/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::text(text));
