//! Arbitrary sequences of orders are each accepted, or rejected with a reason.
#![no_main]

#[path = "../../crates/kung-fu/tests/it/properties/mod.rs"]
#[allow(dead_code, reason = "each target runs one of the properties")]
mod properties;

libfuzzer_sys::fuzz_target!(|input: (u8, &[u8])| {
    let (rules, bytes) = input;
    properties::orders(properties::RULES[usize::from(rules) % properties::RULES.len()], bytes);
});
