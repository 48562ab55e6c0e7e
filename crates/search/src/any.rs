//! A search over any game, chosen at run time.

use fourfold_env::{AnyBatch, Batch, Describe, MAX_PLAYERS, Outputs, Stop, Visit, never, visit};

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

/// The part of the interface of [`Search`] that does not depend on the game.
pub trait AnySearch: Send + Sync {
    /// See [`Search::leaves`].
    ///
    /// # Errors
    /// Returns an error if leaves are awaiting evaluation, or if this is not the batch the search
    /// was made for.
    fn leaves(&mut self, batch: &dyn AnyBatch) -> Result<usize, SearchError> {
        self.leaves_with_stop(batch, &never)
    }

    /// Like [`AnySearch::leaves`], but can be stopped between two simulations. The next call
    /// continues where it stopped, with the same result.
    ///
    /// # Errors
    /// Returns [`SearchError::Stopped`] if it was stopped, and the errors of [`AnySearch::leaves`].
    fn leaves_with_stop(
        &mut self,
        batch: &dyn AnyBatch,
        stop: Stop<'_>,
    ) -> Result<usize, SearchError>;

    /// Returns the game index of each leaf awaiting evaluation.
    fn leaf_games(&self) -> Vec<i32>;

    /// Writes masks, observations and acting players of the leaves awaiting evaluation, in the
    /// format in which a batch writes those of its games.
    ///
    /// # Errors
    /// Returns an error if a buffer does not have one row per leaf.
    fn write_outputs(&mut self, out: Outputs<'_>) -> Result<(), SearchError>;

    /// Backs up the logits and values of the leaves awaiting evaluation, given in their order.
    /// Logits of illegal actions are ignored. Values are the returns that each player can expect
    /// from the leaf on.
    ///
    /// # Errors
    /// Returns an error if no leaves are awaiting evaluation, the number of logits or values is
    /// wrong, or some are not finite. The leaves are then still awaiting evaluation.
    fn backup(&mut self, logits: Logits<'_>, values: &[f32]) -> Result<(), SearchError>;

    /// See [`Search::run`].
    ///
    /// # Errors
    /// Returns an error if leaves are awaiting evaluation, or if this is not the batch the search
    /// was made for.
    fn run(&mut self, batch: &dyn AnyBatch, evaluator: Evaluator) -> Result<(), SearchError> {
        self.run_with_stop(batch, evaluator, &never)
    }

    /// Like [`AnySearch::run`], but can be stopped. All trees are then forgotten.
    ///
    /// # Errors
    /// Returns [`SearchError::Stopped`] if it was stopped, and the errors of [`AnySearch::run`].
    fn run_with_stop(
        &mut self,
        batch: &dyn AnyBatch,
        evaluator: Evaluator,
        stop: Stop<'_>,
    ) -> Result<(), SearchError>;

    /// Checks that all games have been searched.
    ///
    /// # Errors
    /// Returns an error with the first game that has not.
    fn require_searched(&self) -> Result<(), SearchError>;

    /// Returns the actions of a game's root with their statistics: those of the acting player, or
    /// of player `row` if all act simultaneously. Empty if the game is over.
    fn root_actions(&self, game: usize, row: usize) -> Vec<ActionStats>;

    /// Returns the number of visits of a game's root, including its evaluation.
    fn visits(&self, game: usize) -> u32;

    /// Returns the mean return of each player from a game's root on.
    fn values(&self, game: usize) -> [f32; MAX_PLAYERS];

    /// Chooses an action for each acting player of each game, with probabilities that follow the
    /// visits and the temperature. At temperature 0 it is the most visited action. With Gumbel
    /// noise it is the winner of sequential halving at any temperature. Where a game is over, the
    /// action is 0.
    ///
    /// # Errors
    /// Returns an error if `out` has the wrong length, a game has not been searched, or the
    /// temperature is not a finite number that is at least 0.
    fn actions(&mut self, temperature: f32, out: &mut [i32]) -> Result<(), SearchError>;

    /// Moves the root of each game to the state after these actions, and keeps that subtree. This
    /// is needed only if several steps are made between two searches, because a search recognizes
    /// the children of its last root.
    ///
    /// # Errors
    /// Returns an error if leaves are awaiting evaluation, the number of actions is wrong, or one
    /// of them is illegal. Nothing changes then.
    fn advance(&mut self, actions: &[i32]) -> Result<(), SearchError>;

    /// Forgets all trees and all leaves awaiting evaluation.
    fn clear(&mut self);

    /// Returns the most visited line of a game in notation, at most `longest` steps long. If all
    /// players act simultaneously, their actions are joined by spaces.
    fn line(&self, game: usize, longest: usize) -> Vec<String>;

    /// Returns the memory that the trees take.
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

        fn visit<G: Describe>(self, batch: &Batch<G>) -> Self::Output {
            let search = Search::<G>::new(batch.rules().clone(), batch.games(), self.0)?;
            Ok(Box::new(search))
        }
    }

    visit(batch, Make(options))
}

/// Returns the batch if it has the game, the rules and the size that the search was made for.
pub(crate) fn own<'a, G: Describe>(
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
