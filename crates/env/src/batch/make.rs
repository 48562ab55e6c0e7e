//! The registry of games: environments by name, with options as strings, for callers that cannot
//! name the type.

use crate::batch::Batch;
use crate::batch::any::{AnyBatch, DescribedBatch};
use crate::blokus::{self, Classic, Duo};
use crate::chess::{self, Chess};
use crate::four_player::{self, FourPlayer};
use crate::game::{Describe, Game};
use crate::kung_fu::{self, Eight, Twelve};
use crate::make_error::MakeError;
use crate::options::Options;

/// Creates a batch from the options of a game, the number of games, and the options of a batch.
type Make = fn(&[(&str, &str)], usize, Options) -> Result<Box<dyn DescribedBatch>, MakeError>;

/// An environment that [`make`] can create.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name of the environment.
    pub name: &'static str,
    /// The version of its behavior.
    pub version: u32,
    /// The names of its options.
    pub options: &'static [&'static str],
    make: Make,
}

/// Lists every game once: its type, the names of its options, and the function that reads them.
macro_rules! games {
    ($($game:ty: $options:expr, $rules:expr;)+) => {
        /// Every environment, in the order in which lists show them.
        pub static GAMES: &[Entry] = &[$(Entry {
            name: <$game>::NAME,
            version: <$game>::VERSION,
            options: $options,
            make: |given, games, options| {
                Ok(Box::new(Batch::<$game>::try_new($rules(given)?, games, options)?))
            },
        }),+];

        /// The environment names that [`make`] accepts.
        pub const NAMES: [&str; [$(<$game>::VERSION),+].len()] = [$(<$game>::NAME),+];

        /// Runs an operation on a batch. Returns `None` if [`make`] does not know its game.
        pub fn visit<V: Visit>(batch: &dyn AnyBatch, visitor: V) -> Option<V::Output> {
            $(if let Some(batch) = batch.as_any().downcast_ref::<Batch<$game>>() {
                return Some(visitor.visit(batch));
            })+
            None
        }
    };
}

games! {
    Chess: &chess::OPTIONS, chess::Rules::from_options;
    FourPlayer: &four_player::OPTIONS, four_player::Rules::from_options;
    Classic: &blokus::CLASSIC_OPTIONS, blokus::Rules::<4>::from_options;
    Duo: &blokus::DUO_OPTIONS, blokus::Rules::<2>::from_options;
    Eight: kung_fu::OPTIONS, kung_fu::Rules::<8>::from_options;
    Twelve: &kung_fu::FOUR_PLAYER_OPTIONS, kung_fu::Rules::<12>::from_options;
}

/// Creates an environment by name. Options of the game are given as pairs of name and value.
///
/// ```
/// use fourfold_env::{Options, make};
/// let batch = make("chess", &[("preset", "pgx")], 8, Options::default())?;
/// assert_eq!(batch.id(), "chess-v2");
/// let error = make("chess", &[("preset", "pgn")], 8, Options::default()).err().unwrap();
/// assert_eq!(error.to_string(), "invalid preset 'pgn': expected one of fide, legacy, pgx");
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
) -> Result<Box<dyn DescribedBatch>, MakeError> {
    let entry = GAMES.iter().find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| MakeError::Game { name: name.to_owned() })?;
    (entry.make)(given, games, options)
}

/// An operation on a batch whose game type is not known at compile time.
pub trait Visit {
    /// The result of the operation.
    type Output;

    /// Runs the operation.
    fn visit<G: Describe>(self, batch: &Batch<G>) -> Self::Output;
}
