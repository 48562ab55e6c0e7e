//! Helpers shared by the file formats of all games.

use fourfold_common::ensure;

use crate::{ReadError, TagError};

/// Returns the only game of a file, or an error if it has none or several.
pub(crate) fn only<T>(
    mut games: impl Iterator<Item = Result<T, ReadError>>,
) -> Result<T, ReadError> {
    let game = games.next().ok_or(ReadError::NoGame)??;
    match games.next() {
        None => Ok(game),
        Some(Ok(_)) => Err(ReadError::SeveralGames),
        Some(Err(error)) => Err(error),
    }
}

/// Checks a tag's name and returns its value with control characters replaced, so that it fits on
/// one line. Tags in `derived` cannot be set, because their values are derived from the game.
pub(crate) fn tag_value(name: &str, value: &str, derived: &[&str]) -> Result<String, TagError> {
    let belongs = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    ensure!(!name.is_empty() && name.chars().all(belongs), TagError::Malformed(name.to_owned()));
    ensure!(!derived.contains(&name), TagError::Derived(name.to_owned()));
    Ok(value.replace(char::is_control, " "))
}
