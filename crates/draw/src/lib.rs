//! Draws boards as pictures: board shapes, seats and pieces as plain data, one piece set, its
//! colors, and an SVG of any board. This crate does not know the rules of any game.
//!
//! ```
//! use fourfold_board::Geometry;
//! use fourfold_draw::{Edge, Ink, Look, Mark, Picture, Seat, Shape, Theme};
//!
//! static BOARD: Geometry<64, 1> = Geometry::rectangle(8, 8);
//!
//! let (white, black) = (Seat::new(0), Seat::new(1));
//! let mut picture = Picture::new("A king & a pawn", Shape::of(&BOARD), 2);
//! picture.look = Look { bottom: Edge::Top, theme: Theme::Dark, ..Look::default() };
//! picture.piece("e1", 'K', white).piece("e2", 'P', white).piece("e8", 'K', black);
//! picture.mark("e2", Mark::Selected).mark("e3", Mark::Target).arrow("e2", "e4", Ink::Green);
//!
//! let svg = picture.svg();
//! assert!(svg.starts_with("<svg ") && svg.contains("<title>A king &amp; a pawn</title>"));
//! ```
//!
//! A page that draws its own board can take the same pieces from [`sprite`] and the same colors
//! from [`stylesheet`].

mod animation;
mod deprecated;
mod layers;
mod palette;
mod picture;
mod pieces;
mod seat;
mod shape;
mod sprites;
mod style;
mod svg;
mod tiles;
mod view;

pub use animation::Animation;
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{Film, Man, Place, Tints, Wash, grey};
pub use palette::{Ink, Overlay, Palette, Rgb, SeatColors, Theme, Tint, gray};
pub use picture::{Arrow, Coordinates, Flight, Look, Mark, Picture, PlacedPiece, Tile};
pub use seat::{Seat, SeatInfo};
pub use shape::{Edge, Shape, Surface};
pub use sprites::sprite;
pub use style::stylesheet;
