//! A batch of any game.

use std::any::Any;
use std::ops::Range;

use crate::bytes::LoadError;
use crate::error::StepError;
use crate::game::Spec;
use crate::options::Options;
use crate::outputs::{ObservationRows, Outputs};
use crate::pictures::{Caption, Place};
use crate::players::Player;
use crate::rollout::Rollout;

/// What Python and the arena need of a batch, whatever the game.
pub trait AnyBatch: Send + Sync {
    /// The environment's name and version, as in `chess-v1`.
    fn id(&self) -> String;

    /// The sizes.
    fn spec(&self) -> &Spec;

    /// How the batch behaves; nothing is left open.
    fn options(&self) -> Options;

    /// How many games there are.
    fn games(&self) -> usize;

    /// Starts all games anew; with a seed their random streams too.
    fn reset(&mut self, seed: Option<u64>);

    /// Starts some games anew, those where `mask` is true. With `positions`, one text for each game
    /// of the batch, they start there; a game that is over there stands as one that has ended.
    ///
    /// # Errors
    /// If a text is no position, or the numbers differ; then nothing changes.
    fn reset_some(
        &mut self,
        mask: Option<&[bool]>,
        positions: Option<&[&str]>,
    ) -> Result<(), StepError>;

    /// Sets where games start from now on; each start draws one of these texts. None: the game's own.
    ///
    /// # Errors
    /// If a text is no position, or the game is over there; then nothing changes.
    fn set_starts(&mut self, starts: &[&str]) -> Result<(), StepError>;

    /// Plays one action in each game (one for each player, where all act) and tells what came of it.
    /// Returns how many games ended.
    ///
    /// # Errors
    /// If an action is illegal and the option says so, or a buffer does not fit; then nothing
    /// changes.
    fn step(&mut self, actions: &[i32], out: Outputs<'_>) -> Result<usize, StepError>;

    /// Tells how the games stand, without a step.
    ///
    /// # Errors
    /// If a buffer does not fit.
    fn show(&mut self, out: Outputs<'_>) -> Result<(), StepError>;

    /// What a player sees, or without one the acting player, or all where all act.
    ///
    /// # Errors
    /// If there is no such player, or a buffer does not fit.
    fn observe(&self, player: Option<usize>, out: ObservationRows<'_>) -> Result<(), StepError>;

    /// The last observations of the games that ended in the latest step; other rows stay as they
    /// are.
    ///
    /// # Errors
    /// If a buffer does not fit.
    fn final_observations(&self, out: ObservationRows<'_>) -> Result<(), StepError>;

    /// Draws a legal action for each game, each as likely as any other: from the games' own streams,
    /// which move on, or from those of a seed.
    fn sample(&mut self, seed: Option<u64>, out: &mut [i32]);

    /// The positions in the game's notation.
    fn texts(&self) -> Vec<String>;

    /// What the channels of an observation are called, in their order.
    fn channel_names(&self) -> Vec<Caption>;

    /// What the pictures are called in which actions are drawn.
    fn action_planes(&self) -> Vec<Caption>;

    /// Where an action stands in these pictures; nowhere if it belongs to no square.
    fn place(&self, action: i32) -> Option<Place>;

    /// Reads one of the arrays of the spec for all games.
    ///
    /// # Errors
    /// If there is none of that name, or the buffer does not fit.
    fn array(&self, name: &str, out: &mut [i32]) -> Result<(), StepError>;

    /// Turns ids that the acting players use to the view of the first seat.
    fn absolute(&self, ids: &mut [i32]);

    /// Turns ids of the first seat's view to those that the acting players use.
    fn relative(&self, ids: &mut [i32]);

    /// Actions as people write moves, one for each game, or for each player where all act.
    ///
    /// # Errors
    /// If an action means no move in its game.
    fn write_actions(&self, actions: &[i32]) -> Result<Vec<String>, StepError>;

    /// Moves as people write them, one for each game, or for each player where all act, as actions.
    ///
    /// # Errors
    /// If a text is no legal move in its game.
    fn read_actions(&self, texts: &[&str]) -> Result<Vec<i32>, StepError>;

    /// Asks a player for an action in each game, or in those where `mask` is true: the others have −1.
    /// In a finished game it is 0, for all are allowed. The player is told the positions, without the
    /// moves before them; its chances follow from the seed and the game's index.
    ///
    /// # Errors
    /// If the numbers differ, or the player has no legal move.
    fn ask(
        &mut self,
        player: &dyn Player,
        seed: u64,
        mask: Option<&[bool]>,
        out: &mut [i32],
    ) -> Result<(), StepError>;

    /// Plays whole random games.
    fn rollout(&mut self, games: Range<u64>, seed: u64) -> Rollout;

    /// Plays whole games between players, one for each seat, who are told all moves; where there is
    /// none, actions are drawn.
    ///
    /// # Errors
    /// If the number of players differs, or one has no legal move.
    fn contest(
        &mut self,
        players: &[Option<&dyn Player>],
        games: Range<u64>,
        seed: u64,
    ) -> Result<Rollout, StepError>;

    /// The whole batch as bytes.
    fn save(&self) -> Vec<u8>;

    /// Takes over a saved batch.
    ///
    /// # Errors
    /// If the bytes are none, or of another environment; then nothing changes.
    fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError>;

    /// A batch of copies of these games, in this order.
    ///
    /// # Errors
    /// If there is no such game, or no memory for so many.
    fn gather(&self, games: &[usize]) -> Result<Box<dyn AnyBatch>, StepError>;

    /// Puts the games of another batch in these places.
    ///
    /// # Errors
    /// If there is no such place, or the other batch is of another kind; then nothing changes.
    fn scatter(&mut self, games: &[usize], from: &dyn AnyBatch) -> Result<(), StepError>;

    /// For those who know which game it is.
    fn as_any(&self) -> &dyn Any;
}
