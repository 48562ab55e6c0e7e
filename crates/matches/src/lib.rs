//! Matches between bots, and estimates of their strength.
//!
//! A [`Match`] plays games between the levels of our bots and, in chess, UCI engines. Each opening
//! consists of random moves or comes from a file, and is played once with every player in every seat. With node budgets,
//! the same seed gives the same games on any number of threads. [`Standings`] adds up the results,
//! and [`Sprt`] decides early which of two differences in strength is more likely.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use fourfold_matches::{Match, Options, Standings};
//!
//! let players = ["greedy", "random"].map(str::to_owned);
//! let bot_match = Match::new(&players, Options::new("blokus-duo"))?;
//! let mut standings = Standings::new(bot_match.names().to_vec());
//! bot_match.play_all(0..2, 1, &AtomicBool::new(false), |played| {
//!     standings.add(&played);
//!     Ok(false)
//! })?;
//! assert_eq!(standings.first().games(), 2);
//! # Ok::<(), anyhow::Error>(())
//! ```

mod bot_match;
mod clock;
mod game_scores;
mod openings;
mod play;
mod player;
mod real_time;
mod statistics;
mod tally;

pub use bot_match::{Match, OptionError, Options};
pub use game_scores::GameScores;
pub use play::{Effort, Played};
pub use statistics::{Interval, Sprt, Tally};
pub use tally::{PlayerResult, Standings};
