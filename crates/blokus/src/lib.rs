//! Blokus: classic for two to four players, duo, and any board size; exact and fast.
//!
//! ```
//! use fourfold_blokus::{Position, Variant};
//!
//! let mut position = Position::start(Variant::DUO);
//! assert_eq!(position.legal().len(), 414);
//! while let Some(&placement) = position.legal().last() {
//!     position.play(placement)?;
//! }
//! assert!(position.turn().is_none() && !position.winners().is_empty());
//! # Ok::<(), fourfold_blokus::Refusal>(())
//! ```
//!
//! The rules stand in `docs/rules/blokus.md`, each with an example that the tests run.

mod frontier;
mod generate;
mod naive;
mod parallel;
mod perft;
mod pieces;
mod placement;
mod position;
mod refusal;
mod rows;
pub mod sgf;
mod standing;
mod text;
mod variant;
mod walk;
mod zobrist;

pub use generate::{Count, Each, Generator, PlacementList, PlacementRows, PlacementSink};
pub use naive::Grid;
pub use perft::perft;
pub use pieces::{LARGEST, ORIENTATIONS, Orientation, PIECES, Piece, SQUARES};
pub use placement::Placement;
pub use position::{Position, Undo};
pub use refusal::Refusal;
pub use rows::{MAX_SIZE, Rows};
pub use standing::Standing;
pub use text::{ParseMoveError, ParsePositionError, cell_name};
pub use variant::{MAX_COLORS, Variant};
pub use walk::random_walk;
