//! Reading saved states.

use std::fmt;

/// Bytes that are read from the front.
#[derive(Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` bytes.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], LoadError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(LoadError::TooShort)?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next number.
    ///
    /// # Errors
    /// If the bytes end before.
    pub fn u64(&mut self) -> Result<u64, LoadError> {
        let mut word = [0; 8];
        word.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(word))
    }

    /// The next number, which must be below a bound.
    ///
    /// # Errors
    /// If the bytes end before, or the number is too large.
    pub fn below(&mut self, bound: u64) -> Result<u64, LoadError> {
        let number = self.u64()?;
        if number < bound {
            Ok(number)
        } else {
            Err(LoadError::Damaged("a number is out of range"))
        }
    }

    /// A text, written with its length before it.
    ///
    /// # Errors
    /// If the bytes end before, or are no text.
    pub fn text(&mut self) -> Result<&'a str, LoadError> {
        let length = self.below(1 << 20)?;
        let text = self.take(length as usize)?;
        std::str::from_utf8(text).map_err(|_| LoadError::Damaged("a text is not UTF-8"))
    }
}

/// Writes a number.
pub(crate) fn put(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// Writes a text with its length before it.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Why bytes are not a saved batch.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes end too early.
    TooShort,
    /// Bytes are left over.
    TooLong,
    /// They were saved by another environment, or another version of it.
    Other {
        /// What this environment is.
        expected: String,
        /// What was saved.
        found: String,
    },
    /// They make no sense.
    Damaged(&'static str),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::TooShort => write!(f, "the saved batch ends too early"),
            LoadError::TooLong => write!(f, "the saved batch is followed by other bytes"),
            LoadError::Other { expected, found } => {
                write!(f, "saved by {found}, but this is {expected}")
            }
            LoadError::Damaged(what) => write!(f, "the saved batch is damaged: {what}"),
        }
    }
}

impl std::error::Error for LoadError {}
