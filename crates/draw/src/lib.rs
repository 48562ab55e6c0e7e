//! Draws boards as pictures: board shapes, seats and pieces as plain data, one piece set, its
//! colors, and an SVG of any board. This crate knows no rules; it draws what it is given.
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
//! picture.man("e1", 'K', white).man("e2", 'P', white).man("e8", 'K', black);
//! picture.mark("e2", Mark::Selected).mark("e3", Mark::Target).arrow("e2", "e4", Ink::Green);
//!
//! let svg = picture.svg();
//! assert!(svg.starts_with("<svg ") && svg.contains("<title>A king &amp; a pawn</title>"));
//! ```
//!
//! A page that draws its own board can take the same pieces from [`sprite`] and the same colors
//! from [`stylesheet`].

mod animation;
mod layers;
mod palette;
mod picture;
mod pieces;
mod seat;
mod shape;
mod sheet;
mod svg;
mod tiles;
mod view;

pub use animation::Animation;
pub use palette::{Ink, Overlay, Palette, Rgb, SeatColors, Theme, Tint, grey};
pub use picture::{Arrow, Coordinates, Flight, Look, Mark, Picture, Tile};
pub use seat::{PlacedPiece, Seat, SeatInfo};
pub use shape::{Edge, Shape, Surface};
pub use sheet::{sprite, stylesheet};

/// The former name of [`Animation`].
#[deprecated(note = "renamed to `Animation`")]
pub type Film = Animation;

/// The former name of [`Overlay`].
#[deprecated(note = "renamed to `Overlay`")]
pub type Wash = Overlay;

/// The former name of [`SeatColors`].
#[deprecated(note = "renamed to `SeatColors`")]
pub type Tints = SeatColors;

/// The former name of [`PlacedPiece`].
#[deprecated(note = "renamed to `PlacedPiece`")]
pub type Man = PlacedPiece;

/// The former name of [`SeatInfo`].
#[deprecated(note = "renamed to `SeatInfo`")]
pub type Place = SeatInfo;
