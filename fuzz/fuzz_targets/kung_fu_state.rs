//! Any bytes are a state that plays on, or an error.
#![no_main]

#[path = "../../crates/kung-fu/tests/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    laws::bytes(bytes);
});
