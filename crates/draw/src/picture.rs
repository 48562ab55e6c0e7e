//! All that is in a picture, as plain data.

use crate::{Edge, Ink, Man, Seat, Shape, Theme, Tints};

/// A board with everything on it.
///
/// Squares go by their names. What names a square that the board does not have is left out of the
/// drawing, and so is an arrow that ends where it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Picture {
    /// What the picture shows, for those who cannot see it.
    pub title: String,
    /// The board.
    pub shape: Shape,
    /// The colours of its seats.
    pub tints: Tints,
    /// Seats that are out of the game: what is theirs is grey.
    pub out: Vec<Seat>,
    /// What stands on squares. A piece without a drawing is shown by its letter.
    pub men: Vec<Man>,
    /// Men between two squares, in games without turns.
    pub flights: Vec<Flight>,
    /// Squares whose men rest, and how much of the rest is left, in thousandths.
    pub rests: Vec<(String, u16)>,
    /// Cells that belong to a seat, or to a colour if the game has colours of its own.
    pub tiles: Vec<Tile>,
    /// What is pointed out, by square.
    pub marks: Vec<(String, Mark)>,
    /// Arrows, the uppermost last.
    pub arrows: Vec<Arrow>,
    /// How it is looked at.
    pub look: Look,
}

impl Picture {
    /// An empty board of a game with this many seats, in the usual colours.
    pub fn new(title: impl Into<String>, shape: Shape, seats: usize) -> Picture {
        Picture {
            title: title.into(),
            shape,
            tints: Tints::of(seats),
            out: Vec::new(),
            men: Vec::new(),
            flights: Vec::new(),
            rests: Vec::new(),
            tiles: Vec::new(),
            marks: Vec::new(),
            arrows: Vec::new(),
            look: Look::default(),
        }
    }

    /// Puts a man on a square.
    pub fn man(&mut self, square: impl Into<String>, piece: char, seat: Seat) -> &mut Picture {
        self.men.push(Man::new(square, piece, seat));
        self
    }

    /// Gives a cell to a seat.
    pub fn tile(&mut self, square: impl Into<String>, seat: Seat) -> &mut Picture {
        self.tiles.push(Tile { square: square.into(), seat });
        self
    }

    /// Points a square out.
    pub fn mark(&mut self, square: impl Into<String>, mark: Mark) -> &mut Picture {
        self.marks.push((square.into(), mark));
        self
    }

    /// Draws an arrow from one square to another.
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

/// How a picture is looked at: the same position, another view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// The edge that is turned to the bottom. Men stay upright.
    pub bottom: Edge,
    /// The page around it.
    pub theme: Theme,
    /// Whether files and ranks are named.
    pub coordinates: Coordinates,
    /// The width in pixels; the height follows.
    pub pixels: u32,
}

/// From the bottom, on a light page, with coordinates, 480 pixels wide.
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

/// Whether files and ranks are named beside the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Coordinates {
    /// They are.
    #[default]
    Shown,
    /// They are not, and the board fills the picture.
    Hidden,
}

/// A man between two squares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Flight {
    /// The man, at the square that it has left.
    pub man: Man,
    /// Where it goes.
    pub to: String,
    /// How much of the way is behind it, in thousandths.
    pub done: u16,
}

/// A cell that belongs to a seat. Neighbours of one seat are drawn as one shape.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// The cell.
    pub square: String,
    /// Whose it is.
    pub seat: Seat,
}

/// How a square is pointed out. Those that colour a whole square are a stone on a tile, lest they
/// hide whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// The last move came from here or went here.
    LastMove,
    /// A king in check.
    Check,
    /// The selected man may go here: a dot.
    Target,
    /// The selected man may take what stands here: a ring.
    Capture,
    /// The selected square.
    Selected,
    /// A move that waits for its turn comes from here or goes here.
    Premove,
    /// A circle that someone drew.
    Circle(Ink),
}

/// An arrow from one square to another.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Arrow {
    /// Where it starts.
    pub from: String,
    /// Where it points.
    pub to: String,
    /// Its colour.
    pub ink: Ink,
}
