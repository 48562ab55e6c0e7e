//! Saved batches: a header, the states, and the random streams.

use thiserror::Error;

/// Returns a saved batch: the length of the kind, the kind, the number of games, the bytes of each
/// state, all states, and all streams. Numbers are little-endian and have 64 bits.
pub(crate) fn save<'a>(
    kind: &str,
    games: usize,
    states: &[u8],
    streams: impl Iterator<Item = &'a u8>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(64 + kind.len() + states.len() + 24 * games);
    let put = |out: &mut Vec<u8>, number: usize| out.extend((number as u64).to_le_bytes());
    put(&mut out, kind.len());
    out.extend(kind.as_bytes());
    put(&mut out, games);
    put(&mut out, states.len().checked_div(games).unwrap_or(0));
    out.extend(states);
    out.extend(streams);
    out
}

/// Checks the header of a saved batch and its length, and returns the states and the streams.
pub(crate) fn load<'a>(
    mut bytes: &'a [u8],
    id: &str,
    kind: &str,
    (games, state_bytes, stream_bytes): (usize, usize, usize),
) -> Result<(&'a [u8], &'a [u8]), LoadError> {
    let mut take = |count: usize| {
        let (taken, rest) = bytes.split_at_checked(count).ok_or(LoadError::TooShort)?;
        bytes = rest;
        Ok(taken)
    };
    let number =
        |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
    let length = number(take(8)?);
    let length = usize::try_from(length).ok().filter(|&length| length <= MAX_KIND);
    let found = take(length.ok_or(LoadError::NotABatch)?)?;
    let found = std::str::from_utf8(found).map_err(|_| LoadError::NotABatch)?;
    if found != kind {
        return Err(other_kind(id, kind, found));
    }
    let found = number(take(8)?);
    if found != games as u64 {
        return Err(LoadError::Games { expected: games, found });
    }
    if number(take(8)?) != state_bytes as u64 && games > 0 {
        return Err(LoadError::NotABatch);
    }
    let (states, streams) = (take(games * state_bytes)?, take(games * stream_bytes)?);
    if bytes.is_empty() { Ok((states, streams)) } else { Err(LoadError::TooLong) }
}

/// The longest description of a game and its rules.
const MAX_KIND: usize = 1 << 12;

/// Builds the error for a batch of another kind.
fn other_kind(id: &str, expected: &str, found: &str) -> LoadError {
    let name = |id: &str| id.rsplit_once("-v").map_or(id, |(name, _)| name).to_owned();
    match found.split_once(" with ") {
        Some((found, _)) if found != id && name(found) == name(id) => {
            LoadError::Version { expected: id.to_owned(), found: found.to_owned() }
        }
        Some(_) => LoadError::Other { expected: expected.to_owned(), found: found.to_owned() },
        None => LoadError::NotABatch,
    }
}

/// Why a saved batch could not be loaded.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The data ends too early.
    #[error("the saved batch ends too early")]
    TooShort,
    /// There is data after the end of the batch.
    #[error("the saved batch is followed by extra bytes")]
    TooLong,
    /// The data was saved by another environment, with other rules, or by another version.
    #[error("expected a batch of {expected}, got one of {found}")]
    Other {
        /// The environment that loads, with its rules.
        expected: String,
        /// The environment that saved, with its rules.
        found: String,
    },
    /// The data was saved by another version of the environment.
    #[error(
        "the batch was saved by {found}, but this is {expected}: load it with the version of \
         Fourfold that saved it"
    )]
    Version {
        /// The environment that loads.
        expected: String,
        /// The environment that saved.
        found: String,
    },
    /// The number of games differs.
    #[error("the saved batch has {found} games, this environment has {expected}")]
    Games {
        /// The number of games of the batch that loads.
        expected: usize,
        /// The number of games that were saved.
        found: u64,
    },
    /// The data does not begin like a saved batch.
    #[error("not a saved batch")]
    NotABatch,
    /// A state is not one that a game can reach.
    #[error("state {row} is not a valid state of {kind}")]
    State {
        /// The index of the state among those that were given.
        row: usize,
        /// The environment, with its rules.
        kind: String,
    },
}
