//! What a game was, so that it can be played again: the rules, the start, and all that was accepted.

use std::fmt;

use crate::{Event, Game, Man, Order, RULES_VERSION, Rules};

/// Something that was accepted in a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// A player's order.
    Order {
        /// Who gave it.
        player: u8,
        /// What it was.
        order: Order,
    },
    /// A player has resigned.
    Resign {
        /// Who.
        player: u8,
    },
    /// These players have agreed on a draw.
    Draw {
        /// Who.
        players: Vec<u8>,
    },
}

/// A game as it was played.
///
/// ```
/// use fourfold_kung_fu::{Act, Cell, Game, Order, Replay, Rules};
///
/// let start = Game::create(Rules::parse("lightning")?)?;
/// let pawn = start.piece_named("P:1:6:4").expect("a pawn");
/// let to = Cell::on(start.rules().board, 4, 4).expect("a cell");
/// let mut replay = Replay::of(&start);
/// replay.acts.push((5, Act::Order { player: 1, order: Order { piece: pawn, to } }));
/// replay.end = 100;
/// let game = replay.seeker()?.seek(18);
/// assert_eq!(game.standing_at(to), Some(pawn));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The version of the rules that it was played under.
    pub version: u32,
    /// The rules.
    pub rules: Rules,
    /// The pieces at the start.
    pub men: Vec<Man>,
    /// What was accepted, and on which tick, in order.
    pub acts: Vec<(u64, Act)>,
    /// The tick on which the record ends.
    pub end: u64,
}

impl Replay {
    /// The record of a game that is about to begin.
    pub fn of(start: &Game) -> Replay {
        Replay {
            version: RULES_VERSION,
            rules: *start.rules(),
            men: start.men().collect(),
            acts: Vec::new(),
            end: 0,
        }
    }

    /// Plays the game from its start, and prepares to look at any tick of it.
    ///
    /// # Errors
    /// If it was played under other rules, or something in it is refused.
    pub fn seeker(&self) -> Result<Seeker<'_>, ReplayError> {
        if self.version != RULES_VERSION {
            return Err(ReplayError::Version(self.version));
        }
        let start = Game::with_men(self.rules, &self.men);
        let mut game = start.map_err(|error| ReplayError::Start(error.to_string()))?;
        let mut keyframes = vec![(0, game)];
        let mut events = Vec::new();
        for (index, (tick, act)) in self.acts.iter().enumerate() {
            let number = index + 1;
            if *tick < game.now() {
                return Err(ReplayError::Order { number, tick: *tick });
            }
            game.advance_to(*tick, &mut events);
            if game.now() < *tick {
                return Err(ReplayError::AfterEnd { number, tick: *tick });
            }
            act.play(&mut game, &mut events).map_err(|reason| ReplayError::Refused {
                number,
                tick: *tick,
                reason,
            })?;
            if number.is_multiple_of(KEYFRAME) {
                keyframes.push((number, game));
            }
        }
        if self.end < game.now() {
            return Err(ReplayError::Order { number: self.acts.len(), tick: game.now() });
        }
        game.advance_to(self.end, &mut events);
        Ok(Seeker { replay: self, keyframes, events, last: game })
    }
}

/// A state is kept after so many acts.
const KEYFRAME: usize = 32;

impl Act {
    /// Does it in a game; what happens at once is added to the events.
    ///
    /// # Errors
    /// Why it is refused; nothing is changed then.
    pub fn play(&self, game: &mut Game, events: &mut Vec<Event>) -> Result<(), String> {
        match self {
            Act::Order { player, order } => {
                let to = (i32::from(order.to.row()), i32::from(order.to.column()));
                game.order(*player, order.piece, to).map_err(|refusal| refusal.to_string())
            }
            Act::Resign { player } => {
                game.resign(*player, events).map_err(|refusal| refusal.to_string())
            }
            Act::Draw { players } => {
                game.agree_on_draw(players, events).map_err(|refusal| refusal.to_string())
            }
        }
    }
}

/// A replay that was found playable, with states from which any tick is near.
#[derive(Clone, Debug)]
pub struct Seeker<'a> {
    replay: &'a Replay,
    /// States after so many acts.
    keyframes: Vec<(usize, Game)>,
    events: Vec<Event>,
    last: Game,
}

impl Seeker<'_> {
    /// The state on a tick, with all that was accepted on it.
    pub fn seek(&self, tick: u64) -> Game {
        let acts = &self.replay.acts;
        let before = self.keyframes.partition_point(|(_, game)| game.now() <= tick);
        let (mut next, mut game) = self.keyframes[before.saturating_sub(1)];
        let mut events = Vec::new();
        while let Some((at, act)) = acts.get(next).filter(|(at, _)| *at <= tick) {
            game.advance_to(*at, &mut events);
            // It was accepted when the game was played before.
            let _ = act.play(&mut game, &mut events);
            next += 1;
        }
        game.advance_to(tick.min(self.replay.end), &mut events);
        game
    }

    /// The state at the end of the record.
    pub const fn last(&self) -> &Game {
        &self.last
    }

    /// All that happens, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

/// Why a replay cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// It was played under another version of the rules.
    Version(u32),
    /// It cannot even begin.
    Start(String),
    /// Something comes before what precedes it, or the record ends too early.
    Order {
        /// The number of the act, from 1.
        number: usize,
        /// Its tick.
        tick: u64,
    },
    /// Something comes when the game is over.
    AfterEnd {
        /// The number of the act, from 1.
        number: usize,
        /// Its tick.
        tick: u64,
    },
    /// Something is refused.
    Refused {
        /// The number of the act, from 1.
        number: usize,
        /// Its tick.
        tick: u64,
        /// Why.
        reason: String,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Version(version) => write!(
                f,
                "it was played under version {version} of the rules and this program plays version \
                 {RULES_VERSION}: use a program of that time"
            ),
            ReplayError::Start(error) => write!(f, "the game cannot begin: {error}"),
            ReplayError::Order { number, tick } => {
                write!(f, "entry {number}, on tick {tick}, is out of order")
            }
            ReplayError::AfterEnd { number, tick } => {
                write!(f, "entry {number}, on tick {tick}, comes after the end of the game")
            }
            ReplayError::Refused { number, tick, reason } => {
                write!(f, "entry {number}, on tick {tick}, is refused: {reason}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}
