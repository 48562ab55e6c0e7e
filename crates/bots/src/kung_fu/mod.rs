//! Bots for kung fu chess. There are no turns, so the bots are asked on every tick, and they take
//! as long to react as people do. They see what a player sees: the board and the pieces in flight.
//!
//! ```
//! use fourfold_bots::kung_fu::Fighter;
//! use fourfold_kung_fu::{Game, Rules};
//!
//! let mut game = Game::create(Rules::parse("8x8 lightning")?)?;
//! let mut bots = [Fighter::new(1, 0), Fighter::new(2, 2)];
//! let mut events = Vec::new();
//! while game.outcome().is_none() {
//!     for (bot, player) in bots.iter_mut().zip(1..) {
//!         if let Some(order) = bot.think(&game, player) {
//!             let to = (order.to.row().into(), order.to.column().into());
//!             game.order(player, order.piece, to)?;
//!         }
//!     }
//!     game.tick(&mut events);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod foresight;
mod greedy;

use fourfold_common::SplitMix64;
use fourfold_kung_fu::{Board, Game, Order};

use crate::Level;
use foresight::Foresight;
use greedy::Sight;

/// The levels, weakest first; [`Fighter::new`] takes the index of a level. Their `nodes` count the
/// simulations for one order.
pub static LEVELS: [Level; 5] = [
    Level { id: "random", name: "Random", about: "gives random orders now and then", nodes: 1 },
    Level {
        id: "novice",
        name: "Novice",
        about: "captures what it can, slowly, and misses threats",
        nodes: 1,
    },
    Level {
        id: "greedy",
        name: "Greedy",
        about: "captures what it can and avoids threats it sees",
        nodes: 1,
    },
    Level {
        id: "fighter",
        name: "Fighter",
        about: "knows where every piece will land, and captures resting pieces",
        nodes: 250,
    },
    Level {
        id: "master",
        name: "Master",
        about: "considers the answer to every order, and reacts quickly",
        nodes: 1000,
    },
];

/// The largest number of simulations for an order on the 12x12 board.
const MOST_ON_TWELVE: u64 = 125;

/// How an order is chosen.
#[derive(Clone, Copy, Debug)]
enum Mind {
    /// At random.
    Any,
    /// By what it captures and, if `looks` is set, by what threatens the piece.
    Greedy { looks: bool },
    /// By simulating what happens until all pieces have landed, with this many simulations for an
    /// order.
    Foresight { nodes: u64 },
}

/// A bot for kung fu chess.
#[derive(Clone, Debug)]
pub struct Fighter {
    keys: SplitMix64,
    mind: Mind,
    /// The ticks between two orders: the minimum, and the exclusive limit of a random addition.
    pause: (u64, u64),
    /// The bot does nothing before this tick.
    ready: u64,
    orders: Vec<Order>,
    theirs: Vec<Order>,
    foresight: Foresight,
    /// How many simulations were made for the last order.
    spent: u64,
}

impl Fighter {
    /// Creates a bot of a level, given as an index into [`LEVELS`]; larger numbers give the
    /// strongest level. The seed decides how long the bot takes to react, and between equally good
    /// orders.
    pub fn new(seed: u64, level: u8) -> Fighter {
        // People react within a quarter to half a second; the weaker levels take longer.
        let (mind, pause) = match level {
            0 => (Mind::Any, (20, 30)),
            1 => (Mind::Greedy { looks: false }, (20, 20)),
            2 => (Mind::Greedy { looks: true }, (8, 8)),
            3 => (Mind::Foresight { nodes: LEVELS[3].nodes }, (14, 8)),
            _ => (Mind::Foresight { nodes: LEVELS[4].nodes }, (6, 4)),
        };
        let (orders, theirs) = (Vec::new(), Vec::new());
        let foresight = Foresight::default();
        let keys = SplitMix64::new(seed);
        Fighter { keys, mind, pause, ready: 0, orders, theirs, foresight, spent: 0 }
    }

    /// Returns the same bot with another number of simulations for an order. Levels that do not
    /// simulate are unchanged.
    #[must_use]
    pub const fn with_nodes(mut self, nodes: u64) -> Fighter {
        if let Mind::Foresight { nodes: own } = &mut self.mind {
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
        match self.mind {
            Mind::Any | Mind::Greedy { .. } => 1,
            Mind::Foresight { .. } => self.spent,
        }
    }

    /// Returns what `player` orders on this tick, if anything. Call this once per tick; on ticks on
    /// which the bot is not ready it returns immediately.
    pub fn think(&mut self, game: &Game, player: u8) -> Option<Order> {
        if !self.is_ready(game) {
            return None;
        }
        game.legal_orders_into(player, &mut self.orders);
        let order = match self.mind {
            Mind::Any => self.any(),
            Mind::Greedy { looks } => {
                let sight = if looks { Sight::All } else { Sight::Prey };
                greedy::best(game, player, sight, &mut self.keys, &self.orders, &mut self.theirs)
            }
            Mind::Foresight { nodes } => {
                let nodes = futures(nodes, game.rules().board);
                self.spent = nodes;
                let order = self.foresight.best(game, player, nodes, &mut self.keys, &self.orders);
                self.spent -= self.foresight.left();
                order
            }
        };
        let (least, more) = self.pause;
        self.ready = game.now() + least + self.keys.next() % more;
        order
    }

    fn any(&mut self) -> Option<Order> {
        let index = self.keys.next().checked_rem(self.orders.len() as u64)?;
        Some(self.orders[index as usize])
    }
}

/// Limits the simulations so that a decision takes less than two milliseconds. On the 12x12 board
/// each simulation takes longer, because up to twice as many pieces may answer.
fn futures(nodes: u64, board: Board) -> u64 {
    match board {
        Board::Eight => nodes,
        Board::Twelve => nodes.div_ceil(4).min(MOST_ON_TWELVE),
    }
}
