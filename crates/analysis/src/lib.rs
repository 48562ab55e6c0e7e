//! Static analysis of chess positions: attacked, hanging, pinned and skewered pieces, pawn
//! structure, exchange values of captures, and forks.
//!
//! Most facts are bitboards, computed in one pass over the pieces. Nothing is cached here;
//! `fourfold_table::ChessTable` caches the analysis of its current position.
//!
//! ```
//! use fourfold_chess::{Color, Position, at};
//! use fourfold_analysis::Analysis;
//!
//! // The knight on c7 forks king and rook, and the bishop on g4 is undefended.
//! let position = Position::from_fen("r3k3/2N5/8/8/6b1/7P/8/4K3 b - - 0 1")?;
//! let analysis = Analysis::of(&position);
//! assert!(analysis.side(Color::Black).hanging.contains(at("g4")));
//! assert_eq!(analysis.side(Color::White).material, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The definitions are in `docs/analysis.md`, each with an example that the tests run.

mod attack_counts;
mod facts;
mod moves;
mod pawns;
mod per_piece;
mod scan;

pub use facts::{Analysis, FactGroups, PawnFacts, SideFacts};
pub use per_piece::{Blockers, XRay, attack_map, mobility, x_rays};

/// The former name of [`FactGroups`].
#[deprecated(note = "renamed to `FactGroups`")]
pub type Facts = FactGroups;
