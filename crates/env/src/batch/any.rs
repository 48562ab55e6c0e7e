//! The game-independent interfaces of a batch: [`AnyBatch`] is what steps need, [`DescribedBatch`]
//! what people need.

use std::any::Any;
use std::ops::Range;

use crate::batch::bytes::LoadError;
use crate::batch::error::StepError;
use crate::batch::outputs::{ObservationRows, Outputs};
use crate::batch::players::Player;
use crate::batch::rollout::Rollout;
use crate::batch::stop::{Stop, never};
use crate::captions::{ActionPlace, Caption};
use crate::game::{ArraySpec, Spec};
use crate::options::Options;
use crate::random::Seeds;

/// A batch of games of any kind: stepping, observing, seeding, and states as bytes.
pub trait AnyBatch: Send + Sync {
    /// Returns the environment's name and version, for example `chess-v2`.
    fn id(&self) -> String;

    /// Returns the sizes of the game: players, actions, observations.
    fn spec(&self) -> &Spec;

    /// Returns the reasons why a game can end: those of the rules, then illegal actions.
    fn endings(&self) -> Vec<&'static str>;

    /// Returns the options of the batch with defaults filled in: `illegal` is never `None`.
    fn options(&self) -> Options;

    /// Returns the number of games.
    fn games(&self) -> usize;

    /// Restarts all games. A seed also restarts their random streams.
    fn reset(&mut self, seed: Option<u64>);

    /// Restarts the games where `mask` is true.
    ///
    /// # Errors
    /// Returns an error if the length differs from the number of games; then nothing changes.
    fn reset_where(&mut self, mask: &[bool]) -> Result<(), StepError>;

