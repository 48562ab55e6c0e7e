//! Writes games as PGN.

use std::fmt::{self, Write};

use super::{Game, Line, Node};
use crate::{Color, Position, Variant};

/// The maximum length of a line of moves, unless a single word is longer.
const WIDTH: usize = 80;

/// Writes the game as PGN, with an empty line after the tags and a newline at the end.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            if !matches!(name.as_str(), "FEN" | "SetUp" | "Variant") {
                write_tag(f, name, value)?;
            }
        }
        if self.start.variant() == Variant::Chess960 {
            write_tag(f, "Variant", "Chess960")?;
        }
        if self.start != Position::start() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start.fen())?;
        }
        f.write_char('\n')?;
        let mut text = Wrapped { out: f, column: 0 };
        write_line(&mut text, &self.line, self.start)?;
        text.word(self.result.text())?;
        f.write_char('\n')
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    // A tag must be on one line.
    let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

fn write_line(text: &mut Wrapped<'_, '_>, line: &Line, start: Position) -> fmt::Result {
    let mut position = start;
    let mut needs_number = true;
    write_comments(text, &line.comments)?;
    for Node { mv, nags, comments, variations } in &line.moves {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => text.word(&format!("{number}."))?,
            Color::Black if needs_number => text.word(&format!("{number}..."))?,
            Color::Black => {}
        }
        text.word(&position.san(*mv))?;
        for nag in nags {
            text.word(&format!("${nag}"))?;
        }
        write_comments(text, comments)?;
        for variation in variations {
            text.word("(")?;
            write_line(text, variation, position)?;
            text.word(")")?;
        }
        needs_number = !comments.is_empty() || !variations.is_empty();
        position.play_unchecked(*mv);
    }
    Ok(())
}

fn write_comments(text: &mut Wrapped<'_, '_>, comments: &[String]) -> fmt::Result {
    for comment in comments {
        if comment.contains('}') {
            // Only a comment that extends to the end of the line can contain a closing brace.
            for line in comment.lines() {
                text.line(&format!("; {line}"))?;
            }
        } else {
            text.word("{")?;
            comment.split_whitespace().try_for_each(|word| text.word(word))?;
            text.word("}")?;
        }
    }
    Ok(())
}

/// Writes words separated by single spaces, in lines of at most [`WIDTH`] columns.
struct Wrapped<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Wrapped<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + length <= WIDTH;
            self.out.write_char(if fits { ' ' } else { '\n' })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += length;
        self.out.write_str(word)
    }

    /// Writes a word that ends its line.
    fn line(&mut self, text: &str) -> fmt::Result {
        self.word(text)?;
        self.column = 0;
        self.out.write_char('\n')
    }
}
