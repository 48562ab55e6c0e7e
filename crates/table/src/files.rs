//! What the files of all games have in common.

use crate::{ReadError, TagError};

/// The one game of a file.
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
