//! The options of an environment as the text that comes with each call.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use fourfold_env::{AnyRowGames, Options, make, row_games};

use crate::batch::batch_options;

/// What an environment returns, and how it steps on the CPU.
pub(super) struct Config {
    pub(super) games: Box<dyn AnyRowGames>,
    pub(super) observation: Observation,
    pub(super) mask: Mask,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Observation {
    None,
    Packed,
    Bytes,
    Half,
    Float,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mask {
    None,
    Packed,
    Bool,
    Sparse,
}

/// The configurations in use, by their text. There are as many as environments were made.
static MADE: LazyLock<RwLock<HashMap<String, Arc<Config>>>> = LazyLock::new(RwLock::default);

impl Config {
    /// Returns whether observations have scalars besides their values: those of compact formats, and arrays such as
    /// tokens.
    pub(super) fn has_scalars(&self) -> bool {
        let layout = &self.games.spec().observation;
        let compact = matches!(self.observation, Observation::Packed | Observation::Bytes);
        let wanted = compact || layout.scalar_array.is_some();
        self.observation != Observation::None && layout.scalars > 0 && wanted
    }

    /// Returns the configuration with this text: lines of a name, a tab and a value. The names are
    /// `game`, `observation`, `mask`, `illegal`, `autoreset`, `threads`, `start` (any number of
    /// times), and the options of the game after a colon, such as `:preset`.
    pub(super) fn get(text: &str) -> Result<Arc<Config>, String> {
        let made = MADE.read().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
        if let Some(config) = made {
            return Ok(config);
        }
        let config = Arc::new(Config::parse(text)?);
        let mut made = MADE.write().unwrap_or_else(PoisonError::into_inner);
        Ok(made.entry(text.to_owned()).or_insert(config).clone())
    }

    fn parse(text: &str) -> Result<Config, String> {
        let Parsed { game, own, options, starts, observation, mask } = Parsed::new(text)?;
        let mut batch = make(game, &own, 0, options).map_err(|error| error.to_string())?;
        batch.set_starts(&starts).map_err(|error| error.to_string())?;
        let games = row_games(&*batch).ok_or("expected a game that make knows")?;
        Ok(Config { games, observation, mask })
    }
}

/// The options in a text.
pub(super) struct Parsed<'a> {
    pub(super) game: &'a str,
    /// The options of the game.
    pub(super) own: Vec<(&'a str, &'a str)>,
    pub(super) options: Options,
    pub(super) starts: Vec<&'a str>,
    observation: Observation,
    mask: Mask,
}

impl<'a> Parsed<'a> {
    pub(super) fn new(text: &'a str) -> Result<Parsed<'a>, String> {
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        let pairs: Vec<(&str, &str)> = lines.collect();
        let value = |name: &str| {
            let found = pairs.iter().find(|(given, _)| *given == name);
            found
                .map(|&(_, value)| value)
                .ok_or_else(|| format!("expected '{name}' in the options"))
        };
        let invalid = |name: &str, found: &str| Err(format!("invalid {name} '{found}'"));
        let observation = match value("observation")? {
            "none" => Observation::None,
            "packed" => Observation::Packed,
            "uint8" => Observation::Bytes,
            "float16" => Observation::Half,
            "float32" => Observation::Float,
            other => return invalid("observation", other),
        };
        let mask = match value("mask")? {
            "none" => Mask::None,
            "packed" => Mask::Packed,
            "bool" => Mask::Bool,
            "sparse" => Mask::Sparse,
            other => return invalid("mask", other),
        };
        let threads = value("threads")?;
        let Ok(threads) = threads.parse() else { return invalid("threads", threads) };
        let options = batch_options(Some(value("illegal")?), value("autoreset")?, threads);
        let options = options.map_err(|error| error.to_string())?;
        let own = pairs.iter().filter_map(|&(name, value)| Some((name.strip_prefix(':')?, value)));
        let starts = pairs.iter().filter(|(name, _)| *name == "start").map(|&(_, value)| value);
        Ok(Parsed {
            game: value("game")?,
            own: own.collect(),
            options,
            starts: starts.collect(),
            observation,
            mask,
        })
    }
}
