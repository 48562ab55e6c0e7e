//! Blokus: classic for two to four players, Duo, and boards of up to 22 by 22 cells.
//!
//! ```
//! use fourfold_blokus::{Position, Variant};
//!
//! let mut position = Position::start(Variant::DUO);
//! assert_eq!(position.legal_moves().len(), 414);
//! while let Some(&placement) = position.legal_moves().last() {
//!     position.play(placement)?;
//! }
//! assert!(position.turn().is_none() && !position.winners().is_empty());
//! # Ok::<(), fourfold_blokus::Refusal>(())
//! ```
//!
//! The rules are described in `docs/rules/blokus.md`; the tests run every example there.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod cell_set;
mod deprecated;
mod game_state;
mod movegen;
mod perft;
mod pieces;
mod placement;
mod position;
mod random_walk;
mod refusal;
mod row_window;
#[cfg(feature = "std")]
pub mod sgf;
mod sink;
mod text;
mod types;
mod variant;
mod zobrist;

pub use cell_set::{CellSet, MAX_SIZE};
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{LARGEST, Rows, Standing};
pub use game_state::GameState;
pub use perft::{perft, perft_with_stop};
pub use pieces::{MAX_PIECE_SIZE, ORIENTATIONS, Orientation, PIECES, Piece, TOTAL_SQUARES};
pub use placement::Placement;
pub use position::Position;
pub use random_walk::random_walk;
pub use refusal::Refusal;
pub use row_window::{MAX_ORIENTATIONS, RowWindow};
pub use sink::{Count, Each, PlacementList, PlacementRows, PlacementSink};
pub use text::{ParseMoveError, ParsePositionError, cell_name};
pub use types::{Color, Player};
pub use variant::{MAX_COLORS, Variant};
