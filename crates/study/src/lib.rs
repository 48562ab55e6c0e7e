//! What can be said about a chess position, in one pass over its men: who is attacked, hanging,
//! pinned, skewered, how the pawns stand, what exchanges win, which moves fork.
//!
//! Every fact is a set of squares, every count a number of bits. Nothing is kept: who asks twice
//! computes twice, unless a table keeps the answer.
//!
//! ```
//! use fourfold_chess::{Color, Position, at};
//! use fourfold_study::Analysis;
//!
//! // The knight on c7 forks king and rook, and nobody defends the bishop on g4.
//! let position = Position::from_fen("r3k3/2N5/8/8/6b1/7P/8/4K3 b - - 0 1")?;
//! let analysis = Analysis::of(&position);
//! assert!(analysis.of_color(Color::Black).hanging.contains(at("g4")));
//! assert_eq!(analysis.of_color(Color::White).material, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The definitions stand in `docs/analysis.md`, each with an example that the tests run.

mod counts;
mod facts;
mod look;
mod moves;
mod pawns;
mod rays;

pub use facts::{Analysis, Facts, PawnFacts, SideFacts};
pub use rays::{Blockers, XRay, attack_map, mobility, x_rays};
