//! The contents of a picture, as plain data.

use serde::{Deserialize, Serialize};

use crate::{Edge, Ink, Seat, SeatColors, Shape, Theme};

/// A board with everything on it.
///
/// Squares are given by name. Anything on a square that the board does not have is not drawn, nor
/// is an arrow that ends where it starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Picture {
    /// A description of the picture, for people who cannot see it.
    pub title: String,
    /// The board.
    pub shape: Shape,
    /// The colors of the seats.
    pub seat_colors: SeatColors,
    /// Eliminated seats: everything that belongs to them is gray.
    pub eliminated: Vec<Seat>,
    /// The pieces on squares. A piece without a drawing is shown by its letter.
    pub pieces: Vec<PlacedPiece>,
    /// Pieces between two squares, in games without turns.
    pub flights: Vec<Flight>,
    /// The squares of resting pieces, and how much of the rest is left, in thousandths.
    pub rests: Vec<(String, u16)>,
    /// Cells that belong to a seat, or to a color if the game has colors of its own.
    pub tiles: Vec<Tile>,
    /// Marked squares.
    pub marks: Vec<(String, Mark)>,
    /// Arrows; later ones are drawn on top.
    pub arrows: Vec<Arrow>,
    /// How the picture is displayed.
    pub look: Look,
}

impl Picture {
    /// Creates an empty board of a game with this many seats, in the default colors.
    pub fn new(title: impl Into<String>, shape: Shape, seats: usize) -> Picture {
        Picture {
            title: title.into(),
            shape,
            seat_colors: SeatColors::of(seats),
            ..Picture::default()
        }
    }

    /// Puts a piece on a square.
    pub fn piece(&mut self, square: impl Into<String>, piece: char, seat: Seat) -> &mut Picture {
        self.pieces.push(PlacedPiece::new(square, piece, seat));
        self
    }

    /// Adds a cell that belongs to a seat.
    pub fn tile(&mut self, square: impl Into<String>, seat: Seat) -> &mut Picture {
        self.tiles.push(Tile { square: square.into(), seat });
        self
    }

    /// Marks a square.
    pub fn mark(&mut self, square: impl Into<String>, mark: Mark) -> &mut Picture {
        self.marks.push((square.into(), mark));
        self
    }

    /// Adds an arrow from one square to another.
    pub fn arrow(
        &mut self,
        from: impl Into<String>,
        to: impl Into<String>,
        ink: Ink,
    ) -> &mut Picture {
        self.arrows.push(Arrow { from: from.into(), to: to.into(), ink });
        self
    }
}

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlacedPiece {
    /// The square that it stands on.
    pub square: String,
    /// The letter of the piece, in upper case for every seat.
    pub piece: char,
    /// The seat that it belongs to.
    pub seat: Seat,
}

impl PlacedPiece {
    /// Creates a piece on a square.
    pub fn new(square: impl Into<String>, piece: char, seat: Seat) -> PlacedPiece {
        PlacedPiece { square: square.into(), piece, seat }
    }
}

/// How a picture is displayed, independent of what it shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// The edge that is turned to the bottom. Pieces stay upright.
    pub bottom: Edge,
    /// The theme of the page around the picture.
    pub theme: Theme,
    /// Whether files and ranks are labeled.
    pub coordinates: Coordinates,
    /// The width in pixels; the height follows.
    pub pixels: u32,
}

/// The bottom edge at the bottom, the light theme, with coordinates, 480 pixels wide.
impl Default for Look {
    fn default() -> Look {
        Look {
            bottom: Edge::Bottom,
            theme: Theme::Light,
            coordinates: Coordinates::Shown,
            pixels: 480,
        }
    }
}

/// Whether files and ranks are labeled beside the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Coordinates {
    /// They are labeled.
    #[default]
    Shown,
    /// They are not labeled, and the board fills the picture.
    Hidden,
}

/// A piece between two squares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Flight {
    /// The piece, on the square that it has left.
    pub piece: PlacedPiece,
    /// The square that it is flying to.
    pub to: String,
    /// How much of the way it has traveled, in thousandths.
    pub done: u16,
}

/// A cell that belongs to a seat. Adjacent cells of one seat are drawn as one shape.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// The cell.
    pub square: String,
    /// The seat that it belongs to.
    pub seat: Seat,
}

/// A mark on a square. On tiles, marks that would fill the whole square are drawn as a smaller
/// marker, so that the owner stays visible.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// The last move came from here or went here.
    LastMove,
    /// A king in check.
    Check,
    /// The selected piece may move here: a dot.
    Target,
    /// The selected piece may capture what stands here: a ring.
    Capture,
    /// The selected square.
    Selected,
    /// A premove starts or ends here.
    Premove,
    /// A circle drawn by a user.
    Circle(Ink),
}

/// An arrow from one square to another.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Arrow {
    /// The square where it starts.
    pub from: String,
    /// The square that it points to.
    pub to: String,
    /// The color of the arrow.
    pub ink: Ink,
}
