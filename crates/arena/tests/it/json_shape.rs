//! The structure of JSON messages: which keys they have, and the types of their values.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// For each path into a message, such as `players[].name`, the types of values found there.
pub(crate) type Shape = BTreeMap<String, BTreeSet<&'static str>>;

/// Adds the structure of a message.
pub(crate) fn add(shape: &mut Shape, path: &str, value: &Value) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(list) => {
            for value in list {
                add(shape, &format!("{path}[]"), value);
            }
            "array"
        }
        Value::Object(keys) => {
            for (key, value) in keys {
                // Keys that are squares are not field names.
                let is_square = key.len() == 2 && key.ends_with(|last: char| last.is_ascii_digit());
                let key = if is_square { "*" } else { key };
                let dot = if path.is_empty() { "" } else { "." };
                add(shape, &format!("{path}{dot}{key}"), value);
            }
            "object"
        }
    };
    shape.entry(path.to_owned()).or_default().insert(kind);
}

/// Returns what the documentation shows but does not exist, and what it does not show.
pub(crate) fn differences(shown: &Shape, real: &Shape) -> Vec<String> {
    let mut all = Vec::new();
    for (path, kinds) in shown {
        match real.get(path) {
            None => all.push(format!("'{path}' is shown, but there is none")),
            Some(real) if !kinds.is_subset(real) => {
                all.push(format!("'{path}' is shown as {kinds:?}, but it is {real:?}"));
            }
            Some(_) => {}
        }
    }
    // An array may be shown empty, unless its elements have keys.
    let missing = real.keys().filter(|path| !path.ends_with("[]") && !shown.contains_key(*path));
    all.extend(missing.map(|path| format!("'{path}' is not shown")));
    all
}

/// Returns the JSON blocks of the protocol documentation: the label and the values of each.
pub(crate) fn blocks() -> Vec<(&'static str, Vec<Value>)> {
    const PAGE: &str = include_str!("../../../../docs/arena/protocol.md");
    let blocks = PAGE.split("```json").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().expect("a block ends"));
    let blocks = blocks.map(|block| block.split_once('\n').expect("a block has a first line"));
    let values = |text| serde_json::Deserializer::from_str(text).into_iter().collect();
    let read = |text| -> Vec<Value> {
        let values: Result<_, serde_json::Error> = values(text);
        values.unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    blocks.map(|(kind, text)| (kind.trim(), read(text))).collect()
}
