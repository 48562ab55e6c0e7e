//! Arbitrary files either load as a model that plays, or give an error: as they are, as a description of valid weights,
//! and as changes to valid weights, which arbitrary bytes would not reach.
#![no_main]

use std::sync::LazyLock;

#[path = "../../crates/learned/tests/it/properties/mod.rs"]
mod properties;
#[path = "../../crates/learned/tests/it/random_model.rs"]
#[allow(dead_code, reason = "a part is for tests")]
mod random_model;

static CHESS: LazyLock<(String, Vec<u8>)> = LazyLock::new(|| {
    let files = random_model::Files::new("chess", (1, 4), 1);
    (files.json.clone(), files.weights())
});

libfuzzer_sys::fuzz_target!(|input: (&[u8], &[u8], Vec<(usize, u8)>)| {
    let ((json, weights, changes), (valid_json, valid_weights)) = (input, &*CHESS);
    properties::model(json, weights);
    properties::model(json, valid_weights);
    let mut changed = valid_weights.clone();
    for (index, byte) in changes {
        let index = index % changed.len();
        changed[index] = byte;
    }
    properties::model(valid_json.as_bytes(), &changed);
});
