//! Batched Monte Carlo tree search over any game of the `env` crate.
//!
//! Simulations select actions by PUCT and back up one value per player, so the same code serves two
//! and four players. In games with simultaneous moves, each player selects independently, from the
//! statistics of its own actions. The leaves of many games are returned by one call, to be
//! evaluated together with logits and values:
//!
//! ```
//! use fourfold_env::chess::{Chess, Rules};
//! use fourfold_env::{AnyBatch, Batch, DescribedBatch, Options as Play, Outputs};
//! use fourfold_search::{AnySearch, Logits, Options, Search, Uniform};
//!
//! let mut batch = Batch::<Chess>::new(Rules::FIDE, 2, Play::default());
//! let fool = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
//! batch.reset_to(None, &[fool, fool])?;
//! let mut search = Search::<Chess>::new(Rules::FIDE, 2, Options::new(200))?;
//! // A network would evaluate the leaves here.
//! while search.leaves(|game| batch.state(game))? > 0 {
//!     let count = search.pending_leaves().count();
//!     search.backup(Logits::Dense(&vec![0.0; count * 4672]), &vec![0.0; count * 2])?;
//! }
//! let mut actions = [0; 2];
//! search.actions(0.0, &mut actions)?;
//! assert_eq!(batch.write_actions(&actions)?, ["d8h4", "d8h4"]);
//! batch.step(&actions, Outputs::none())?;
//!
//! // Or pass an evaluator to the search.
//! search.run(|game| batch.state(game), &Uniform::default())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Memory`] reports how much memory the trees use. Results depend only on [`Options::seed`], not on
//! the number of threads; [`Options::new`] takes the seed from the operating system.

mod any;
mod error;
mod evaluate;
mod game_search;
mod gumbel;
mod options;
mod random;
mod search;
mod select;
#[cfg(test)]
mod tests;

pub use any::{AnySearch, Evaluator, search};
pub use error::SearchError;
pub use evaluate::{Evaluate, Leaf, Playouts, Uniform};
pub use game_search::ActionStats;
pub use options::{FirstPlayUrgency, Noise, Options};
pub use search::{Logits, Memory, Search};
