//! Reading and writing saved states.

use thiserror::Error;

/// A cursor over bytes that are read from the front.
#[derive(Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// Returns the next `count` bytes.
    ///
    /// # Errors
    /// Returns an error if fewer bytes are left.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], LoadError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(LoadError::TooShort)?;
        self.0 = rest;
        Ok(taken)
    }

    /// Reads a `u64`.
    ///
    /// # Errors
    /// Returns an error if fewer than 8 bytes are left.
    pub fn u64(&mut self) -> Result<u64, LoadError> {
        let mut word = [0; 8];
        word.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(word))
    }

    /// Reads a `u64` that must be less than `bound`.
    ///
    /// # Errors
    /// Returns an error if fewer than 8 bytes are left, or the number is too large.
    pub fn below(&mut self, bound: u64) -> Result<u64, LoadError> {
        let number = self.u64()?;
        if number < bound {
            Ok(number)
        } else {
            Err(LoadError::Damaged("a number is out of range"))
        }
    }

    /// Reads a string that is preceded by its length.
    ///
    /// # Errors
    /// Returns an error if too few bytes are left, or they are not UTF-8.
    pub fn text(&mut self) -> Result<&'a str, LoadError> {
        let length = self.below(1 << 20)?;
        let text = self.take(length as usize)?;
        std::str::from_utf8(text).map_err(|_| LoadError::Damaged("a string is not UTF-8"))
    }
}

/// Writes a `u64`, little-endian.
pub(crate) fn put(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// Writes a string, preceded by its length.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
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
    /// The data is inconsistent; the message says how.
    #[error("the saved batch is damaged: {0}")]
    Damaged(&'static str),
}
