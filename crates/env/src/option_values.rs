//! Parsing the options of a game, which are given as strings.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use crate::make_error::MakeError;

/// The options that were given, all of which the game has.
pub(crate) struct OptionValues<'a>(&'a [(&'a str, &'a str)]);

impl<'a> OptionValues<'a> {
    /// # Errors
    /// Returns an error if the game has no such option.
    pub(crate) fn new(
        game: &'static str,
        options: &'static [&'static str],
        given: &'a [(&'a str, &'a str)],
    ) -> Result<OptionValues<'a>, MakeError> {
        match given.iter().find(|(name, _)| !options.contains(name)) {
            Some((option, _)) => {
                Err(MakeError::Option { game, option: (*option).to_owned(), options })
            }
            None => Ok(OptionValues(given)),
        }
    }

    /// Returns the value of an option; the last one wins if it is given more than once.
    pub(crate) fn text(&self, option: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(name, _)| *name == option).map(|pair| pair.1)
    }

    /// Returns the value of an option by its name in `values`, or `default` if it is not given.
    ///
    /// # Errors
    /// Returns an error if the value is not one of the names.
    pub(crate) fn choice<T: Copy>(
        &self,
        option: &'static str,
        values: &[(&str, T)],
        default: T,
    ) -> Result<T, MakeError> {
        let Some(text) = self.text(option) else { return Ok(default) };
        // The former name, for one release.
        let wanted = if text == "seed" { "legacy" } else { text };
        match values.iter().find(|(name, _)| *name == wanted) {
            Some(&(_, value)) => Ok(value),
            None => {
                let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
                Err(invalid_option(option, text, format!("expected one of {}", names.join(", "))))
            }
        }
    }

    /// Returns the value of a numeric option, or `default` if it is not given.
    ///
    /// # Errors
    /// Returns an error if the value is not a number in the range.
    pub(crate) fn number(
        &self,
        option: &'static str,
        range: RangeInclusive<u32>,
        default: u32,
    ) -> Result<u32, MakeError> {
        let Some(text) = self.text(option) else { return Ok(default) };
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let expected = format!("expected a number from {} to {}", range.start(), range.end());
            invalid_option(option, text, expected)
        })
    }
}

/// The values of an option that is on or off.
pub(crate) const SWITCH: [(&str, bool); 2] = [("off", false), ("on", true)];

/// Returns the name of a value.
pub(crate) fn name_of<T: PartialEq>(values: &[(&'static str, T)], value: &T) -> &'static str {
    values.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

/// Builds the error for an invalid value; `expected` says what is accepted, or why it is not.
pub(crate) fn invalid_option(
    option: &'static str,
    text: &str,
    expected: impl Into<String>,
) -> MakeError {
    MakeError::Value { option, value: text.to_owned(), expected: expected.into() }
}
