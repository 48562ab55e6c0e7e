//! The lenient parser accepts what the strict one accepts, and its positions can be played.
#![no_main]

#[path = "../../crates/chess/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::lenient_fen(text));
