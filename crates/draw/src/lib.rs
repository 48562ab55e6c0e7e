//! Boards as pictures: shapes, seats and men as plain data, one piece set, its colours, and an SVG
//! of any board. This crate knows no rules; it draws what it is told.
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
//! A page that draws its own board takes the same pieces from [`sprite`] and the same colours from
//! [`stylesheet`].

mod film;
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

pub use film::Film;
pub use palette::{Ink, Palette, Rgb, Theme, Tint, Tints, Wash, grey};
pub use picture::{Arrow, Coordinates, Flight, Look, Mark, Picture, Tile};
pub use seat::{Man, Place, Seat};
pub use shape::{Edge, Shape, Surface};
pub use sheet::{sprite, stylesheet};
