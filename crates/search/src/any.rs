//! A search over any game, chosen at run time.

use fourfold_env::{AnyBatch, Batch, Game, MAX_PLAYERS, Outputs, Visit, visit};

use crate::error::SearchError;
use crate::evaluate::{Playouts, Uniform};
use crate::game_search::ActionStats;
use crate::options::Options;
use crate::search::{Logits, Memory, Search};

/// A built-in evaluator.
#[derive(Clone, Copy, Debug)]
pub enum Evaluator {
    /// [`Uniform`].
    Uniform(Uniform),
    /// [`Playouts`].
    Playouts(Playouts),
}

/// The dyn-compatible interface of [`Search`], used by the Python bindings. The methods are those
/// of [`Search`], except that they take the batch that the search was made for instead of states.
pub trait AnySearch: Send + Sync {
    /// See [`Search::leaves`].
    ///
    /// # Errors
    /// Returns an error if leaves are awaiting evaluation, or if this is not the batch the search
    /// was made for.
    fn leaves(&mut self, batch: &dyn AnyBatch) -> Result<usize, SearchError>;

    /// Returns the game index of each leaf awaiting evaluation.
    fn leaf_games(&self) -> Vec<i32>;

    /// See [`Search::show`].
    ///
    /// # Errors
    /// Returns an error if a buffer does not have one row per leaf.
    fn show(&mut self, out: Outputs<'_>) -> Result<(), SearchError>;

    /// See [`Search::backup`].
    ///
    /// # Errors
    /// Returns an error if no leaves are awaiting evaluation, the number of logits or values is
    /// wrong, or some are not finite.
    fn backup(&mut self, logits: Logits<'_>, values: &[f32]) -> Result<(), SearchError>;

    /// See [`Search::run`].
    ///
    /// # Errors
    /// Returns an error if leaves are awaiting evaluation, or if this is not the batch the search
    /// was made for.
    fn run(&mut self, batch: &dyn AnyBatch, evaluator: Evaluator) -> Result<(), SearchError>;

    /// See [`Search::tried`].
    fn tried(&self, game: usize, row: usize) -> Vec<ActionStats>;

    /// See [`Search::visits`].
    fn visits(&self, game: usize) -> u32;

    /// See [`Search::values`].
    fn values(&self, game: usize) -> [f32; MAX_PLAYERS];

    /// See [`Search::actions`].
    ///
    /// # Errors
    /// Returns an error if `out` has the wrong length, a game has not been searched, or the
    /// temperature is not a finite number that is at least 0.
    fn actions(&mut self, temperature: f32, out: &mut [i32]) -> Result<(), SearchError>;

    /// See [`Search::advance`].
    ///
    /// # Errors
    /// Returns an error if leaves are awaiting evaluation, the number of actions is wrong, or one
    /// of them is illegal.
    fn advance(&mut self, actions: &[i32]) -> Result<(), SearchError>;

    /// See [`Search::forget`].
    fn forget(&mut self);

    /// See [`Search::line`].
    fn line(&self, game: usize, longest: usize) -> Vec<String>;

    /// See [`Search::memory`].
    fn memory(&self) -> Memory;
}

/// Makes a search for the games of a batch. Returns `None` if the game is not one of the
/// environments that [`visit`] knows.
///
/// # Errors
/// Returns an error if an option is out of range.
pub fn search(
    batch: &dyn AnyBatch,
    options: Options,
) -> Option<Result<Box<dyn AnySearch>, SearchError>> {
    struct Make(Options);

    impl Visit for Make {
        type Output = Result<Box<dyn AnySearch>, SearchError>;

        fn visit<G: Game>(self, batch: &Batch<G>) -> Self::Output {
            let search = Search::<G>::new(batch.rules().clone(), batch.games(), self.0)?;
            Ok(Box::new(search))
        }
    }

    visit(batch, Make(options))
}

/// Returns the batch if it has the game, the rules and the size that the search was made for.
fn own<'a, G: Game>(
    search: &Search<G>,
    batch: &'a dyn AnyBatch,
) -> Result<&'a Batch<G>, SearchError> {
    let found = batch.as_any().downcast_ref::<Batch<G>>();
    let fits = |batch: &&Batch<G>| {
        batch.games() == search.games() && batch.rules().to_string() == search.rules().to_string()
    };
    found.filter(fits).ok_or_else(|| SearchError::OtherBatch {
        expected: format!("{} games of {}-v{}", search.games(), G::NAME, G::VERSION),
        found: format!("{} games of {}", batch.games(), batch.id()),
    })
}

impl<G: Game> AnySearch for Search<G> {
    fn leaves(&mut self, batch: &dyn AnyBatch) -> Result<usize, SearchError> {
        let batch = own(self, batch)?;
        Search::leaves(self, |game| batch.state(game))
    }

    fn leaf_games(&self) -> Vec<i32> {
        self.waiting().map(|leaf| leaf.game() as i32).collect()
    }

    fn show(&mut self, out: Outputs<'_>) -> Result<(), SearchError> {
        Search::show(self, out)
    }

    fn backup(&mut self, logits: Logits<'_>, values: &[f32]) -> Result<(), SearchError> {
        Search::backup(self, logits, values)
    }

    fn run(&mut self, batch: &dyn AnyBatch, evaluator: Evaluator) -> Result<(), SearchError> {
        let batch = own(self, batch)?;
        match evaluator {
            Evaluator::Uniform(uniform) => Search::run(self, |game| batch.state(game), &uniform),
            Evaluator::Playouts(playouts) => Search::run(self, |game| batch.state(game), &playouts),
        }
    }

    fn tried(&self, game: usize, row: usize) -> Vec<ActionStats> {
        Search::tried(self, game, row)
    }

    fn visits(&self, game: usize) -> u32 {
        Search::visits(self, game)
    }

    fn values(&self, game: usize) -> [f32; MAX_PLAYERS] {
        Search::values(self, game)
    }

    fn actions(&mut self, temperature: f32, out: &mut [i32]) -> Result<(), SearchError> {
        Search::actions(self, temperature, out)
    }

    fn advance(&mut self, actions: &[i32]) -> Result<(), SearchError> {
        Search::advance(self, actions)
    }

    fn forget(&mut self) {
        Search::forget(self);
    }

    fn line(&self, game: usize, longest: usize) -> Vec<String> {
        Search::line(self, game, longest)
    }

    fn memory(&self) -> Memory {
        Search::memory(self)
    }
}
