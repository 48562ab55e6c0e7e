//! A picture as SVG. A cell is as large as a piece's box, so nothing on the board is scaled.

use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Write};

use crate::pieces::{BOX, Drawing, Paint, ROUND};
use crate::tiles::{Paths, rectangle};
use crate::view::{Cell, View};
use crate::{Coordinates, Mark, Palette, Picture, Seat, Surface, Tint, Wash, grey};

/// The largest size that is written: beyond it, viewers give up.
const MOST_PIXELS: u32 = 16_384;

/// How wide the rim around the board is.
const RIM: usize = 2;

/// How far the stone on a marked tile stays away from its edges.
const STONE: usize = 22;

/// How far from the middle of its first square an arrow starts.
const START: f64 = 18.0;
/// How far before the middle of its last square it ends.
const END: f64 = 6.0;
/// Half the width of its shaft.
const SHAFT: f64 = 5.5;
/// The length of its head.
const HEAD: f64 = 26.0;
/// Half the width of its head.
const BARB: f64 = 16.0;

impl Picture {
    /// The picture as one SVG document that needs nothing else.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        Writer { picture: self, palette: self.look.theme.palette(), view: self.view() }
            .document(&mut out)
            .expect("a string takes whatever is written");
        out
    }

    fn view(&self) -> View<'_> {
        View::new(&self.shape, self.look.bottom)
    }
}

/// What a mark looks like on its square.
enum Style {
    /// The whole square, below what stands on it.
    Wash(Wash),
    /// A dot in the middle.
    Dot(Wash),
    /// A ring, below a man.
    Ring(Wash),
    /// A thinner ring, above everything.
    Circle(Wash),
}

struct Writer<'a> {
    picture: &'a Picture,
    palette: &'static Palette,
    view: View<'a>,
}

