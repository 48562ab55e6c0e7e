//! Environments by name, with their options as texts: for those who cannot name a type.

use std::fmt;

use crate::any::AnyBatch;
use crate::batch::Batch;
use crate::blokus::{self, Classic, Duo};
use crate::chess::{self, Chess};
use crate::error::NoMemory;
use crate::four_player::{self, FourPlayer};
use crate::game::Game;
use crate::kung_fu::{self, Eight, Twelve};
use crate::options::Options;

/// The names that [`make`] knows.
pub const NAMES: [&str; 6] =
    [Chess::NAME, FourPlayer::NAME, Classic::NAME, Duo::NAME, Eight::NAME, Twelve::NAME];

/// An environment by its name. The game's own options come as pairs of name and text.
///
/// ```
/// use fourfold_env::{Options, make};
/// let batch = make("chess", &[("preset", "pgx")], 8, Options::default())?;
/// assert_eq!(batch.id(), "chess-v1");
/// let error = make("chess", &[("preset", "pgn")], 8, Options::default()).err().unwrap();
/// assert_eq!(error.to_string(), "preset 'pgn' is none of fide, seed, pgx");
/// # Ok::<(), fourfold_env::MakeError>(())
/// ```
///
/// # Errors
/// If there is no such game or option, a text is none of the option's values, or there is no memory
/// for so many games.
pub fn make(
    name: &str,
    given: &[(&str, &str)],
    games: usize,
    options: Options,
) -> Result<Box<dyn AnyBatch>, MakeError> {
    match name {
        Chess::NAME => batch::<Chess>(chess::Rules::from_options(given)?, games, options),
        FourPlayer::NAME => {
            batch::<FourPlayer>(four_player::Rules::from_options(given)?, games, options)
        }
        Classic::NAME => batch::<Classic>(blokus::Rules::<4>::from_options(given)?, games, options),
        Duo::NAME => batch::<Duo>(blokus::Rules::<2>::from_options(given)?, games, options),
        Eight::NAME => batch::<Eight>(kung_fu::Rules::<8>::from_options(given)?, games, options),
        Twelve::NAME => batch::<Twelve>(kung_fu::Rules::<12>::from_options(given)?, games, options),
        _ => Err(MakeError::Game { name: name.to_owned() }),
    }
}

/// Something to do with a batch whose game is not known.
pub trait Visit {
    /// What comes out of it.
    type Output;

    /// Does it.
    fn visit<G: Game>(self, batch: &Batch<G>) -> Self::Output;
}

/// Does something with a batch, whatever its game is, if [`make`] knows it.
pub fn visit<V: Visit>(batch: &dyn AnyBatch, visitor: V) -> Option<V::Output> {
    fn of<G: Game>(batch: &dyn AnyBatch) -> Option<&Batch<G>> {
        batch.as_any().downcast_ref()
    }
    if let Some(batch) = of::<Chess>(batch) {
        Some(visitor.visit(batch))
    } else if let Some(batch) = of::<FourPlayer>(batch) {
        Some(visitor.visit(batch))
    } else if let Some(batch) = of::<Classic>(batch) {
        Some(visitor.visit(batch))
    } else if let Some(batch) = of::<Duo>(batch) {
        Some(visitor.visit(batch))
    } else if let Some(batch) = of::<Eight>(batch) {
        Some(visitor.visit(batch))
    } else {
        of::<Twelve>(batch).map(|batch| visitor.visit(batch))
    }
}

fn batch<G: Game>(
    rules: G::Rules,
    games: usize,
    options: Options,
) -> Result<Box<dyn AnyBatch>, MakeError> {
    let batch = Batch::<G>::try_new(rules, games, options);
    Ok(Box::new(batch.map_err(MakeError::Memory)?))
}

/// Why an environment cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MakeError {
    /// There is no such game.
    Game {
        /// Its name.
        name: String,
    },
    /// The game has no such option.
    Option {
        /// The game.
        game: &'static str,
        /// The option.
        option: String,
        /// Those that it has.
        options: &'static [&'static str],
    },
    /// The option has no such value.
    Value {
        /// The option.
        option: &'static str,
        /// The text.
        value: String,
        /// What is expected.
        expected: String,
    },
    /// More games than there is memory for.
    Memory(NoMemory),
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MakeError::Game { name } => {
                let name = fourfold_board::shown(name);
                write!(f, "there is no environment '{name}', only {}", NAMES.join(", "))
            }
            MakeError::Option { game, option, options } => {
                let option = fourfold_board::shown(option);
                write!(f, "{game} has no option '{option}', only {}", options.join(", "))
            }
            MakeError::Memory(error) => error.fmt(f),
            MakeError::Value { option, value, expected } => {
                write!(f, "{option} '{}' is {expected}", fourfold_board::shown(value))
            }
        }
    }
}

impl std::error::Error for MakeError {}