    /// Restarts the random streams of all games, and nothing else.
    ///
    /// # Errors
    /// Returns an error if the number of seeds differs from the number of games; then nothing
    /// changes.
    fn reseed(&mut self, seeds: Seeds<'_>) -> Result<(), StepError>;

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
    /// Returns an error if there is no such player, or a buffer does not have one row for each game.
    fn observe(&mut self, player: Option<usize>, out: ObservationRows<'_>)
    -> Result<(), StepError>;

    /// Returns the games that ended in the latest step, in ascending order.
    fn ended_games(&self) -> Vec<usize>;

    /// Writes the final observations of the [games that ended](AnyBatch::ended_games) in the latest
    /// step, one row for each of them. They are kept only if finished games restart in the same
    /// step; otherwise nothing is written.
    ///
    /// # Errors
    /// Returns an error if a buffer does not have one row for each of these games.
    fn final_observations(&self, out: ObservationRows<'_>) -> Result<(), StepError>;

    /// Unpacks packed observations of any number of rows to floats, channels last. `scalars` are
    /// those that channels show. Channels with values on individual squares are 0.
    ///
    /// # Errors
    /// Returns an error if the slices do not have the same number of rows.
    fn unpack(&mut self, planes: &[u8], scalars: &[f32], out: &mut [f32]) -> Result<(), StepError>;

    /// Draws a uniformly random legal action for each game (one per player in simultaneous games).
    /// Without a seed, the numbers come from the games' own streams, which advance. The action is
    /// the one at index `⌊u · count⌋` of the legal actions in ascending order, where `u` is the next
    /// number of the stream.
    ///
    /// # Errors
    /// Returns an error if the number of actions differs.
    fn sample(&mut self, seed: Option<u64>, out: &mut [i32]) -> Result<(), StepError>;

    /// Draws legal actions like [`AnyBatch::sample`], but with probabilities proportional to
    /// `exp(logit / temperature)`; a temperature of 0 chooses among the largest logits. There is
    /// one logit for each action of each row; those of illegal actions are ignored.
    ///
    /// # Errors
    /// Returns an error if a length differs, or the temperature is negative or not finite.
    fn sample_logits(
        &mut self,
        logits: &[f32],
        temperature: f32,
        seed: Option<u64>,
        out: &mut [i32],
    ) -> Result<(), StepError>;

    /// Converts the acting players' action ids to the first player's view, in place. Ids out of
    /// range are left unchanged.
    fn absolute(&self, ids: &mut [i32]);

    /// Converts action ids from the first player's view to those of the acting players, in place.
    /// Ids out of range are left unchanged.
    fn relative(&self, ids: &mut [i32]);

    /// Plays whole games with random actions.
    fn rollout(&mut self, games: Range<u64>, seed: u64) -> Rollout;

    /// Returns the size of a state in bytes, which depends only on the game.
    fn state_bytes(&self) -> usize;

    /// Writes the states of these games as bytes, one after another. A state includes the status
    /// of the game, but not its random stream.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or the buffer does not fit.
    fn write_states(&self, games: &[usize], out: &mut [u8]) -> Result<(), StepError>;

    /// Replaces these games with states from [`AnyBatch::write_states`]. Random streams stay.
    ///
    /// # Errors
    /// Returns an error if there is no such game, the number of bytes does not fit, or a state is
    /// not valid; then nothing changes.
    fn load_states(&mut self, games: &[usize], states: &[u8]) -> Result<(), StepError>;

    /// Serializes the whole batch.
    fn save(&self) -> Vec<u8>;

    /// Restores a batch from the bytes of [`AnyBatch::save`].
    ///
    /// # Errors
    /// Returns an error if the bytes are not a saved batch, or come from another environment; then
    /// nothing changes.
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError>;

    /// Returns the batch for downcasting to [`Batch`](crate::Batch).
    fn as_any(&self) -> &dyn Any;
}

/// A batch of games with positions and moves as text, names and captions, as used by the Python
/// bindings and the arena.
pub trait DescribedBatch: AnyBatch {
    /// Returns an exact copy of the batch, with the same random streams.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory.
    fn duplicate(&self) -> Result<Box<dyn DescribedBatch>, StepError>;

    /// Returns a batch with copies of these games, in this order. If a game is listed several times,
    /// the first copy keeps its random stream, and the others get new ones.
    ///
    /// # Errors
    /// Returns an error if there is no such game, or not enough memory.
    fn gather(&self, games: &[usize]) -> Result<Box<dyn DescribedBatch>, StepError>;

    /// Replaces these games with copies of the games of another batch. Random streams stay.
    ///
    /// # Errors
    /// Returns an error if there is no such game, the number of games differs, or the other batch
    /// has another game or other rules; then nothing changes.
    fn scatter(&mut self, games: &[usize], from: &dyn AnyBatch) -> Result<(), StepError>;

    /// Restarts games from positions, one text for each game of the batch: all games, or those where
    /// `mask` is true. A game that is already over in its position counts as finished.
    ///
    /// # Errors
    /// Returns an error if a text is not a valid position or a length differs from the number of
    /// games; then nothing changes.
    fn reset_to(&mut self, mask: Option<&[bool]>, positions: &[&str]) -> Result<(), StepError>;

    /// Sets the positions that games start from; each new game draws one of them. An empty slice
    /// restores the game's standard start.
    ///
    /// # Errors
    /// Returns an error if a text is not a valid position or the game is over there; then nothing
    /// changes.
    fn set_starts(&mut self, starts: &[&str]) -> Result<(), StepError>;

    /// Returns the positions in the game's notation.
    fn texts(&self) -> Vec<String>;

    /// Returns the names of the observation channels, in order.
    fn channel_names(&self) -> Vec<Caption>;

    /// Returns the names of the planes on which actions are drawn.
    fn action_planes(&self) -> Vec<Caption>;

    /// Returns where an action is drawn on these planes, or `None` if it does not belong to a
    /// square.
    fn action_place(&self, action: i32) -> Option<ActionPlace>;

    /// Returns the arrays that expose the raw state.
    fn arrays(&self) -> &'static [ArraySpec];

    /// Reads one of [`DescribedBatch::arrays`] for all games.
    ///
    /// # Errors
    /// Returns an error if there is no array of that name, or the buffer does not fit.
    fn array(&self, name: &str, out: &mut [i32]) -> Result<(), StepError>;

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
    /// the action; without a seed, on the random streams of the games that it is asked about, which
    /// advance.
    ///
    /// # Errors
    /// Returns an error if a length differs, or the player fails to choose a legal move.
    fn ask(
        &mut self,
        player: &dyn Player,
        seed: Option<u64>,
        mask: Option<&[bool]>,
        out: &mut [i32],
    ) -> Result<(), StepError>;

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
    ) -> Result<Rollout, StepError> {
        self.play_games_with_stop(players, games, seed, &never)
    }

    /// Like [`DescribedBatch::play_games`], but can be stopped between two steps of a game. Players
    /// must stop by themselves.
    ///
    /// # Errors
    /// Returns [`StepError::Stopped`] if it was stopped, and the errors of
    /// [`DescribedBatch::play_games`].
    fn play_games_with_stop(
        &mut self,
        players: &[Option<&dyn Player>],
        games: Range<u64>,
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Rollout, StepError>;
}
