//! Arbitrary sequences of orders are each accepted, or rejected with a reason.
#![no_main]

#[path = "../../crates/kung-fu/tests/it/laws/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the laws")]
mod laws;

libfuzzer_sys::fuzz_target!(|input: (u8, &[u8])| {
    let (rules, bytes) = input;
    laws::orders(laws::RULES[usize::from(rules) % laws::RULES.len()], bytes);
});
