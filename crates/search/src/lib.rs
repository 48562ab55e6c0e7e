//! Batched tree search over any game of `env`: it knows none by name.
//!
//! Walks go down by PUCT with a value for each player, so that two and four players are one code; where
//! all players act at once, each chooses for itself from what it has seen of its own actions. Leaves of
//! many games are handed out in one call and come back with logits and values:
//!
//! ```
//! use fourfold_env::chess::{Chess, Rules};
//! use fourfold_env::{AnyBatch, Batch, Options as Play, Outputs};
//! use fourfold_search::{Logits, Options, Search, Uniform};
//!
//! let mut batch = Batch::<Chess>::new(Rules::FIDE, 2, Play::default());
//! let fool = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
//! batch.reset_some(None, Some(&[fool, fool]))?;
//! let mut search = Search::<Chess>::new(Rules::FIDE, 2, Options::new(200))?;
//! // A network would look at the leaves here.
//! while search.leaves(|game| batch.state(game))? > 0 {
//!     let count = search.waiting().count();
//!     search.backup(Logits::Dense(&vec![0.0; count * 4672]), &vec![0.0; count * 2])?;
//! }
//! let mut actions = [0; 2];
//! search.actions(0.0, &mut actions)?;
//! assert_eq!(batch.write_actions(&actions)?, ["d8h4", "d8h4"]);
//! batch.step(&actions, Outputs::none())?;
//!
//! // Or an evaluator is given, and nothing is handed out.
//! search.run(|game| batch.state(game), &Uniform::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What a node costs is in [`Memory`]. Results follow from the seed alone, whatever the number of
//! threads.

mod any;
mod error;
mod evaluate;
mod gumbel;
#[cfg(test)]
mod laws;
mod options;
mod random;
mod search;
mod seeker;
mod select;
mod tree;

pub use any::{AnySearch, Evaluator, search};
pub use error::SearchError;
pub use evaluate::{Evaluate, Leaf, Playouts, Uniform};
pub use options::{Noise, Options, Untried};
pub use search::{Logits, Memory, Search};
pub use seeker::Tried;
