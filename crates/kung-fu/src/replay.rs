//! Records of games for replay: the rules, the start, and all accepted actions.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use fourfold_common::ensure;
use thiserror::Error;

use crate::{Event, Game, Order, PlacedPiece, Player, RULES_VERSION, Rules};

/// An action of one or more players that the game has accepted.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PlayerAction {
    /// A player gave an order.
    Order {
        /// The player.
        player: Player,
        /// The order.
        order: Order,
    },
    /// A player resigned.
    Resign {
        /// The player.
        player: Player,
    },
    /// Players agreed to a draw.
    Draw {
        /// The players.
        players: Vec<Player>,
    },
}

/// The record of a game.
///
/// ```
/// use fourfold_kung_fu::{Cell, Game, Order, Player, PlayerAction, Replay, Rules};
///
/// let start = Game::new(Rules::parse("lightning")?)?;
/// let pawn = start.piece_named("P:1:6:4").expect("a pawn");
/// let to = Cell::on(start.rules().board, 4, 4).expect("a cell");
/// let mut replay = Replay::of(&start);
/// replay.actions.push((5, PlayerAction::Order { player: Player::ALL[0], order: Order { piece: pawn, to } }));
/// replay.end = 100;
/// let game = replay.seeker()?.seek(18);
/// assert_eq!(game.piece_at(to), Some(pawn));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The version of the rules under which it was played.
    pub version: u32,
    /// The rules.
    pub rules: Rules,
    /// The pieces at the start.
    pub pieces: Vec<PlacedPiece>,
    /// The accepted actions in order, with their ticks.
    pub actions: Vec<(u64, PlayerAction)>,
    /// The tick on which the record ends.
    pub end: u64,
}

impl Replay {
    /// Creates the record of a game that is about to start.
    pub fn of(start: &Game) -> Replay {
        Replay {
            version: RULES_VERSION,
            rules: start.rules(),
            pieces: start.placed_pieces().collect(),
            actions: Vec::new(),
            end: 0,
        }
    }

    /// Plays the game from its start, so that any tick of it can be shown.
    ///
    /// # Errors
    /// Returns an error if the game was played under another rules version, or if an action is
    /// out of order or refused.
    pub fn seeker(&self) -> Result<Seeker<'_>, ReplayError> {
        ensure!(self.version == RULES_VERSION, ReplayError::Version(self.version));
        let start = Game::with_pieces(self.rules, &self.pieces);
        let mut game = start.map_err(|error| ReplayError::Start(error.to_string()))?;
        let mut keyframes = vec![(0, game)];
        let mut events = Vec::new();
        for (index, (tick, action)) in self.actions.iter().enumerate() {
            let number = index + 1;
            ensure!(*tick >= game.now(), ReplayError::Order { number, tick: *tick });
            game.advance_to(*tick, &mut events);
            ensure!(game.now() >= *tick, ReplayError::AfterEnd { number, tick: *tick });
            action.play(&mut game, &mut events).map_err(|reason| ReplayError::Refused {
                number,
                tick: *tick,
                reason,
            })?;
            if number.is_multiple_of(KEYFRAME) {
                keyframes.push((number, game));
            }
        }
        let (number, tick) = (self.actions.len(), game.now());
        ensure!(self.end >= tick, ReplayError::Order { number, tick });
        game.advance_to(self.end, &mut events);
        Ok(Seeker { replay: self, keyframes, events, last: game })
    }
}

/// A keyframe is stored each time this many actions have been played.
const KEYFRAME: usize = 32;

impl PlayerAction {
    /// Applies the action to a game; events that happen at once are appended.
    ///
    /// # Errors
    /// Returns the reason if the action is refused; the game is then unchanged.
    pub fn play(&self, game: &mut Game, events: &mut Vec<Event>) -> Result<(), String> {
        match self {
            PlayerAction::Order { player, order } => {
                let to = (i32::from(order.to.row()), i32::from(order.to.column()));
                game.order(*player, order.piece, to).map_err(|refusal| refusal.to_string())
            }
            PlayerAction::Resign { player } => {
                game.resign(*player, events).map_err(|refusal| refusal.to_string())
            }
            PlayerAction::Draw { players } => {
                game.agree_on_draw(players, events).map_err(|refusal| refusal.to_string())
            }
        }
    }
}

/// A valid replay, with keyframes for fast access to any tick.
#[derive(Clone, Debug)]
pub struct Seeker<'a> {
    replay: &'a Replay,
    /// The number of actions played, and the state after them.
    keyframes: Vec<(usize, Game)>,
    events: Vec<Event>,
    last: Game,
}

impl Seeker<'_> {
    /// Returns the state on a tick, after the actions that were accepted on it.
    pub fn seek(&self, tick: u64) -> Game {
        let actions = &self.replay.actions;
        let before = self.keyframes.partition_point(|(_, game)| game.now() <= tick);
        let (mut next, mut game) = self.keyframes[before.saturating_sub(1)];
        let mut events = Vec::new();
        while let Some((at, action)) = actions.get(next).filter(|(at, _)| *at <= tick) {
            game.advance_to(*at, &mut events);
            // It was accepted when the seeker was created.
            let _ = action.play(&mut game, &mut events);
            next += 1;
        }
        game.advance_to(tick.min(self.replay.end), &mut events);
        game
    }

    /// Returns the state at the end of the record.
    pub const fn last(&self) -> &Game {
        &self.last
    }

    /// Returns all events in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

/// The error returned when a replay cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It was played under another version of the rules.
    #[error(
        "the game was played under version {0} of the rules, but this program supports version \
         {supported}: open it with the version that wrote it",
        supported = RULES_VERSION
    )]
    Version(u32),
    /// The game cannot be created.
    #[error("the game cannot start: {0}")]
    Start(String),
    /// An action comes before the previous one, or the record ends before its last action.
    #[error("entry {number}, on tick {tick}, is out of order")]
    Order {
        /// The number of the action, counted from 1.
        number: usize,
        /// Its tick.
        tick: u64,
    },
    /// An action comes after the end of the game.
    #[error("entry {number}, on tick {tick}, comes after the end of the game")]
    AfterEnd {
        /// The number of the action, counted from 1.
        number: usize,
        /// Its tick.
        tick: u64,
    },
    /// An action is refused.
    #[error("entry {number}, on tick {tick}, is refused: {reason}")]
    Refused {
        /// The number of the action, counted from 1.
        number: usize,
        /// Its tick.
        tick: u64,
        /// The reason.
        reason: String,
    },
}
