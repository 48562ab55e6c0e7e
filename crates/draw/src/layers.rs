//! The contents of a board, in layers: each is a list of parts that do not overlap. A picture
//! shows all of them at once, an animation each part at its time.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use crate::pieces::{BOX, Drawing, ROUND};
use crate::svg::{Escaped, Writer};
use crate::tiles::{Paths, joined};
use crate::view::Cell;
use crate::{Mark, Overlay, PlacedPiece, Seat, Tint, gray};

/// The distance of the marker on a marked tile from the tile's edges.
const MARKER: usize = 22;

/// The distance of an arrow's start from the center of its first square.
const START: f64 = 18.0;
/// The distance of an arrow's tip from the center of its last square.
const END: f64 = 6.0;
/// Half the width of an arrow's shaft.
const SHAFT: f64 = 5.5;
/// The length of an arrow's head.
const HEAD: f64 = 26.0;
/// Half the width of an arrow's head.
const BARB: f64 = 16.0;

/// Parts that do not overlap, above those of lower layers.
pub(crate) struct Layer {
    /// The stacking order: higher layers lie above. Layers of different seats may share a value.
    pub(crate) order: u8,
    /// The opening tag of the group around the parts; empty if there is no group.
    pub(crate) open: String,
    pub(crate) parts: Vec<String>,
}

impl Layer {
    fn plain(order: u8, parts: Vec<String>) -> Layer {
        Layer { order, open: String::new(), parts }
    }

    /// Returns the closing tag of the group.
    pub(crate) fn close(open: &str) -> &'static str {
        if open.is_empty() { "" } else { "</g>" }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.open, self.parts.concat(), Layer::close(&self.open))
    }
}

