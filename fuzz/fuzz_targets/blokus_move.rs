//! Arbitrary text either parses as a placement, which is then played or rejected, or gives an
//! error.
#![no_main]

#[path = "../../crates/blokus/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|input: (u8, u8, u8, &str)| {
    let (variant, plies, seed, text) = input;
    properties::placement(&properties::position(variant, plies, u64::from(seed)), text);
});
