//! Bots of kung fu chess. There are no turns, so they are asked on every tick, and take as long to
//! react as people do. They see what a player sees: the board, and what flies.
//!
//! ```
//! use fourfold_bots::kung_fu::Greedy;
//! use fourfold_kung_fu::{Game, Rules};
//!
//! let mut game = Game::create(Rules::parse("8x8 lightning")?)?;
//! let mut bots = [Greedy::new(1, 0), Greedy::new(2, 1)];
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

use fourfold_board::Keys;
use fourfold_kung_fu::{Bitboard, Cell, Game, Kind, Order, Piece, Status};

use crate::Level;

/// The levels, the weakest first, by their numbers.
pub static LEVELS: [Level; 2] = [
    Level {
        id: "random",
        name: "Random",
        about: "orders any piece anywhere, now and then",
        nodes: 1,
    },
    Level {
        id: "greedy",
        name: "Greedy",
        about: "takes what it can, and runs from what it sees",
        nodes: 100_000,
    },
];

/// A bot that looks at each order by itself.
#[derive(Clone, Debug)]
pub struct Greedy {
    keys: Keys,
    /// Whether it looks at all.
    looks: bool,
    /// It does nothing before this tick.
    ready: u64,
    orders: Vec<Order>,
    theirs: Vec<Order>,
}

/// Scores are in hundredths of a pawn; orders that differ by no more are as good.
const SHADE: u64 = 8;

impl Greedy {
    /// A bot of a level, by its number in [`LEVELS`]; higher ones are as good as the highest. The seed
    /// decides how long it takes to react, and between orders that are as good.
    pub fn new(seed: u64, level: u8) -> Greedy {
        let (orders, theirs) = (Vec::new(), Vec::new());
        Greedy { keys: Keys::new(seed), looks: level > 0, ready: 0, orders, theirs }
    }

    /// What a player orders on this tick, if anything. Ask once on every tick; on ticks on which it is
    /// not yet ready it answers at once.
    pub fn think(&mut self, game: &Game, player: u8) -> Option<Order> {
        if game.now() < self.ready {
            return None;
        }
        game.legal_orders(player, &mut self.orders);
        let order = if self.looks { self.best(game, player) } else { self.any() };
        // People need a quarter of a second to half a one; who only plays around takes longer.
        let (least, more) = if self.looks { (8, 8) } else { (20, 30) };
        self.ready = game.now() + least + self.keys.next() % more;
        order
    }

    fn any(&mut self) -> Option<Order> {
        let index = self.keys.next().checked_rem(self.orders.len() as u64)?;
        Some(self.orders[index as usize])
    }

    fn best(&mut self, game: &Game, player: u8) -> Option<Order> {
        let reach = self.reach(game, player);
        let coming = coming(game, player);
        let mut best: Option<(i64, Order)> = None;
        for &order in &self.orders {
            let shade = (self.keys.next() % SHADE) as i64;
            let score = score(game, order, reach, coming) + shade;
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, order));
            }
        }
        // It waits where everything would be a loss.
        best.filter(|&(score, _)| score > 0).map(|(_, order)| order)
    }

    /// Where the others could go now.
    fn reach(&mut self, game: &Game, player: u8) -> Bitboard {
        let team = game.rules().team(player);
        let mut reach = Bitboard::EMPTY;
        for other in game.alive().without(team).iter() {
            game.legal_orders(other, &mut self.theirs);
            for order in &self.theirs {
                reach = reach.with(order.to.square());
            }
        }
        reach
    }
}

/// Where pieces of others are flying to.
fn coming(game: &Game, player: u8) -> Bitboard {
    let team = game.rules().team(player);
    let foes = game.pieces().filter(|piece| !team.contains(piece.player()));
    foes.fold(Bitboard::EMPTY, |set, piece| match piece.status() {
        Status::Moving { to, .. } => set.with(to.square()),
        Status::Standing | Status::Resting { .. } | Status::Gone => set,
    })
}

fn score(game: &Game, Order { piece, to }: Order, reach: Bitboard, coming: Bitboard) -> i64 {
    let Some(own) = game.piece(piece) else { return i64::MIN };
    let mut score = 10 + activity(own, to);
    if let Some(target) = game.standing_at(to).and_then(|id| game.piece(id)) {
        // Who rests cannot run.
        let certain = matches!(target.status(), Status::Resting { .. });
        score += worth(target.kind()) * if certain { 100 } else { 60 };
    }
    if coming.contains(own.at().square()) {
        score += worth(own.kind()) * 90;
    }
    if reach.contains(to.square()) || coming.contains(to.square()) {
        score -= worth(own.kind()) * 50;
    }
    score
}

const fn worth(kind: Kind) -> i64 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight | Kind::Bishop => 3,
        Kind::Rook => 5,
        Kind::Queen => 9,
        Kind::King => 60,
    }
}

/// A little for going toward the middle, less than nothing for a king that walks.
fn activity(piece: &Piece, to: Cell) -> i64 {
    let middle = |cell: Cell| {
        let from_middle = |line: u8| (2 * i64::from(line) - 9).abs();
        from_middle(cell.row()) + from_middle(cell.column())
    };
    match piece.kind() {
        Kind::King => -30,
        Kind::Pawn | Kind::Knight | Kind::Bishop | Kind::Rook | Kind::Queen => {
            middle(piece.at()) - middle(to)
        }
    }
}
