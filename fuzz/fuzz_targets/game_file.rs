//! Arbitrary bytes are refused, or are read as games that can be used.
#![no_main]

#[path = "../../crates/table/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::game_file(bytes));
