//! Environments by name, with options as strings, for callers that cannot name the type.

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

/// The environment names that [`make`] accepts.
pub const NAMES: [&str; 6] =
    [Chess::NAME, FourPlayer::NAME, Classic::NAME, Duo::NAME, Eight::NAME, Twelve::NAME];

/// Creates an environment by name. Options of the game are given as pairs of name and value.
///
/// ```
/// use fourfold_env::{Options, make};
/// let batch = make("chess", &[("preset", "pgx")], 8, Options::default())?;
/// assert_eq!(batch.id(), "chess-v1");
/// let error = make("chess", &[("preset", "pgn")], 8, Options::default()).err().unwrap();
/// assert_eq!(error.to_string(), "invalid preset 'pgn': expected one of fide, seed, pgx");
/// # Ok::<(), fourfold_env::MakeError>(())
/// ```
///
/// # Errors
/// Returns an error if there is no such game or option, a value is invalid, or there is not enough
/// memory for so many games.
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

/// An operation on a batch whose game type is not known at compile time.
pub trait Visit {
    /// The result of the operation.
    type Output;

    /// Runs the operation.
    fn visit<G: Game>(self, batch: &Batch<G>) -> Self::Output;
}

/// Runs an operation on a batch. Returns `None` if [`make`] does not know its game.
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

/// Why an environment could not be created.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MakeError {
    /// There is no environment of that name.
    Game {
        /// The unknown name.
        name: String,
    },
    /// The environment has no such option.
    Option {
        /// The name of the environment.
        game: &'static str,
        /// The unknown option.
        option: String,
        /// The options that exist.
        options: &'static [&'static str],
    },
    /// The value is not valid for the option.
    Value {
        /// The name of the option.
        option: &'static str,
        /// The value that was given.
        value: String,
        /// What is accepted, or why the value is not.
        expected: String,
    },
    /// There is not enough memory for so many games.
    Memory(NoMemory),
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MakeError::Game { name } => {
                let name = fourfold_common::quote_short(name);
                write!(f, "unknown environment '{name}': expected one of {}", NAMES.join(", "))
            }
            MakeError::Option { game, option, options } => {
                let option = fourfold_common::quote_short(option);
                let options = options.join(", ");
                write!(f, "unknown option '{option}' of {game}: expected one of {options}")
            }
            MakeError::Memory(error) => error.fmt(f),
            MakeError::Value { option, value, expected } => {
                write!(f, "invalid {option} '{}': {expected}", fourfold_common::quote_short(value))
            }
        }
    }
}

impl std::error::Error for MakeError {}
