//! Arbitrary bytes either decode to a state that can be played on, or give an error; likewise for
//! text.
#![no_main]

#[path = "../../crates/kung-fu/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    laws::bytes(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        for words in laws::RULES {
            let _ = laws::text(words, text);
        }
    }
});
