//! What a game's file says about it.

use crate::TagError;

/// A tag's value as a file keeps it, on one line; `derived` are the names whose values follow from
/// the game.
pub(crate) fn tag_value(name: &str, value: &str, derived: &[&str]) -> Result<String, TagError> {
    let belongs = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if name.is_empty() || !name.chars().all(belongs) {
        return Err(TagError::Malformed { name: name.to_owned() });
    }
    if derived.contains(&name) {
        return Err(TagError::Derived { name: name.to_owned() });
    }
    Ok(value.replace(char::is_control, " "))
}
