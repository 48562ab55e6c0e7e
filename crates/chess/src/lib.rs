//! Chess and Chess960: exact rules, direct generation of legal moves, and the common notations.
//!
//! A [`Setup`] is any arrangement of pieces. [`Setup::validate`] turns it into a [`Position`],
//! which can be played. Moves come from a position, by generation or by parsing:
//!
//! ```
//! use fourfold_chess::{Position, Role};
//!
//! let position = Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")?;
//! let moves = position.legal_moves();
//! assert_eq!(moves.len(), 48);
//! let captures = moves.iter().filter(|&&mv| position.captured(mv).is_some()).count();
//! assert_eq!(captures, 8);
//! let castling = position.parse_san("O-O-O")?;
//! assert_eq!(castling.uci(position.variant()), "e1c1");
//! assert_eq!(position.after(castling).board().pieces(position.turn(), Role::King).len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rules are specified in `docs/rules/chess.md`; each has an example that the tests run.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

pub mod attacks;
mod board;
mod deprecated;
mod ending;
mod exchange;
mod fen;
mod movegen;
mod moves;
mod perft;
#[cfg(feature = "std")]
pub mod pgn;
mod play;
mod position;
mod random_walk;
mod refusal;
mod san;
mod setup;
mod side;
mod sink;
mod targets;
mod types;
mod uci;
mod zobrist;

pub use board::Board;
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{IllegalMove, InvalidSetup, Standing};
pub use ending::{Ending, History};
pub use exchange::Exchanges;
pub use fen::{FenField, ParseFenError};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use perft::{perft, perft_by_playing, perft_with_stop};
pub use play::IllegalMoveError;
pub use position::Position;
pub use random_walk::random_walk;
pub use refusal::{PlacedPiece, Refusal};
pub use setup::{Fault, InvalidSetupError, Setup};
pub use sink::{Each, MoveSink};
pub use targets::{TARGET_LANES, TargetSink};
pub use types::{BOARD, Bitboard, Color, Piece, Role, Variant, Wing, at};
pub use uci::ParseMoveError;

pub use fourfold_board::Square;

/// Compiles and runs the Rust code in the README along with the doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
