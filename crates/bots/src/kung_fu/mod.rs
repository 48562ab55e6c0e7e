//! Bots for kung fu chess. There are no turns, so the bots are asked on every tick, and they take
//! as long to react as people do. They see what a player sees: the board and the pieces in flight.
//!
//! ```
//! use fourfold_bots::kung_fu::RealTimeBot;
//! use fourfold_kung_fu::{Game, Player, Rules};
//!
//! let mut game = Game::new(Rules::parse("8x8 lightning")?)?;
//! let mut bots = [RealTimeBot::new(1, 0), RealTimeBot::new(2, 2)];
//! let mut events = Vec::new();
//! while game.outcome().is_none() {
//!     for (bot, player) in bots.iter_mut().zip(Player::ALL) {
//!         if let Some(order) = bot.think(&game, player) {
//!             let to = (order.to.row().into(), order.to.column().into());
//!             game.order(player, order.piece, to)?;
//!         }
//!     }
//!     game.tick(&mut events);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod greedy;
mod simulation;

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Board, Game, Order, Player, Role};

use crate::Level;
use simulation::Simulation;

/// The ids of the real-time games in the arena.
pub(crate) const IDS: [&str; 2] = ["kung-fu", "kung-fu-12x12"];

/// The levels, weakest first; [`RealTimeBot::new`] takes the index of a level. Their `nodes` count the
/// simulations for one order.
pub static LEVELS: [Level; 5] = [
    Level::new("random", "Random", "moves a random piece now and then", 400, 1),
    Level::new("novice", "Novice", "reacts slowly and misses threats", 1280, 1),
    Level::new("greedy", "Greedy", "captures whatever it can, moves out of danger", 1520, 1),
    Level::new("fighter", "Fighter", "times its moves to capture resting pieces", 1760, 250),
    Level::new("master", "Master", "the strongest level: reacts at once to every move", 2000, 1000),
];

/// The former name of [`RealTimeBot`].
#[deprecated(note = "renamed to `RealTimeBot`")]
pub type Fighter = RealTimeBot;

/// The largest number of simulations for an order on the 12x12 board.
const MAX_ON_12X12: u64 = 125;

/// How an order is chosen.
#[derive(Clone, Copy, Debug)]
enum Strategy {
    /// At random.
    Any,
    /// By what it captures and, if `looks` is set, by what threatens the piece.
    Greedy { looks: bool },
    /// By simulating what happens until all pieces have landed, with this many simulations for an
    /// order.
    Simulation { nodes: u64 },
}

/// A bot for kung fu chess.
#[derive(Clone, Debug)]
pub struct RealTimeBot {
    rng: SplitMix64,
    strategy: Strategy,
    /// The ticks between two orders: the minimum, and the exclusive limit of a random addition.
    pause: (u64, u64),
    /// The bot does nothing before this tick.
    ready: u64,
    orders: Vec<Order>,
    theirs: Vec<Order>,
    simulation: Simulation,
    /// How many simulations were made for the last order.
    spent: u64,
}

impl RealTimeBot {
    /// Creates a bot of a level, given as an index into [`LEVELS`]; larger numbers give the
    /// strongest level. The seed decides how long the bot takes to react, and between equally good
    /// orders.
    pub fn new(seed: u64, level: u8) -> RealTimeBot {
        // People react within a quarter to half a second; the weaker levels take longer.
        let (strategy, pause) = match level {
            0 => (Strategy::Any, (20, 30)),
            1 => (Strategy::Greedy { looks: false }, (20, 20)),
            2 => (Strategy::Greedy { looks: true }, (8, 8)),
            3 => (Strategy::Simulation { nodes: LEVELS[3].nodes }, (14, 8)),
            _ => (Strategy::Simulation { nodes: LEVELS[4].nodes }, (6, 4)),
        };
        let (orders, theirs) = (Vec::new(), Vec::new());
        let simulation = Simulation::default();
        let rng = SplitMix64::new(seed);
        RealTimeBot { rng, strategy, pause, ready: 0, orders, theirs, simulation, spent: 0 }
    }

    /// Returns the same bot with another number of simulations for an order. Levels that do not
    /// simulate are unchanged.
    #[must_use]
    pub const fn with_nodes(mut self, nodes: u64) -> RealTimeBot {
        if let Strategy::Simulation { nodes: own } = &mut self.strategy {
            *own = nodes;
        }
        self
    }

    /// Returns the average number of ticks between two orders.
    pub const fn pause(&self) -> u64 {
        self.pause.0 + self.pause.1 / 2
    }

    /// Returns whether the bot looks at the game on this tick; on other ticks it does nothing.
    pub const fn is_ready(&self, game: &Game) -> bool {
        game.now() >= self.ready
    }

    /// Returns how many simulations were made for the last order; 1 for levels that do not
    /// simulate.
    pub const fn nodes(&self) -> u64 {
        if let Strategy::Simulation { .. } = self.strategy { self.spent } else { 1 }
    }

    /// Returns what `player` orders on this tick, if anything. Call this once per tick; on ticks on
    /// which the bot is not ready it returns immediately.
    pub fn think(&mut self, game: &Game, player: Player) -> Option<Order> {
        if !self.is_ready(game) {
            return None;
        }
        game.legal_orders_into(player, &mut self.orders);
        let order = match self.strategy {
            Strategy::Any => self.any(),
            Strategy::Greedy { looks } => {
                greedy::best(game, player, looks, &mut self.rng, &self.orders, &mut self.theirs)
            }
            Strategy::Simulation { nodes } => {
                let nodes = max_simulations(nodes, game.rules().board);
                self.spent = nodes;
                let order = self.simulation.best(game, player, nodes, &mut self.rng, &self.orders);
                self.spent -= self.simulation.left;
                order
            }
        };
        let (least, more) = self.pause;
        self.ready = game.now() + least + self.rng.next() % more;
        order
    }

    fn any(&mut self) -> Option<Order> {
        let index = self.rng.next().checked_rem(self.orders.len() as u64)?;
        Some(self.orders[index as usize])
    }
}

/// Limits the simulations so that a decision takes less than two milliseconds. On the 12x12 board
/// each simulation takes longer, because up to twice as many pieces may answer.
fn max_simulations(nodes: u64, board: Board) -> u64 {
    match board {
        Board::Eight => nodes,
        Board::Twelve => nodes.div_ceil(4).min(MAX_ON_12X12),
    }
}

/// Returns the value of a role in pawns, given that of a king.
const fn value(role: Role, king: i64) -> i64 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => king,
    }
}
