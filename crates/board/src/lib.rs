//! Boards of any shape: squares, sets of squares, directions and geometry. This crate knows no game.
//!
//! ```
//! use fourfold_board::{Direction, Geometry};
//!
//! /// The cross of four-player chess: 14 by 14 without its 3 by 3 corners.
//! static CROSS: Geometry<196, 4> = Geometry::cross(14, 3);
//!
//! assert_eq!(CROSS.exists().len(), 160);
//! // No slide crosses a cut corner: from b4 the south ends at once, and the north before the next one.
//! let b4 = CROSS.parse("b4")?;
//! assert_eq!(CROSS.names(CROSS.ray(b4, Direction::South)), "");
//! assert_eq!(CROSS.names(CROSS.ray(b4, Direction::North)), "b5 b6 b7 b8 b9 b10 b11");
//! # Ok::<(), fourfold_board::ParseSquareError>(())
//! ```

mod bitboard;
pub mod cpu;
mod direction;
mod geometry;
mod keys;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use direction::Direction;
pub use geometry::{Geometry, KING_LEAPS, KNIGHT_LEAPS, ParseSquareError, shown};
pub use keys::Keys;
pub use square::Square;
