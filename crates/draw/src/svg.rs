//! Writes pictures as SVG: this module writes the board and its coordinates, and `layers` what is
//! on it. A cell is as large as a piece's box, so nothing on the board is scaled.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use crate::pieces::{BOX, Drawing, Paint};
use crate::tiles::rectangle;
use crate::view::View;
use crate::{Coordinates, Palette, Picture, Surface};

/// The largest width that is written, in pixels: viewers cannot handle more.
const MAX_PIXELS: u32 = 16_384;

/// The width of the rim around the board.
const RIM: usize = 2;

impl Picture {
    /// Returns the picture as one self-contained SVG document.
    pub fn svg(&self) -> String {
        let writer = Writer::new(self);
        let content: String = writer.layers().iter().map(ToString::to_string).collect();
        writer.document(&self.piece_letters(), &content)
    }

    pub(crate) fn piece_letters(&self) -> BTreeSet<char> {
        let flying = self.flights.iter().map(|flight| &flight.piece);
        self.pieces.iter().chain(flying).map(|piece| piece.piece).collect()
    }
}

/// Writes a picture, or the shared parts of an animation.
pub(crate) struct Writer<'a> {
    pub(crate) picture: &'a Picture,
    pub(crate) palette: &'static Palette,
    pub(crate) view: View<'a>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(picture: &'a Picture) -> Writer<'a> {
        let view = View::new(&picture.shape, picture.look.bottom);
        Writer { picture, palette: picture.look.theme.palette(), view }
    }

    /// Returns the board with `content` on it, which may use these pieces.
    pub(crate) fn document(&self, pieces: &BTreeSet<char>, content: &str) -> String {
        let (columns, rows) = self.view.size();
        let (width, height) = (columns * BOX, rows * BOX);
        // Cells are displayed smaller on boards with many of them, so labels are larger relative to
        // them.
        let font = 10 + columns.max(rows) * 3 / 4;
        let (margin, coordinates) = match self.picture.look.coordinates {
            Coordinates::Shown => (font * 3 / 2, self.coordinates(font)),
            Coordinates::Hidden => (RIM, String::new()),
        };
        let (full_width, full_height) = (margin + width + RIM, RIM + height + margin);
        let pixels = self.picture.look.pixels.clamp(1, MAX_PIXELS) as usize;
        let tall = (pixels * full_height).div_ceil(full_width);
        let open = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{pixels}" height="{tall}" viewBox="-{margin} -{RIM} {full_width} {full_height}">"#
        );
        let (title, defs, board) = (Escaped(&self.picture.title), defs(pieces), self.board());
        format!("{open}<title>{title}</title>{defs}{board}{coordinates}{content}</svg>\n")
    }

    /// Returns the squares: all of them, with a rim around the board, then the light ones on top.
    fn board(&self) -> String {
        let (mut all, mut odd) = (String::new(), String::new());
        for square in &self.view.squares {
            let (x, y) = square.cell.corner();
            let path = rectangle(x, y, x + BOX, y + BOX);
            all += &path;
            if !square.dark {
                odd += &path;
            }
        }
        let Palette { light, dark, plain, grid, .. } = self.palette;
        let (fill, line, odd) = match self.picture.shape.surface {
            Surface::Checkered => (dark, dark, format!(r#"<path d="{odd}" fill="{light}"/>"#)),
            Surface::Plain => (plain, grid, String::new()),
        };
        let rim = 2 * RIM;
        let all = format!(r#"d="{all}" fill="{fill}" stroke="{line}" stroke-width="{rim}""#);
        format!(r#"<g data-part="board"><path data-part="squares" {all}/>{odd}</g>"#)
    }

    fn coordinates(&self, font: usize) -> String {
        let color = self.palette.label;
        let mut out = format!(
            r#"<g data-part="coordinates" fill="{color}" font-family="sans-serif" font-size="{font}" text-anchor="middle">"#
        );
        for (text, cell) in self.view.below() {
            let (x, y) = cell.corner();
            let (x, y) = (x + BOX / 2, y + BOX + font * 11 / 10);
            out += &format!(r#"<text x="{x}" y="{y}">{}</text>"#, Escaped(text));
        }
        for (text, cell) in self.view.beside() {
            let (x, y) = cell.corner();
            // The height of digits is about 0.7 of the font size.
            let (x, y) = (x as i64 - font as i64 * 2 / 5, y + BOX / 2 + font * 7 / 20);
            let text = Escaped(text);
            out += &format!(r#"<text x="{x}" y="{y}" text-anchor="end">{text}</text>"#);
        }
        out + "</g>"
    }
}

/// Returns the drawings of the pieces.
fn defs(pieces: &BTreeSet<char>) -> String {
    let drawings = pieces.iter().filter_map(|&piece| Drawing::of(piece)).map(|drawing| {
        format!(r#"<g id="piece-{}">{}</g>"#, drawing.letter, drawing.paths(Paint::Inherited))
    });
    format!("<defs>{}</defs>", drawings.collect::<String>())
}

/// Text that is escaped for XML when it is displayed.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' => f.write_char(letter)?,
                // XML does not allow these, escaped or not.
                '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
