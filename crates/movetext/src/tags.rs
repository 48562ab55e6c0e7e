//! The tags of a game.

use std::collections::HashSet;

use crate::{Format, Location};

/// The tags of a game in file order. Tags of the start are kept separately, with their locations.
#[derive(Default, Debug)]
pub struct Tags {
    /// The names and values of the other tags.
    pub others: Vec<(String, String)>,
    start_tags: Vec<(String, String, Location)>,
    /// The names of all tags, once they have been asked for.
    names: Option<HashSet<String>>,
}

impl Tags {
    pub(crate) fn add<F: Format>(&mut self, name: String, value: String, location: Location) {
        if let Some(names) = &mut self.names {
            names.insert(name.clone());
        }
        if F::START_TAGS.contains(&name.as_str()) {
            self.start_tags.push((name, value, location));
        } else {
            self.others.push((name, value));
        }
    }

    /// Returns whether there is a tag with this name, in constant time after the first call.
    pub(crate) fn contains(&mut self, name: &str) -> bool {
        let names = self.names.get_or_insert_with(|| {
            let start_tags = self.start_tags.iter().map(|(name, ..)| name);
            self.others.iter().map(|(name, _)| name).chain(start_tags).cloned().collect()
        });
        names.contains(name)
    }

    /// Returns the value and the location of a tag that describes the start. If it is repeated, the
    /// last one counts.
    pub fn start_tag(&self, name: &str) -> Option<(&str, Location)> {
        let last = self.start_tags.iter().rfind(|(key, ..)| key == name);
        last.map(|(_, value, location)| (value.as_str(), *location))
    }
}

/// Returns the value of the first tag with this name.
pub fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// Replaces the value of a tag, or appends the tag if it is missing.
pub fn set_tag(tags: &mut Vec<(String, String)>, name: &str, value: &str) {
    match tags.iter_mut().find(|(key, _)| key == name) {
        Some((_, old)) => value.clone_into(old),
        None => tags.push((name.to_owned(), value.to_owned())),
    }
}
