//! The syntax of SGF: trees of nodes with properties.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use fourfold_common::ensure;

use super::SgfError;

/// The names and values of the properties of a node, in the order of the file.
pub(super) type Node = Vec<(String, Vec<String>)>;

/// Iterates over the main lines of the trees in a text. After an error there are no more, because
/// the end of the tree is unknown.
pub(super) struct Trees<'a> {
    rest: &'a str,
}

impl<'a> Trees<'a> {
    pub(super) fn new(text: &'a str) -> Trees<'a> {
        Trees { rest: text }
    }

    /// Skips to the next tree, which begins with `(;`. Returns whether there is one.
    fn find(&mut self) -> bool {
        while let Some(start) = self.rest.find('(') {
            self.rest = self.rest[start + 1..].trim_start();
            if self.rest.starts_with(';') {
                return true;
            }
        }
        false
    }

    /// Reads a tree and returns the nodes of its main line: the first branch of each fork.
    fn main_line(&mut self) -> Result<Vec<Node>, SgfError> {
        let mut nodes = Vec::new();
        let mut in_main_line = true;
        let mut depth = 1;
        while depth > 0 {
            self.rest = self.rest.trim_start();
            let Some(first) = self.rest.chars().next() else {
                // A variation that is not closed loses nothing that is read.
                ensure!(!in_main_line, SgfError::Unfinished);
                break;
            };
            self.rest = &self.rest[first.len_utf8()..];
            match first {
                ';' => {
                    let node = self.node()?;
                    if in_main_line {
                        nodes.push(node);
                    }
                }
                '(' => depth += 1,
                ')' => {
                    depth -= 1;
                    in_main_line = false;
                }
                _ => return Err(SgfError::Unexpected { letter: first }),
            }
        }
        Ok(nodes)
    }

    fn node(&mut self) -> Result<Node, SgfError> {
        let mut node = Node::new();
        loop {
            self.rest = self.rest.trim_start();
            let end = self.rest.find(|letter: char| !letter.is_ascii_alphanumeric());
            let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            if name.is_empty() {
                return Ok(node);
            }
            self.rest = rest.trim_start();
            let mut values = Vec::new();
            while let Some(rest) = self.rest.strip_prefix('[') {
                self.rest = rest;
                values.push(self.value()?);
                self.rest = self.rest.trim_start();
            }
            ensure!(!values.is_empty(), SgfError::NoValue { name: name.to_owned() });
            node.push((name.to_owned(), values));
        }
    }

    /// Reads a value up to its closing bracket. A backslash escapes the next character.
    fn value(&mut self) -> Result<String, SgfError> {
        let mut value = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                ']' => {
                    self.rest = &self.rest[offset + 1..];
                    return Ok(value);
                }
                '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
                _ => value.push(letter),
            }
        }
        Err(SgfError::Unfinished)
    }
}

impl Iterator for Trees<'_> {
    type Item = Result<Vec<Node>, SgfError>;

    fn next(&mut self) -> Option<Result<Vec<Node>, SgfError>> {
        if !self.find() {
            return None;
        }
        let line = self.main_line();
        if line.is_err() {
            self.rest = "";
        }
        Some(line)
    }
}
