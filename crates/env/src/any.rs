//! The game-independent interface of a batch.

use std::any::Any;
use std::ops::Range;

use crate::bytes::LoadError;
use crate::captions::{ActionPlace, Caption};
use crate::error::StepError;
use crate::game::Spec;
use crate::options::Options;
use crate::outputs::{ObservationRows, Outputs};
use crate::players::Player;
use crate::rollout::Rollout;

/// A batch of games of any kind, as used by the Python bindings and the arena.
pub trait AnyBatch: Send + Sync {
    /// Returns the environment's name and version, for example `chess-v1`.
    fn id(&self) -> String;

    /// Returns the sizes of the game: players, actions, observations.
    fn spec(&self) -> &Spec;

    /// Returns the options of the batch with defaults filled in: `illegal` is never `None`.
    fn options(&self) -> Options;

    /// Returns the number of games.
    fn games(&self) -> usize;

    /// Restarts all games. A seed also restarts their random streams.
    fn reset(&mut self, seed: Option<u64>);

    /// Restarts the games where `mask` is true, or all games without a mask. If `positions` is
    /// given, with one text for each game of the batch, they start from there; a game that is
    /// already over in its position counts as finished.
    ///
    /// # Errors
    /// Returns an error if a text is not a valid position or a length differs from the number of
    /// games; then nothing changes.
    fn reset_some(
        &mut self,
        mask: Option<&[bool]>,
        positions: Option<&[&str]>,
    ) -> Result<(), StepError>;

    /// Sets the positions that games start from; each new game draws one of them. An empty slice
    /// restores the game's standard start.
    ///
    /// # Errors
    /// Returns an error if a text is not a valid position or the game is over there; then nothing
    /// changes.
    fn set_starts(&mut self, starts: &[&str]) -> Result<(), StepError>;

    /// Plays one action in each game (one per player in simultaneous games) and fills the outputs.
    /// Returns the number of games that ended.
    ///
    /// # Errors
    /// Returns an error if a length or buffer does not fit, or if an action is illegal and the
    /// option is [`Illegal::Error`](crate::Illegal::Error); then nothing changes.
    fn step(&mut self, actions: &[i32], out: Outputs<'_>) -> Result<usize, StepError>;

    /// Fills the outputs from the current state, without a step.
    ///
    /// # Errors
    /// Returns an error if a buffer does not have one row for each game.
    fn write_outputs(&mut self, out: Outputs<'_>) -> Result<(), StepError>;

    /// Writes the observations of `player`. Without one, writes those of the acting player, or of
    /// all players in simultaneous games.
    ///
    /// # Errors
    /// Returns an error if there is no such player. [`Batch`](crate::Batch) panics if a buffer is
    /// too small.
    fn observe(&self, player: Option<usize>, out: ObservationRows<'_>) -> Result<(), StepError>;

    /// Writes the final observations of the games that ended in the latest step; other rows are
    /// left unchanged.
    ///
    /// # Errors
    /// [`Batch`](crate::Batch) never returns an error; it panics if a buffer is too small.
    fn final_observations(&self, out: ObservationRows<'_>) -> Result<(), StepError>;

    /// Draws a uniformly random legal action for each game (one per player in simultaneous games).
    /// Without a seed, the numbers come from the games' own streams, which advance.
    fn sample(&mut self, seed: Option<u64>, out: &mut [i32]);

    /// Returns the positions in the game's notation.
    fn texts(&self) -> Vec<String>;

    /// Returns the names of the observation channels, in order.
    fn channel_names(&self) -> Vec<Caption>;

    /// Returns the names of the planes on which actions are drawn.
    fn action_planes(&self) -> Vec<Caption>;

    /// Returns where an action is drawn on these planes, or `None` if it does not belong to a
    /// square.
    fn action_place(&self, action: i32) -> Option<ActionPlace>;

    /// Reads one of the arrays in [`Spec::arrays`] for all games.
    ///
    /// # Errors
    /// Returns an error if there is no array of that name, or the buffer does not fit.
    fn array(&self, name: &str, out: &mut [i32]) -> Result<(), StepError>;

    /// Converts the acting players' action ids to the first player's view, in place. Ids out of
    /// range are left unchanged.
    fn absolute(&self, ids: &mut [i32]);

    /// Converts action ids from the first player's view to those of the acting players, in place.
    /// Ids out of range are left unchanged.
    fn relative(&self, ids: &mut [i32]);

    /// Writes actions in move notation: one per game, or one per player in simultaneous games.
    ///
    /// # Errors
    /// Returns an error if the number of actions differs, or an action does not denote a move in
    /// its game.
    fn write_actions(&self, actions: &[i32]) -> Result<Vec<String>, StepError>;

    /// Parses moves to actions: one per game, or one per player in simultaneous games.
    ///
    /// # Errors
    /// Returns an error if the number of texts differs, or a text is not a legal move in its game.
    fn read_actions(&self, texts: &[&str]) -> Result<Vec<i32>, StepError>;

    /// Asks a player for an action in each game, or only where `mask` is true; other entries become
    /// −1. In a finished game the action is 0, since all are allowed. The player receives the
    /// current positions without earlier moves. Its randomness depends on the seed and the index of
    /// the action.
    ///
    /// # Errors
    /// Returns an error if a length differs, or the player fails to choose a legal move.
    fn ask(
        &mut self,
        player: &dyn Player,
        seed: u64,
        mask: Option<&[bool]>,
        out: &mut [i32],
    ) -> Result<(), StepError>;

    /// Plays whole games with random actions.
    fn rollout(&mut self, games: Range<u64>, seed: u64) -> Rollout;

    /// Plays whole games between players, one entry per player. Players receive all moves; where an
    /// entry is `None`, actions are random.
    ///
    /// # Errors
    /// Returns an error if the number of players differs, or one fails to choose a legal move.
    fn play_games(
        &mut self,
        players: &[Option<&dyn Player>],
        games: Range<u64>,
        seed: u64,
    ) -> Result<Rollout, StepError>;

    /// Serializes the whole batch.
    fn save(&self) -> Vec<u8>;

    /// Restores a batch from the bytes of [`AnyBatch::save`].
    ///
    /// # Errors
    /// Returns an error if the bytes are not a saved batch, or come from another environment; then
    /// nothing changes.
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError>;

    /// Returns a batch with copies of these games, in this order.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or not enough memory.
    fn gather(&self, games: &[usize]) -> Result<Box<dyn AnyBatch>, StepError>;

    /// Replaces these games with copies of the games of another batch.
    ///
    /// # Errors
    /// Returns an error if there is no such game, the number of games differs, or the other batch
    /// has another game or other rules; then nothing changes.
    fn scatter(&mut self, games: &[usize], from: &dyn AnyBatch) -> Result<(), StepError>;

    /// Returns the batch for downcasting to [`Batch`](crate::Batch).
    fn as_any(&self) -> &dyn Any;
}
