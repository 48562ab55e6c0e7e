//! Files that are not models.

use std::sync::LazyLock;

use fourfold_learned::Model;
use half::f16;
use proptest::prelude::*;

use crate::properties;
use crate::random_model::Files;

static CHESS: LazyLock<(String, Vec<u8>)> = LazyLock::new(|| {
    let files = Files::new("chess", (2, 4), 1);
    let weights = files.weights();
    (files.json, weights)
});

fn error(json: &str, weights: &[u8]) -> String {
    Model::new(json.as_bytes(), weights).expect_err("an error").to_string()
}

#[test]
fn errors_say_what_is_wrong() {
    let (json, weights) = &*CHESS;
    for (from, to, expected) in [
        ("\"format\":1", "\"format\":2", "invalid model.json: expected format 1, got 2"),
        (
            "\"chess\"",
            "\"checkers\"",
            "invalid model.json: unknown game 'checkers': expected one of chess, ",
        ),
        ("\"v2\"", "\"v1\"", "invalid model.json: expected version v2 of chess, got 'v1'"),
        (
            "\"height\":8",
            "\"height\":9",
            "invalid model.json: expected a board of 8 by 8, got 9 by 8",
        ),
        (
            "\"planes\":[0,",
            "\"planes\":[119,",
            "invalid model.json: expected planes below 119, got 119",
        ),
        ("\"planes\":[0,", "\"planes\":[-1,", "invalid model.json: invalid value: integer `-1`"),
        ("\"scalars\":0", "\"scalars\":3", "invalid model.json: expected 0 scalars, got 3"),
        (
            "\"blocks\":2",
            "\"blocks\":100",
            "invalid model.json: expected from 1 to 99 blocks, got 100",
        ),
        (
            "\"blocks\":2",
            "\"blocks\":3",
            "invalid model.safetensors: there is no tensor blocks.2.0.weight",
        ),
        (
            "\"blocks\":2",
            "\"blocks\":1",
            "invalid model.safetensors: unknown tensor 'blocks.1.0.bias'",
        ),
        (
            "\"channels\":4",
            "\"channels\":5",
            "invalid model.safetensors: expected stem.weight to have shape [3, 3, ",
        ),
        (
            "\"channels\":4",
            "\"channels\":0",
            "invalid model.json: expected from 1 to 1024 channels, got 0",
        ),
        (
            "\"value_outputs\":1",
            "\"value_outputs\":2",
            "invalid model.json: expected 1 value outputs, got 2",
        ),
        ("\"options\":{}", "\"options\":{\"speed\":\"1\"}", "invalid model.json: "),
        ("{", "[", "invalid model.json: "),
    ] {
        assert!(json.contains(from), "{from}");
        let said = error(&json.replacen(from, to, 1), weights);
        assert!(said.starts_with(expected), "{said}");
    }
    for length in [0, 7, 8, 100, weights.len() - 1] {
        let said = error(json, &weights[..length]);
        assert!(said.starts_with("invalid model.safetensors: "), "{said}");
    }
    // A header that claims to be as large as the memory.
    assert!(error(json, &[255; 16]).starts_with("invalid model.safetensors: "));
}

#[test]
fn weights_are_checked() {
    let altered = |alter: &dyn Fn(&mut Files)| {
        let mut files = Files::new("chess", (2, 4), 1);
        alter(&mut files);
        error(&files.json, &files.weights())
    };
    let said = altered(&|files| files.index[7] = 5000);
    assert!(said.starts_with("invalid model.safetensors: expected numbers below "), "{said}");
    let said = altered(&|files| files.index.truncate(4671));
    assert!(said.contains("expected policy.index to have shape [4672], got [4671]"), "{said}");
    for number in [f32::NAN, f32::INFINITY] {
        let said = altered(&|files| {
            files.tensors.get_mut("value.out.bias").expect("a bias").1[0] = number
        });
        assert!(said.contains("value.out.bias has numbers that are not finite"), "{said}");
    }
    // Weights that are finite, but not what they lead to.
    let mut files = Files::new("chess", (2, 4), 1);
    for (_, numbers) in files.tensors.values_mut() {
        numbers.fill(f16::MAX.to_f32());
    }
    let batch = fourfold_env::make("chess", &[], 1, fourfold_env::Options::default());
    let said = files.model().evaluate(&*batch.expect("chess")).expect_err("an error").to_string();
    assert!(said.starts_with("the network has outputs that are not finite"), "{said}");
    properties::model(files.json.as_bytes(), &files.weights());
}

#[test]
fn files_are_named_if_they_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let load = || Model::load(folder.path());
    assert!(load().expect_err("no file").to_string().contains("model.json"));
    Files::new("chess", (2, 4), 1).write(folder.path());
    std::fs::remove_file(folder.path().join("model.safetensors")).expect("a file");
    assert!(load().expect_err("no file").to_string().contains("model.safetensors"));
    Files::new("chess", (2, 4), 1).write(folder.path());
    assert_eq!(load().expect("a model").game(), "chess");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64)
    ))]

    #[test]
    fn damaged_models_do_not_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        in_header in any::<bool>(),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (json, mut weights) = CHESS.clone();
        let header = u64::from_le_bytes(weights[..8].try_into().expect("eight bytes")) as usize + 8;
        for (index, byte) in edits {
            let length = if in_header { header } else { weights.len() };
            weights[index.index(length)] = byte;
        }
        if let Some(cut) = cut {
            weights.truncate(cut.index(weights.len()));
        }
        properties::model(json.as_bytes(), &weights);
    }

    #[test]
    fn damaged_descriptions_do_not_panic(index in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let (json, weights) = &*CHESS;
        let mut json = json.clone().into_bytes();
        let index = index.index(json.len());
        json[index] = byte;
        properties::model(&json, weights);
    }
}
