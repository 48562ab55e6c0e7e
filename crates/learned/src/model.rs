//! A network together with its game.

use std::any::Any;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use fourfold_bots::{Bot, BotMove, Budget, Situation, ThinkError};
use fourfold_common::quote_short;
use fourfold_env::{AnyBatch, Batch, Describe, GAMES, Options, Visit, make, visit};

use crate::description::Description;
use crate::error::ModelError;
use crate::network::Network;
use crate::play::{Play, Typed};
use crate::tensors::Tensors;

const DESCRIPTION: &str = "model.json";
const WEIGHTS: &str = "model.safetensors";
/// The largest files that are read.
const MAX_DESCRIPTION: u64 = 1 << 24;
const MAX_WEIGHTS: u64 = 1 << 28;

/// A network trained by `fourfold.train`, with the game that it plays. Copies share the network.
#[derive(Clone)]
pub struct Model {
    description: Arc<Description>,
    network: Arc<Network>,
    play: Arc<dyn Play>,
}

/// The evaluation of the games of a batch by a network alone, without a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// For each player who acts in each game: the logits of all actions, −∞ for those that are not legal.
    pub logits: Vec<f32>,
    /// For each game: the value for each player.
    pub values: Vec<f32>,
}

impl Model {
    /// Loads the model in a folder, from `model.json` and `model.safetensors`.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is not valid, or if the model belongs to another version of its game.
    pub fn load(folder: &Path) -> Result<Model, ModelError> {
        let json = read(&folder.join(DESCRIPTION), MAX_DESCRIPTION)?;
        Model::new(&json, &read(&folder.join(WEIGHTS), MAX_WEIGHTS)?)
    }

    /// Makes a model from the contents of its files.
    ///
    /// # Errors
    /// Returns an error if a file is not valid, or if the model belongs to another version of its game.
    pub fn new(json: &[u8], weights: &[u8]) -> Result<Model, ModelError> {
        let description = Description::parse(json)?;
        let entry = GAMES.iter().find(|entry| entry.name == description.game).ok_or_else(|| {
            let names: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
            let (found, names) = (quote_short(&description.game), names.join(", "));
            ModelError::description(format!("unknown game '{found}': expected one of {names}"))
        })?;
        let batch = environment(&description, &[])?;
        let spec = batch.spec();
        description.check(spec, entry.version).map_err(ModelError::description)?;
        let network = Network::new(&description, Tensors::parse(weights)?, spec.actions)?;
        let (description, network) = (Arc::new(description), Arc::new(network));
        let play = typed(&*batch, &description, &network)?;
        Ok(Model { description, network, play })
    }

    /// Returns the same model for other options of its environment.
    ///
    /// # Errors
    /// Returns an error if an option is not valid, or changes what the network sees.
    pub fn with_options(&self, options: &[(&str, &str)]) -> Result<Model, ModelError> {
        let batch = environment(&self.description, options)?;
        let version = GAMES.iter().find(|entry| entry.name == self.description.game);
        let version = version.map_or(0, |entry| entry.version);
        self.description.check(batch.spec(), version).map_err(ModelError::game)?;
        let play = typed(&*batch, &self.description, &self.network)?;
        Ok(Model { play, ..self.clone() })
    }

    /// Returns the name of the environment that it plays, such as `four_player`.
    pub fn environment(&self) -> &str {
        &self.description.game
    }

    /// Returns the id of the game in `fourfold-table`, such as `four-player`.
    pub fn game(&self) -> String {
        self.description.game.replace('_', "-")
    }

    /// Returns a bot that plays with this model. The seed decides between nearly equal moves.
    pub fn bot(&self, seed: u64) -> Box<dyn Bot> {
        Box::new(LearnedBot { play: Arc::clone(&self.play), seed })
    }

    /// Chooses an action of a player in a state of this game, whose type is known only at run time, and returns it as
    /// text. Returns `None` if it is a state of another game or of other rules.
    ///
    /// # Errors
    /// See [`Bot::think`].
    pub fn choose(
        &self,
        state: &dyn Any,
        player: usize,
        seed: u64,
        budget: Budget<'_>,
    ) -> Option<Result<BotMove, ThinkError>> {
        self.play.choose(state, player, seed, budget)
    }

    /// Returns an error if the model cannot play a game that starts like this.
    pub(crate) fn check_start(&self, start: &str) -> Result<(), ModelError> {
        self.play.check_start(start).map_err(ModelError::game)
    }

    /// Returns whether the model can play the games of a batch: they have its game, and rules that it knows.
    pub fn can_play(&self, batch: &dyn AnyBatch) -> bool {
        self.play.can_play(batch)
    }

    /// Chooses an order in kung fu chess, or `wait`, given the game as text.
    pub(crate) fn choose_for(
        &self,
        start: &str,
        player: usize,
        seed: u64,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError> {
        self.play.think(&Situation { start, moves: &[] }, player, seed, budget)
    }

    /// Evaluates all games of a batch. Finished games have values of 0, and no legal actions.
    ///
    /// # Errors
    /// Returns an error if the batch has another game or other rules, or if an output is not finite.
    pub fn evaluate(&self, batch: &dyn AnyBatch) -> Result<Evaluation, ModelError> {
        self.play.evaluate(batch)
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Model").field(&self.description).finish()
    }
}

struct LearnedBot {
    play: Arc<dyn Play>,
    seed: u64,
}

impl Bot for LearnedBot {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError> {
        self.play.think(situation, 0, situation.move_seed(self.seed), budget)
    }
}

/// Makes the environment of a model, with changed options.
fn environment(
    description: &Description,
    changed: &[(&str, &str)],
) -> Result<Box<dyn AnyBatch>, ModelError> {
    let is_changed = |name: &str| changed.iter().any(|(other, _)| *other == name);
    let own = description.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let options = own.filter(|(name, _)| !is_changed(name)).chain(changed.iter().copied());
    let options: Vec<(&str, &str)> = options.collect();
    let batch = make(&description.game, &options, 1, Options::default());
    Ok(batch.map_err(ModelError::description)?)
}

fn typed(
    batch: &dyn AnyBatch,
    description: &Arc<Description>,
    network: &Arc<Network>,
) -> Result<Arc<dyn Play>, ModelError> {
    struct Make<'a>(&'a Arc<Description>, &'a Arc<Network>);

    impl Visit for Make<'_> {
        type Output = Arc<dyn Play>;

        fn visit<G: Describe>(self, batch: &Batch<G>) -> Arc<dyn Play> {
            let Make(description, network) = self;
            let (description, network) = (Arc::clone(description), Arc::clone(network));
            Arc::new(Typed::<G> {
                rules: batch.rules().clone(),
                spec: batch.spec().clone(),
                description,
                network,
            })
        }
    }

    visit(batch, Make(description, network))
        .ok_or_else(|| ModelError::description("this game has no environment"))
}

/// Reads a file that has at most `most` bytes.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, ModelError> {
    let mut bytes = Vec::new();
    let file = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    file.map_err(|error| ModelError::File { path: path.to_owned(), error })?;
    match bytes.len() as u64 > most {
        true => Err(ModelError::TooLarge { path: path.to_owned(), most }),
        false => Ok(bytes),
    }
}
