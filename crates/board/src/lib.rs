//! Boards of any shape: squares, sets of squares, directions and geometry, independent of any game.
//!
//! ```
//! use fourfold_board::{Direction, Geometry};
//!
//! /// The cross of four-player chess: 14 by 14 without its 3 by 3 corners.
//! static CROSS: Geometry<196, 4> = Geometry::cross(14, 3);
//!
//! assert_eq!(CROSS.squares().len(), 160);
//! // The cut corners end slides: a slide south from b4 has no squares, a slide north ends on b11.
//! let b4 = CROSS.parse("b4")?;
//! assert_eq!(CROSS.names(CROSS.ray(b4, Direction::South)), "");
//! assert_eq!(CROSS.names(CROSS.ray(b4, Direction::North)), "b5 b6 b7 b8 b9 b10 b11");
//! # Ok::<(), fourfold_board::ParseSquareError>(())
//! ```

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod bitboard;
mod deprecated;
mod direction;
mod geometry;
mod square;

pub use bitboard::{Bitboard, Squares};
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{Keys, SplitMix64, cpu, quote_short, shown};
pub use direction::Direction;
pub use geometry::{Geometry, KING_LEAPS, KNIGHT_LEAPS, ParseSquareError};
pub use square::Square;
