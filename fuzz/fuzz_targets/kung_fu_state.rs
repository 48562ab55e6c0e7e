//! Arbitrary bytes either decode to a state that can be played on, or give an error; likewise for
//! text.
#![no_main]

#[path = "../../crates/kung-fu/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    properties::bytes(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        for words in properties::RULES {
            let _ = properties::text(words, text);
        }
    }
});
