//! Text for error messages.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

/// Shortens user input for an error message and escapes control characters.
///
/// ```
/// use fourfold_common::quote_short;
/// assert_eq!(quote_short("e2e4\n"), "e2e4\\n");
/// assert_eq!(quote_short(&"x".repeat(30)), "xxxxxxxxxxxxxxxxxxxx…");
/// ```
pub fn quote_short(text: &str) -> String {
    const MAX_CHARS: usize = 20;
    let mut quoted: String = text.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        quoted.push('…');
    }
    quoted
}

/// Writes values one after the other, with a separator between them.
pub fn join<T: Display>(values: impl IntoIterator<Item = T>, separator: &str) -> String {
    let texts: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    texts.join(separator)
}

/// Returns a name with its first letter in upper case.
pub fn capitalize(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
