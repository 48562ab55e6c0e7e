//! Writes games as PGN.

use std::fmt;

use fourfold_movetext::{Format, Writer};

use super::{Game, Line, Pgn};
use crate::{Color, Position, Variant};

/// The maximum length of a line of moves, unless a single word is longer.
const WIDTH: usize = 80;

/// Writes the game as PGN, with an empty line after the tags and a newline at the end.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Writer::new(f, WIDTH);
        for (name, value) in &self.tags {
            if !Pgn::START_TAGS.contains(&name.as_str()) {
                text.tag(name, value)?;
            }
        }
        if self.start.variant() == Variant::Chess960 {
            text.tag("Variant", "Chess960")?;
        }
        if self.start != Position::start() {
            text.tag("SetUp", "1")?;
            text.tag("FEN", &self.start.fen())?;
        }
        text.newline()?;
        write_line(&mut text, &self.line, self.start)?;
        text.word(self.result.text())?;
        text.newline()
    }
}

fn write_line(text: &mut Writer<'_, '_>, line: &Line, mut position: Position) -> fmt::Result {
    let mut needs_number = true;
    text.comments(&line.comments)?;
    for node in &line.moves {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => text.word(&format!("{number}."))?,
            Color::Black if needs_number => text.word(&format!("{number}..."))?,
            Color::Black => {}
        }
        text.word(&position.san_recorded(node.mv))?;
        text.annotations(node, |text, variation| write_line(text, variation, position))?;
        needs_number = !node.comments.is_empty() || !node.variations.is_empty();
        position.play_recorded(node.mv);
    }
    Ok(())
}
