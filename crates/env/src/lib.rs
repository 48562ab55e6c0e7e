//! Batched game environments for reinforcement learning: one call steps a whole batch. Actions are
//! ids; legal-action masks, observations and random streams are provided for every game.
//!
//! ```
//! use fourfold_env::chess::{Chess, Rules};
//! use fourfold_env::{AnyBatch, Batch, DescribedBatch, Options, Outputs};
//!
//! let mut batch = Batch::<Chess>::new(Rules::default(), 64, Options::default());
//! batch.reset(Some(7));
//! let mut actions = vec![0; 64];
//! for _ in 0..100 {
//!     batch.sample(None, &mut actions)?;
//!     batch.step(&actions, Outputs::none())?;
//! }
//! assert_eq!(batch.texts().len(), 64);
//! # Ok::<(), fourfold_env::StepError>(())
//! ```
//!
//! Results depend only on the seed, not on the number of threads or the size of the batch.

mod any;
mod batch;
pub mod blokus;
mod bytes;
mod captions;
pub mod chess;
mod chunk;
mod conformance;
mod deprecated;
mod described;
mod draw;
mod error;
pub mod four_player;
mod game;
mod history;
pub mod kung_fu;
mod layout;
mod legal;
mod legal_and_status;
mod make;
mod option_values;
mod options;
mod outputs;
mod players;
mod pool;
mod random;
mod rewards;
mod rollout;
mod stop;
mod unpack;
mod write_outputs;

pub use any::{AnyBatch, DescribedBatch};
pub use batch::Batch;
pub use bytes::LoadError;
pub use captions::{ActionPlace, Caption};
pub use conformance::conformance;
#[allow(deprecated, reason = "former names, for one release")]
pub use deprecated::{Asked, NoMemory, Place, Seats};
pub use error::{OutOfMemory, StepError};
pub use game::{Action, ArraySpec, Describe, Game, MAX_PLAYERS, PlayerSet, Spec, Stage, Status};
pub use layout::{Channel, Layout, Value};
pub use legal::{Legal, LegalList};
pub use legal_and_status::{apply_to, legal_and_status};
pub use make::{Entry, GAMES, MakeError, NAMES, Visit, make, visit};
pub use options::{Autoreset, Illegal, Options, View};
pub use outputs::{MaskRows, ObservationRows, Outputs, Rows, ValueRows};
pub use players::{MoveRequest, Player};
pub use pool::Pool;
pub use random::{Seeds, Stream, entropy};
pub use rollout::Rollout;
pub use stop::{Stop, never};
pub use write_outputs::{OutputGame, write_outputs};
