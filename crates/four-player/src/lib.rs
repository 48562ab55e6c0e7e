//! Four-player chess on the 14×14 cross: exact rules for free-for-all and teams, fast generation of
//! legal moves, and the common notations.
//!
//! A [`Setup`] is any arrangement of pieces. [`Setup::validate`] turns it into a [`Position`],
//! which is played under its [`Rules`]:
//!
//! ```
//! use fourfold_four_player::{StartPosition, Player, Position, Rules};
//!
//! let mut position = Position::start(StartPosition::Modern, Rules::default());
//! for text in ["h2h3", "b7d7", "g13g11", "m8l8"] {
//!     position.play(position.parse_move(text)?)?;
//! }
//! assert_eq!(position.turn(), Player::Red);
//! assert_eq!(position.points(), [0; 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules are documented in `docs/rules/four-player.md`, each with an example that the tests
//! run.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod algebraic;
mod army;
mod coordinate;
mod deprecated;
mod ending;
mod fen4;
mod lanes;
pub mod legacy_tables;
mod lines;
mod movegen;
mod moves;
mod perft;
#[cfg(feature = "std")]
pub mod pgn4;
mod pieces;
mod play;
mod position;
mod random_walk;
mod rules;
mod safety;
mod setup;
mod targets;
mod types;
mod zobrist;

pub use army::Army;
pub use coordinate::ParseMoveError;
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{
    CannotLeave, CannotWithdraw, IllegalMove, InvalidSetup, Kind, Leave, MAX_MEN, Man, Opening,
    UnknownRule, Way, Withdrawal, tables,
};
pub use ending::{Ending, History, WithdrawError, WithdrawalReason};
pub use fen4::ParseFen4Error;
pub use lanes::{LANES, LaneSink};
pub use moves::{Each, MAX_MOVES, Move, MoveKind, MoveList, MoveSink};
pub use perft::{perft, perft_by_playing, perft_with_stop};
pub use play::IllegalMoveError;
pub use position::Position;
pub use random_walk::random_walk;
pub use rules::{KingCapture, MateTiming, Mode, ParseRulesError, Points, Rules, Winner};
pub use setup::{Fault, InvalidSetupError, MAX_PIECES, Setup, StartPosition, Wing};
pub use targets::Targets;
pub use types::{BOARD, Bitboard, Piece, Player, Players, Role, SQUARES, at};

pub use fourfold_board::Square;
