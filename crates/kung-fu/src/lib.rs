//! Kung fu chess: chess without turns, in whole ticks; exact and the same on every machine.
//!
//! ```
//! use fourfold_kung_fu::{Game, Rules};
//!
//! let mut game = Game::create(Rules::parse("8x8 lightning")?)?;
//! let pawn = game.piece_named("P:1:6:4").expect("a pawn of White");
//! game.order(1, pawn, (4, 4))?;
//! let mut events = Vec::new();
//! game.advance_to(13, &mut events);
//! assert_eq!(game.text(&events[0]), "t13 P:1:6:4 arrives 4,4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules stand in `docs/rules/kung-fu.md`, each with an example that the tests run.

mod course;
mod create;
mod ending;
mod events;
mod game;
mod orders;
mod piece;
mod replay;
mod rules;
mod side;
mod snapshot;
mod state;
mod tick;
mod walk;

pub use create::{CreateError, Man};
pub use ending::{DrawRefusal, Outcome, ResignRefusal};
pub use events::{Event, Events, NoEvents, What};
pub use game::Game;
pub use orders::{Order, Refusal};
pub use piece::{Kind, MAX_PIECES, Piece, PieceId, Status};
pub use replay::{Act, Replay, ReplayError, Seeker};
pub use rules::{Board, Eliminated, Players, Rules, Speed, TICKS_PER_SECOND, UnknownRule};
pub use side::{Bitboard, Cell};
pub use snapshot::SnapshotError;
pub use walk::random_order;

/// The version of these rules: games that were recorded under another one are not played.
pub const RULES_VERSION: u32 = 1;
