//! Writes games.

use std::fmt::{self, Write};

use crate::lexer::FIRST_TAG;
use crate::{Line, Node};

/// Writes tags, and words that are separated by single spaces.
pub struct Writer<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    width: usize,
    column: usize,
}

impl<'a, 'b> Writer<'a, 'b> {
    /// Creates a writer whose lines of words have at most `width` columns, unless a single word is
    /// longer.
    pub const fn new(out: &'a mut fmt::Formatter<'b>, width: usize) -> Writer<'a, 'b> {
        Writer { out, width, column: 0 }
    }

    /// Writes a tag on a line of its own.
    pub fn tag(&mut self, name: &str, value: &str) -> fmt::Result {
        // A tag must be on one line.
        let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(self.out, "[{name} \"{value}\"]")
    }

    /// Writes a word on this line, or on the next one if it does not fit.
    pub fn word(&mut self, word: &str) -> fmt::Result {
        if self.column > 0 && self.column + 1 + word.chars().count() > self.width {
            self.newline()?;
        }
        self.same_line(word)
    }

    /// Writes a word on this line, whether or not it fits.
    fn same_line(&mut self, word: &str) -> fmt::Result {
        if self.column > 0 {
            self.out.write_char(' ')?;
            self.column += 1;
        }
        self.column += word.chars().count();
        self.out.write_str(word)
    }

    /// Ends the line, even if it is empty.
    pub fn newline(&mut self) -> fmt::Result {
        self.column = 0;
        self.out.write_char('\n')
    }

    /// Ends the line if there are words on it.
    pub fn end_line(&mut self) -> fmt::Result {
        if self.column > 0 { self.newline() } else { Ok(()) }
    }

    /// Writes comments in braces, or after `;` if they contain a closing brace.
    pub fn comments(&mut self, comments: &[String]) -> fmt::Result {
        for comment in comments {
            if comment.contains('}') {
                // Only a comment that extends to the end of the line can contain a closing brace.
                for line in comment.lines() {
                    self.word(&format!("; {line}"))?;
                    self.newline()?;
                }
            } else {
                self.word("{")?;
                for word in comment.split_whitespace() {
                    // At the start of a line, it could begin the next game.
                    if word.starts_with(FIRST_TAG) {
                        self.same_line(word)
                    } else {
                        self.word(word)
                    }?;
                }
                self.word("}")?;
            }
        }
        Ok(())
    }

    /// Writes what follows a move: its annotations, its comments, and its variations, which
    /// `write_line` writes.
    pub fn annotations<M>(
        &mut self,
        node: &Node<M>,
        mut write_line: impl FnMut(&mut Self, &Line<M>) -> fmt::Result,
    ) -> fmt::Result {
        for nag in &node.nags {
            self.word(&format!("${nag}"))?;
        }
        self.comments(&node.comments)?;
        for variation in &node.variations {
            self.word("(")?;
            write_line(self, variation)?;
            self.word(")")?;
        }
        Ok(())
    }
}
