//! Kung fu chess, in which the bots can act on every tick.

use std::sync::atomic::AtomicBool;

use fourfold_bots::Budget;
use fourfold_bots::kung_fu::{LEVELS, RealTimeBot};
use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Cell, Game, Order, Player, Rules, Timing};

use crate::error::ModelError;
use crate::levels::{LEARNED, find, shipped};
use crate::model::Model;

/// The ticks between two decisions, as in training.
pub const INTERVAL: u64 = 6;

/// A bot of a level, or one that plays with a model.
#[derive(Clone, Debug)]
pub enum AnyBot {
    /// A bot of a level.
    Level(Box<RealTimeBot>),
    /// A bot that plays with a model.
    Learned(LearnedBot),
}

impl AnyBot {
    /// Creates a bot of a level, or returns `None` if the game with this id does not have that level.
    pub fn new(game: &str, level: &str, rules: &Rules, seed: u64) -> Option<AnyBot> {
        if level == LEARNED {
            let (model, nodes) = (shipped(game)?, find(game, level)?.nodes);
            return LearnedBot::new(model, rules, nodes, seed).ok().map(AnyBot::Learned);
        }
        let index = LEVELS.iter().position(|known| known.id == level)?;
        Some(AnyBot::Level(Box::new(RealTimeBot::new(seed, index as u8))))
    }

    /// Returns whether the bot looks at the game on this tick; on other ticks it does nothing.
    pub fn is_ready(&self, game: &Game) -> bool {
        match self {
            AnyBot::Level(bot) => bot.is_ready(game),
            AnyBot::Learned(bot) => bot.is_ready(game),
        }
    }

    /// Returns how many positions were searched for the last order.
    pub fn nodes(&self) -> u64 {
        match self {
            AnyBot::Level(bot) => bot.nodes(),
            AnyBot::Learned(bot) => bot.nodes(),
        }
    }

    /// Returns what `player` orders on this tick, if anything. Only bots that play with a model look at the flag: the others
    /// answer within milliseconds.
    pub fn think(&mut self, game: &Game, player: Player, stop: &AtomicBool) -> Option<Order> {
        match self {
            AnyBot::Level(bot) => bot.think(game, player),
            AnyBot::Learned(bot) => bot.think(game, player, stop),
        }
    }
}

/// Returns a model of kung fu chess for games with this speed.
///
/// # Errors
/// Returns an error if it is a model of another game.
pub fn at_speed(model: &Model, speed: Timing) -> Result<Model, ModelError> {
    let Timing { ticks_per_square, rest, no_move, no_capture, no_draw_before } = speed;
    let speed = [
        ("ticks_per_square", ticks_per_square),
        ("rest", rest),
        ("no_move", no_move),
        ("no_capture", no_capture),
        ("no_draw_before", no_draw_before),
    ];
    let speed = speed.map(|(name, ticks)| (name, ticks.to_string()));
    model.with_options(&speed.each_ref().map(|(name, ticks)| (*name, ticks.as_str())))
}

/// A bot that plays with a model.
#[derive(Clone, Debug)]
pub struct LearnedBot {
    model: Model,
    /// The number of positions that it evaluates for a decision.
    budget: u64,
    /// How many positions were evaluated for the last decision.
    nodes: u64,
    rng: SplitMix64,
    /// The bot does nothing before this tick.
    ready: u64,
}

impl LearnedBot {
    /// Creates a bot for games with these rules, at any speed. `nodes` is the number of positions that it evaluates for a
    /// decision.
    ///
    /// # Errors
    /// Returns an error if the model cannot play by these rules.
    pub fn new(
        model: &Model,
        rules: &Rules,
        nodes: u64,
        seed: u64,
    ) -> Result<LearnedBot, ModelError> {
        let model = at_speed(model, rules.speed)?;
        // Fails if the board or the players differ.
        model.check_start(&Game::new(*rules).map_err(ModelError::game)?.to_string())?;
        let mut rng = SplitMix64::new(seed);
        rng.next();
        Ok(LearnedBot { model, budget: nodes, nodes: 0, rng, ready: 0 })
    }

    /// Returns whether the bot looks at the game on this tick.
    pub const fn is_ready(&self, game: &Game) -> bool {
        game.now() >= self.ready
    }

    /// Returns how many positions were evaluated for the last decision.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns what `player` orders on this tick, if anything. After the flag is set, it evaluates at most one more position.
    pub fn think(&mut self, game: &Game, player: Player, stop: &AtomicBool) -> Option<Order> {
        if !self.is_ready(game) {
            return None;
        }
        self.ready = game.now() + INTERVAL;
        let index = game.rules().players.iter().position(|other| other == player)?;
        let budget = Budget::nodes(self.budget).with_stop(stop);
        let chosen = self.model.choose_for(&game.to_string(), index, self.rng.next(), budget);
        // The bot waits if the game is over.
        let chosen = chosen.ok()?;
        self.nodes = chosen.nodes;
        let (name, square) = chosen.code.split_once("->")?;
        let (row, column) = square.split_once(',')?;
        let to = Cell::on(game.rules().board, row.parse().ok()?, column.parse().ok()?)?;
        Some(Order { piece: game.piece_named(name)?, to })
    }
}