impl Writer<'_> {
    fn document(&self, out: &mut String) -> fmt::Result {
        let (columns, rows) = self.view.size();
        let (width, height) = (columns * BOX, rows * BOX);
        // Boards of many cells have small ones: their labels are larger beside them.
        let font = 10 + columns.max(rows) * 3 / 4;
        let margin = match self.picture.look.coordinates {
            Coordinates::Shown => font * 3 / 2,
            Coordinates::Hidden => RIM,
        };
        let (full_width, full_height) = (margin + width + RIM, RIM + height + margin);
        let pixels = self.picture.look.pixels.clamp(1, MOST_PIXELS) as usize;
        let tall = (pixels * full_height).div_ceil(full_width);
        write!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{pixels}" height="{tall}" viewBox="-{margin} -{RIM} {full_width} {full_height}">"#
        )?;
        write!(out, "<title>{}</title>", Escaped(&self.picture.title))?;
        self.defs(out)?;
        self.board(out)?;
        match self.picture.look.coordinates {
            Coordinates::Shown => self.coordinates(out, font)?,
            Coordinates::Hidden => {}
        }
        let tiles = self.owners();
        self.washes(out, &tiles)?;
        self.tiles(out, &tiles)?;
        self.stones(out, &tiles)?;
        self.targets(out)?;
        self.men(out)?;
        self.circles(out)?;
        self.arrows(out)?;
        out.write_str("</svg>\n")
    }

    /// The pieces that the picture needs.
    fn defs(&self, out: &mut String) -> fmt::Result {
        let letters: BTreeSet<char> = self.picture.men.iter().map(|man| man.piece).collect();
        write!(out, "<defs>")?;
        for drawing in letters.into_iter().filter_map(Drawing::of) {
            write!(out, r#"<g id="piece-{}">"#, drawing.letter)?;
            drawing.write(out, Paint::Inherited)?;
            write!(out, "</g>")?;
        }
        write!(out, "</defs>")
    }

    /// The squares: all of them with a rim around the board, then the light ones once more.
    fn board(&self, out: &mut String) -> fmt::Result {
        let (mut all, mut odd) = (String::new(), String::new());
        for square in &self.view.squares {
            let (x, y) = square.cell.corner();
            rectangle(&mut all, x, y, x + BOX, y + BOX);
            if !square.dark {
                rectangle(&mut odd, x, y, x + BOX, y + BOX);
            }
        }
        let Palette { light, dark, plain, grid, .. } = self.palette;
        let (fill, line) = match self.picture.shape.surface {
            Surface::Checkered => (dark, dark),
            Surface::Plain => (plain, grid),
        };
        write!(out, r#"<g data-part="board"><path data-part="squares" d="{all}" fill="{fill}" "#)?;
        write!(out, r#"stroke="{line}" stroke-width="{}"/>"#, 2 * RIM)?;
        match self.picture.shape.surface {
            Surface::Checkered => write!(out, r#"<path d="{odd}" fill="{light}"/></g>"#),
            Surface::Plain => write!(out, "</g>"),
        }
    }

    fn coordinates(&self, out: &mut String, font: usize) -> fmt::Result {
        let color = self.palette.label;
        write!(
            out,
            r#"<g data-part="coordinates" fill="{color}" font-family="sans-serif" font-size="{font}" text-anchor="middle">"#
        )?;
        for label in self.view.below() {
            let (x, y) = label.cell.corner();
            let (x, y) = (x + BOX / 2, y + BOX + font * 11 / 10);
            write!(out, r#"<text x="{x}" y="{y}">{}</text>"#, Escaped(label.text))?;
        }
        for label in self.view.beside() {
            let (x, y) = label.cell.corner();
            // Digits are about as high as 0.7 of the font.
            let (x, y) = (x as i64 - font as i64 * 2 / 5, y + BOX / 2 + font * 7 / 20);
            write!(
                out,
                r#"<text x="{x}" y="{y}" text-anchor="end">{}</text>"#,
                Escaped(label.text)
            )?;
        }
        write!(out, "</g>")
    }

    /// The marks on squares that the board has, each with its looks.
    fn marks(&self) -> impl Iterator<Item = (Cell, Style)> {
        let palette = self.palette;
        self.picture.marks.iter().filter_map(move |(square, mark)| {
            let style = match *mark {
                Mark::LastMove => Style::Wash(palette.last_move),
                Mark::Check => Style::Wash(palette.check),
                Mark::Selected => Style::Wash(palette.selected),
                Mark::Premove => Style::Wash(palette.premove),
                Mark::Target => Style::Dot(palette.target),
                Mark::Capture => Style::Ring(palette.capture),
                Mark::Circle(ink) => Style::Circle(palette.ink(ink)),
            };
            Some((self.view.cell(square)?, style))
        })
    }

    fn washes(&self, out: &mut String, owners: &HashMap<Cell, Seat>) -> fmt::Result {
        for (cell, style) in self.marks().filter(|(cell, _)| !owners.contains_key(cell)) {
            let Style::Wash(wash) = style else { continue };
            let ((x, y), paint) = (cell.corner(), Painted("fill", wash));
            write!(
                out,
                r#"<rect data-part="mark" x="{x}" y="{y}" width="{BOX}" height="{BOX}" {paint}/>"#
            )?;
        }
        Ok(())
    }

    /// A wash would hide whose a tile is: a stone in its middle stands in for it.
    fn stones(&self, out: &mut String, owners: &HashMap<Cell, Seat>) -> fmt::Result {
        for (cell, style) in self.marks() {
            let (Style::Wash(_), Some(&seat)) = (style, owners.get(&cell)) else { continue };
            let ((x, y), color) = (cell.corner(), self.tint(seat).detail);
            let (x, y, side) = (x + STONE, y + STONE, BOX - 2 * STONE);
            write!(
                out,
                r#"<rect data-part="mark" x="{x}" y="{y}" width="{side}" height="{side}" "#
            )?;
            write!(out, r#"rx="3" fill="{color}"/>"#)?;
        }
        Ok(())
    }

    fn targets(&self, out: &mut String) -> fmt::Result {
        for (cell, style) in self.marks() {
            let (x, y) = cell.middle();
            match style {
                Style::Dot(wash) => {
                    let paint = Painted("fill", wash);
                    write!(out, r#"<circle data-part="mark" cx="{x}" cy="{y}" r="10" {paint}/>"#)?;
                }
                Style::Ring(wash) => {
                    let paint = Painted("stroke", wash);
                    write!(
                        out,
                        r#"<circle data-part="mark" cx="{x}" cy="{y}" r="28" fill="none" "#
                    )?;
                    write!(out, r#"stroke-width="6" {paint}/>"#)?;
                }
                Style::Wash(_) | Style::Circle(_) => {}
            }
        }
        Ok(())
    }

    fn circles(&self, out: &mut String) -> fmt::Result {
        for (cell, style) in self.marks() {
            let Style::Circle(wash) = style else { continue };
            let ((x, y), paint) = (cell.middle(), Painted("stroke", wash));
            write!(out, r#"<circle data-part="mark" cx="{x}" cy="{y}" r="29" fill="none" "#)?;
            write!(out, r#"stroke-width="4.5" {paint}/>"#)?;
        }
        Ok(())
    }

    /// The tint of what belongs to a seat.
    fn tint(&self, seat: Seat) -> Tint {
        if self.picture.out.contains(&seat) { grey() } else { self.picture.tints.tint(seat) }
    }

    /// Whose each tiled cell is.
    fn owners(&self) -> HashMap<Cell, Seat> {
        let tiles = self.picture.tiles.iter();
        tiles.filter_map(|tile| Some((self.view.cell(&tile.square)?, tile.seat))).collect()
    }

    fn tiles(&self, out: &mut String, owners: &HashMap<Cell, Seat>) -> fmt::Result {
        let seats: BTreeSet<Seat> = owners.values().copied().collect();
        for seat in seats {
            let Tint { fill, line, .. } = self.tint(seat);
            let paths = Paths::of(owners, |&owner| owner == seat);
            let Paths { cells, fill: inner, turns, studs, lit, shaded } = paths;
            write!(out, r#"<g data-part="tiles" data-seat="{seat}" fill="{fill}">"#)?;
            write!(out, r#"<path d="{cells}" fill="{line}"/><path d="{inner}"/>"#)?;
            write!(out, r#"<path d="{turns}" fill="{line}"/>"#)?;
            write!(out, r##"<path d="{studs}" fill="#fff" fill-opacity=".14"/>"##)?;
            write!(out, r#"<g fill="none" stroke-width="3">"#)?;
            write!(out, r##"<path d="{lit}" stroke="#fff" stroke-opacity=".45"/>"##)?;
            write!(out, r##"<path d="{shaded}" stroke="#000" stroke-opacity=".22"/></g></g>"##)?;
        }
        Ok(())
    }

    fn men(&self, out: &mut String) -> fmt::Result {
        let seats: BTreeSet<Seat> = self.picture.men.iter().map(|man| man.seat).collect();
        for seat in seats {
            let Tint { fill, line, detail } = self.tint(seat);
            write!(out, r#"<g data-part="men" data-seat="{seat}" fill="{fill}" stroke="{line}" "#)?;
            write!(out, r#"color="{detail}" {ROUND}>"#)?;
            for man in self.picture.men.iter().filter(|man| man.seat == seat) {
                let Some(cell) = self.view.cell(&man.square) else { continue };
                self.man(out, cell, man.piece)?;
            }
            write!(out, "</g>")?;
        }
        Ok(())
    }

    fn man(&self, out: &mut String, cell: Cell, piece: char) -> fmt::Result {
        let (x, y) = cell.corner();
        if let Some(drawing) = Drawing::of(piece) {
            let letter = drawing.letter;
            return write!(out, r##"<use href="#piece-{letter}" x="{x}" y="{y}"/>"##);
        }
        // The outline first, as the pieces have it.
        let mut buffer = [0; 4];
        let letter = Escaped(piece.encode_utf8(&mut buffer));
        let (x, y) = (x + BOX / 2, y + BOX * 3 / 4);
        write!(out, r#"<g font-family="sans-serif" font-size="46" font-weight="bold" "#)?;
        write!(out, r#"text-anchor="middle"><text x="{x}" y="{y}" fill="none" "#)?;
        write!(out, r#"stroke-width="6">{letter}</text>"#)?;
        write!(out, r#"<text x="{x}" y="{y}" stroke="none">{letter}</text></g>"#)
    }

    fn arrows(&self, out: &mut String) -> fmt::Result {
        for arrow in &self.picture.arrows {
            let ends = (self.view.cell(&arrow.from), self.view.cell(&arrow.to));
            let (Some(from), Some(to)) = ends else { continue };
            let ((x1, y1), (x2, y2)) = (from.middle(), to.middle());
            let length = (x2 - x1).hypot(y2 - y1);
            if length == 0.0 {
                continue;
            }
            // One unit along the arrow, and one to its left.
            let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
            let point = |along: f64, aside: f64| {
                format!("{:.1} {:.1}", x1 + dx * along - dy * aside, y1 + dy * along + dx * aside)
            };
            let tip = length - END;
            let neck = tip - HEAD;
            let outline = [
                point(START, SHAFT),
                point(neck, SHAFT),
                point(neck, BARB),
                point(tip, 0.0),
                point(neck, -BARB),
                point(neck, -SHAFT),
                point(START, -SHAFT),
            ];
            let paint = Painted("fill", self.palette.ink(arrow.ink));
            write!(out, r#"<path data-part="arrow" d="M{}Z" {paint}/>"#, outline.join("L"))?;
        }
        Ok(())
    }
}

/// An attribute of a colour, and how much it covers.
struct Painted(&'static str, Wash);

impl fmt::Display for Painted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Painted(name, Wash { color, percent }) = self;
        write!(f, r#"{name}="{color}" {name}-opacity="{}""#, f32::from(*percent) / 100.0)
    }
}

/// A text as XML can hold it.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' => f.write_char(letter)?,
                // XML has no place for these, escaped or not.
                '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                _ => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}
