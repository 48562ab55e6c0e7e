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

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(not(feature = "std"), allow(dead_code, unused_imports, reason = "for batches"))]

extern crate alloc;

#[cfg(feature = "std")]
mod batch;
pub mod blokus;
mod captions;
pub mod chess;
mod device;
pub mod four_player;
mod game;
mod history;
pub mod kung_fu;
mod layout;
mod legal;
mod legal_and_status;
mod make_error;
mod option_values;
mod options;
mod random;
mod rewards;
mod row;
mod softmax;

#[cfg(feature = "std")]
pub use batch::{
    AnyBatch, AnyRowGames, Batch, DescribedBatch, Entry, GAMES, LoadError, MaskRows, MaskView,
    MoveRequest, NAMES, ObservationRows, OutOfMemory, OutputGame, Outputs, Player, Pool, Rollout,
    RowOutputs, Rows, StepError, Stop, ValueRows, Visit, conformance, make, never, row_games,
    sample_masks, visit, write_outputs,
};
#[cfg(feature = "std")]
#[allow(deprecated, reason = "former names, for one release")]
pub use batch::{Asked, NoMemory, Place, Seats};
pub use captions::{ActionPlace, Caption};
pub use device::DeviceGame;
pub use game::{
    Action, ArraySpec, Describe, Game, MAX_PLAYERS, PlainStatus, PlayerSet, Spec, Stage, Status,
};
pub use layout::{Channel, Layout, Value};
pub use legal::{ActionSink, Legal};
pub use legal_and_status::{apply_to, legal_and_status};
pub use make_error::MakeError;
pub use options::{Autoreset, Illegal, Options, View};
#[cfg(feature = "std")]
pub use random::entropy;
pub use random::{Seeds, Stream};
pub use row::RowTail;
pub use softmax::Softmax;
