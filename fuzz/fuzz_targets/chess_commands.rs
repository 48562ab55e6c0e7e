//! Any comment is split into commands and text.
#![no_main]

#[path = "../../crates/chess/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|comment: &str| properties::commands(comment));