impl Writer<'_> {
    /// Returns everything that is on the board, from bottom to top.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        let tiles = self.owners();
        let [fills, markers, targets, circles] = self.marks(&tiles);
        let mut layers = vec![Layer::plain(0, fills), Layer::plain(1, self.rests())];
        layers.extend(self.tiles(2, &tiles));
        layers.push(Layer::plain(3, markers));
        layers.push(Layer::plain(4, targets));
        layers.extend(self.pieces(5));
        layers.extend(self.flights(6));
        layers.push(Layer::plain(7, circles));
        layers.push(Layer::plain(8, self.arrows()));
        layers
    }

    /// Returns the marks in four layers: filled squares, markers on tiles, dots and rings below
    /// pieces, and circles above everything.
    fn marks(&self, owners: &HashMap<Cell, Seat>) -> [Vec<String>; 4] {
        let (palette, mut layers) = (self.palette, [const { Vec::new() }; 4]);
        for (square, mark) in &self.picture.marks {
            let Some(cell) = self.view.cell(square) else { continue };
            let fill = |color| self.filled(cell, color, owners.get(&cell));
            let (layer, part) = match *mark {
                Mark::LastMove => fill(palette.last_move),
                Mark::Check => fill(palette.check),
                Mark::Selected => fill(palette.selected),
                Mark::Premove => fill(palette.premove),
                Mark::Target => (2, dot(cell, palette.target)),
                Mark::Capture => (2, ring(cell, 28, "6", palette.capture)),
                Mark::Circle(ink) => (3, ring(cell, 29, "4.5", palette.ink(ink))),
            };
            layers[layer].push(part);
        }
        layers
    }

    /// Returns a filled square or, on a tile, a marker in its middle, because filling it would hide
    /// the owner. The number is that of the layer in [`Writer::marks`].
    fn filled(&self, cell: Cell, color: Overlay, owner: Option<&Seat>) -> (usize, String) {
        let (x, y) = cell.corner();
        let Some(&seat) = owner else {
            let paint = PaintAttribute("fill", color);
            let square = format!(r#"x="{x}" y="{y}" width="{BOX}" height="{BOX}" {paint}"#);
            return (0, format!(r#"<rect data-part="mark" {square}/>"#));
        };
        let color = self.tint(seat).detail;
        let (x, y, side) = (x + MARKER, y + MARKER, BOX - 2 * MARKER);
        let square = format!(r#"x="{x}" y="{y}" width="{side}" height="{side}" rx="3""#);
        (1, format!(r#"<rect data-part="mark" {square} fill="{color}"/>"#))
    }

    /// Fills the square of a resting piece from the bottom, as far as rest is left.
    fn rests(&self) -> Vec<String> {
        let paint = PaintAttribute("fill", self.palette.rest);
        let rests = self.picture.rests.iter().filter_map(|(square, left)| {
            let (x, y) = self.view.cell(square)?.corner();
            let tall = BOX * usize::from(*left).min(1000) / 1000;
            let y = y + BOX - tall;
            Some(format!(
                r#"<rect data-part="rest" x="{x}" y="{y}" width="{BOX}" height="{tall}" {paint}/>"#
            ))
        });
        rests.collect()
    }

    /// Returns the tint of a seat: gray if it is eliminated.
    fn tint(&self, seat: Seat) -> Tint {
        if self.picture.eliminated.contains(&seat) {
            gray()
        } else {
            self.picture.seat_colors.tint(seat)
        }
    }

    /// Returns the owner of each tiled cell.
    fn owners(&self) -> HashMap<Cell, Seat> {
        let tiles = self.picture.tiles.iter();
        tiles.filter_map(|tile| Some((self.view.cell(&tile.square)?, tile.seat))).collect()
    }

    /// Returns a layer for each seat, with a part for each connected shape.
    fn tiles(&self, order: u8, owners: &HashMap<Cell, Seat>) -> Vec<Layer> {
        let seats: BTreeSet<Seat> = owners.values().copied().collect();
        let layers = seats.into_iter().map(|seat| {
            let Tint { fill, line, .. } = self.tint(seat);
            let open = format!(r#"<g data-part="tiles" data-seat="{seat}" fill="{fill}">"#);
            let ours = owners.iter().filter(|(_, owner)| **owner == seat);
            let shapes = joined(ours.map(|(&cell, _)| cell).collect());
            let parts = shapes.into_iter().map(|shape| {
                let Paths { cells, fill, inner_corners, studs, lit, shaded } = Paths::of(&shape);
                let shape = format!(r#"<path d="{cells}" fill="{line}"/><path d="{fill}"/>"#);
                let corners = format!(r#"<path d="{inner_corners}" fill="{line}"/>"#);
                let studs = format!(r##"<path d="{studs}" fill="#fff" fill-opacity=".14"/>"##);
                let lit = format!(r##"<path d="{lit}" stroke="#fff" stroke-opacity=".45"/>"##);
                let dark = format!(r##"<path d="{shaded}" stroke="#000" stroke-opacity=".22"/>"##);
                format!(r#"{shape}{corners}{studs}<g fill="none" stroke-width="3">{lit}{dark}</g>"#)
            });
            Layer { order, parts: parts.collect(), open }
        });
        layers.collect()
    }

    fn pieces(&self, order: u8) -> Vec<Layer> {
        let pieces = self.picture.pieces.iter();
        let pieces =
            pieces.filter_map(|piece| Some((piece, self.view.cell(&piece.square)?.corner())));
        self.by_seat(order, "pieces", pieces)
    }

    /// Returns the pieces in flight, above those that stand.
    fn flights(&self, order: u8) -> Vec<Layer> {
        let flights = self.picture.flights.iter().filter_map(|flight| {
            let (from, to) = (self.view.cell(&flight.piece.square)?, self.view.cell(&flight.to)?);
            let ((x1, y1), (x2, y2)) = (from.corner(), to.corner());
            let done = usize::from(flight.done.min(1000));
            let between = |from, to| (from * (1000 - done) + to * done) / 1000;
            Some((&flight.piece, (between(x1, x2), between(y1, y2))))
        });
        self.by_seat(order, "flights", flights)
    }

    /// Returns a layer for each seat that has pieces.
    fn by_seat<'p>(
        &self,
        order: u8,
        part: &str,
        pieces: impl Iterator<Item = (&'p PlacedPiece, (usize, usize))>,
    ) -> Vec<Layer> {
        let mut layers: BTreeMap<Seat, Layer> = BTreeMap::new();
        for (piece, corner) in pieces {
            let layer = layers.entry(piece.seat).or_insert_with(|| {
                let (seat, Tint { fill, line, detail }) = (piece.seat, self.tint(piece.seat));
                let open = format!(
                    r#"<g data-part="{part}" data-seat="{seat}" fill="{fill}" stroke="{line}" color="{detail}" {ROUND}>"#
                );
                Layer { order, open, parts: Vec::new() }
            });
            layer.parts.push(piece_at(piece.piece, corner));
        }
        layers.into_values().collect()
    }

    fn arrows(&self) -> Vec<String> {
        let arrows = self.picture.arrows.iter().filter_map(|arrow| {
            let (from, to) = (self.view.cell(&arrow.from)?, self.view.cell(&arrow.to)?);
            let ((x1, y1), (x2, y2)) = (from.middle(), to.middle());
            let length = (x2 - x1).hypot(y2 - y1);
            if length == 0.0 {
                return None;
            }
            // A unit vector along the arrow; rotated by a quarter turn, it points to the side.
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
            let paint = PaintAttribute("fill", self.palette.ink(arrow.ink));
            Some(format!(r#"<path data-part="arrow" d="M{}Z" {paint}/>"#, outline.join("L")))
        });
        arrows.collect()
    }
}

/// Returns a dot in the center of a cell.
fn dot(cell: Cell, color: Overlay) -> String {
    let ((x, y), paint) = (cell.middle(), PaintAttribute("fill", color));
    format!(r#"<circle data-part="mark" cx="{x}" cy="{y}" r="10" {paint}/>"#)
}

/// Returns a ring around the center of a cell.
fn ring(cell: Cell, radius: usize, width: &str, color: Overlay) -> String {
    let ((x, y), paint) = (cell.middle(), PaintAttribute("stroke", color));
    let circle = format!(r#"<circle data-part="mark" cx="{x}" cy="{y}" r="{radius}" fill="none""#);
    format!(r#"{circle} stroke-width="{width}" {paint}/>"#)
}

/// Returns a piece whose box has its upper left corner at the given point.
fn piece_at(piece: char, (x, y): (usize, usize)) -> String {
    if let Some(drawing) = Drawing::of(piece) {
        let letter = drawing.letter;
        return format!(r##"<use href="#piece-{letter}" x="{x}" y="{y}"/>"##);
    }
    // The outline comes first, as in the drawings.
    let mut buffer = [0; 4];
    let letter = Escaped(piece.encode_utf8(&mut buffer));
    let (x, y) = (x + BOX / 2, y + BOX * 3 / 4);
    let font = r#"font-family="sans-serif" font-size="46" font-weight="bold" text-anchor="middle""#;
    let outline = format!(r#"<text x="{x}" y="{y}" fill="none" stroke-width="6">{letter}</text>"#);
    let inside = format!(r#"<text x="{x}" y="{y}" stroke="none">{letter}</text>"#);
    format!("<g {font}>{outline}{inside}</g>")
}

/// A color attribute with its opacity.
struct PaintAttribute(&'static str, Overlay);

impl fmt::Display for PaintAttribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PaintAttribute(name, Overlay { color, percent }) = self;
        write!(f, r#"{name}="{color}" {name}-opacity="{}""#, f32::from(*percent) / 100.0)
    }
}
