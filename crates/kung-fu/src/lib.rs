//! Kung fu chess: chess without turns, in integer ticks, exact and identical on every machine.
//!
//! ```
//! use fourfold_kung_fu::{Game, Player, Rules};
//!
//! let mut game = Game::new(Rules::parse("8x8 lightning")?)?;
//! let pawn = game.piece_named("P:1:6:4").expect("a pawn of White");
//! game.order(Player::ALL[0], pawn, (4, 4))?;
//! let mut events = Vec::new();
//! game.advance_to(13, &mut events);
//! assert_eq!(game.text(&events[0]), "t13 P:1:6:4 arrives 4,4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules are specified in `docs/rules/kung-fu.md`; each has an example that the tests run.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod board;
mod deprecated;
mod ending;
mod events;
mod game;
mod orders;
mod piece;
mod random_order;
mod reach;
mod replay;
mod rules;
mod setup;
mod snapshot;
mod text;
mod tick;
mod trajectory;

pub use board::{Bitboard, Cell};
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{Act, Eliminated, Kind, Man, Speed, UnknownRule, What};
pub use ending::{DrawRefusal, Outcome, ResignRefusal};
pub use events::{Event, EventKind, Events, NoEvents};
pub use game::Game;
pub use orders::{Order, Refusal};
pub use piece::{MAX_PIECES, Piece, PieceFilter, PieceId, Role, Status};
pub use random_order::random_order;
pub use reach::{Numbering, Reach, SquareSet};
pub use replay::{PlayerAction, Replay, ReplayError, Seeker};
pub use rules::{
    Board, EliminatedPieces, ParseRulesError, Player, Players, Rules, TICKS_PER_SECOND, Timing,
};
pub use setup::{CreateError, PlacedPiece};
pub use snapshot::SnapshotError;

/// The version of the rules. Replays and snapshots from other versions are refused.
pub const RULES_VERSION: u32 = 1;
