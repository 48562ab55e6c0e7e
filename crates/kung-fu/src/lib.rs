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

mod create;
mod deprecated;
mod ending;
mod events;
mod orders;
mod piece;
mod replay;
mod rules;
mod side;
mod snapshot;
mod state;
mod text;
mod tick;
mod trajectory;
mod walk;

pub use create::{CreateError, PlacedPiece};
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{Act, Eliminated, Kind, Man, UnknownRule, What};
pub use ending::{DrawRefusal, Outcome, ResignRefusal};
pub use events::{Event, EventKind, Events, NoEvents};
pub use orders::{Order, Refusal};
pub use piece::{MAX_PIECES, Piece, PieceId, Role, Status};
pub use replay::{PlayerAction, Replay, ReplayError, Seeker};
pub use rules::{
    Board, EliminatedPieces, ParseRulesError, Player, Players, Rules, Speed, TICKS_PER_SECOND,
};
pub use side::{Bitboard, Cell};
pub use snapshot::SnapshotError;
pub use state::Game;
pub use walk::random_order;

/// The version of the rules. Replays and snapshots from other versions are refused.
pub const RULES_VERSION: u32 = 1;
