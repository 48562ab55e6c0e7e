//! Text that several games read and write.

use std::fmt;

/// Parses a decimal number without a sign or leading zeros.
pub(crate) fn read_number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}

/// Writes a row of cells, with a number for each run of empty ones, which are `None`.
pub(crate) fn write_row(cells: impl Iterator<Item = Option<String>>) -> Vec<String> {
    let mut words = Vec::new();
    let mut empty = 0;
    for cell in cells.map(Some).chain([None]) {
        if cell == Some(None) {
            empty += 1;
            continue;
        }
        if empty > 0 {
            words.push(empty.to_string());
        }
        empty = 0;
        words.extend(cell.flatten());
    }
    words
}

/// Writes the name of an enum's variant in lower case with hyphens: `GameOver` is `game-over`.
pub(crate) fn kebab_case(variant: impl fmt::Debug) -> String {
    let mut text = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
