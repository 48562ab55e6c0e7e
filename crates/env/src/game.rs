//! The interface between a game and the batched environment: [`Game`] is what a step needs,
//! [`Describe`] what people need.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use bytemuck::{Pod, Zeroable};
use fourfold_common::cpu::{self, Cpu};

use crate::captions::{ActionPlace, Caption};
use crate::layout::Layout;
use crate::legal::ActionSink;
use crate::options::Illegal;

/// The maximum number of players of any game.
pub const MAX_PLAYERS: usize = 4;

/// An action id, less than [`Spec::actions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(pub u32);

/// The set of players who may act now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerSet(u8);

impl PlayerSet {
    /// Returns the set of one player.
    #[inline]
    pub const fn one(player: usize) -> PlayerSet {
        PlayerSet(1 << player)
    }

    /// Creates a set from bits, the first player lowest.
    #[inline]
    pub const fn from_bits(bits: u8) -> PlayerSet {
        PlayerSet(bits)
    }

    /// Returns whether this player may act.
    #[inline]
    pub const fn contains(self, player: usize) -> bool {
        self.0 >> player & 1 != 0
    }

    /// Returns the player, if exactly one may act.
    #[inline]
    pub const fn only(self) -> Option<usize> {
        if self.0.is_power_of_two() { Some(self.0.trailing_zeros() as usize) } else { None }
    }
}

/// The sizes of a game, which depend on its rules.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Number of players.
    pub players: usize,
    /// Number of action ids.
    pub actions: usize,
    /// Upper bound on the number of legal actions of one player.
    pub max_legal: usize,
    /// Whether all players act in each step. Each player then has its own mask and observation.
    pub simultaneous: bool,
    /// The layout of observations.
    pub observation: Layout,
    /// The reasons why a game can end by its own rules. A batch adds illegal actions.
    pub endings: &'static [&'static str],
}

impl Spec {
    /// Returns the number of actions, masks and observations that a game has in each step: one, or
    /// one per player in simultaneous games.
    pub const fn mask_rows(&self) -> usize {
        if self.simultaneous { self.players } else { 1 }
    }

    /// Returns the length of a legal-action list: the count, then the actions.
    pub const fn list_len(&self) -> usize {
        1 + self.max_legal
    }

    /// Returns the size of a packed mask in bytes.
    pub const fn mask_bytes(&self) -> usize {
        self.actions.div_ceil(8)
    }
}

/// An integer array that exposes part of the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArraySpec {
    /// The name, unique among the arrays of the game.
    pub name: &'static str,
    /// The shape for one game; empty for a single number.
    pub shape: &'static [usize],
}

/// The status of a game after a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Status {
    /// Whether the game is over.
    pub stage: Stage,
    /// The reward of each player in the latest step.
    pub rewards: [f32; MAX_PLAYERS],
    /// The score of each player, in games that have scores.
    pub scores: [f32; MAX_PLAYERS],
    /// Whether each player is still in the game.
    pub alive: [bool; MAX_PLAYERS],
    /// The winner, if there is one.
    pub winner: Option<u8>,
    /// Why the game ended, as an index into [`Spec::endings`]; the number of these if an illegal
    /// action ended it.
    pub ending: Option<u8>,
    /// In simultaneous games: whether each player's latest action was legal at the start of the
    /// step but refused when executed.
    pub refused: [bool; MAX_PLAYERS],
}

impl Status {
    /// The status of a game in progress with all players in it.
    pub const ONGOING: Status = Status {
        stage: Stage::Ongoing,
        rewards: [0.0; MAX_PLAYERS],
        scores: [0.0; MAX_PLAYERS],
        alive: [true; MAX_PLAYERS],
        winner: None,
        ending: None,
        refused: [false; MAX_PLAYERS],
    };
}

/// Whether a game is in progress, and if not, how it stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The game is in progress.
    Ongoing,
    /// The game ended by the rules.
    Terminated,
    /// The game was stopped before its end, for example by a step limit.
    Truncated,
}

/// A game as the batched environment sees it: everything that a step needs, and no text.
///
/// A state is plain data: fixed-size, without padding or pointers, and any bytes are a value. So
/// states are saved, copied and sent to other machines and devices as bytes. Equal states must
/// develop in the same way.
pub trait Game: Pod + PartialEq + Send + Sync {
    /// The options of the environment. Batches whose rules have the same `Display` text can
    /// exchange games and saved states.
    type Rules: Clone + fmt::Display + Send + Sync + 'static;

    /// The name of the environment.
    const NAME: &'static str;
    /// Changes whenever the behavior or the bytes of states do.
    const VERSION: u32;

    /// Returns the sizes of the game under these rules.
    fn spec(rules: &Self::Rules) -> Spec;

    /// Returns what an illegal action does, unless the batch's options override it.
    fn illegal(_: &Self::Rules) -> Illegal {
        Illegal::Error
    }

    /// Returns the standard start.
    fn start(rules: &Self::Rules) -> Self;

    /// Returns whether a state that was made from bytes is one that a game with these rules can
    /// reach. After that, no other method may panic on it.
    fn is_valid(&self, rules: &Self::Rules) -> bool;

    /// Returns the state as it is stored. Games that keep values that only save time, such as
    /// predictions, reset them here, so that equal states have equal bytes.
    #[inline]
    fn to_stored(&self) -> Self {
        *self
    }

    /// Prefetches the memory that a step reads; by default the whole state.
    #[inline(always)]
    fn prefetch(&self) {
        cpu::prefetch(core::slice::from_ref(self));
    }

    /// Returns the players who may act.
    fn acting(&self) -> PlayerSet;

    /// Returns the view in which the acting player's action ids are given: the player's own, unless
    /// the game rotates the board by something else, such as a color.
    #[inline(always)]
    fn viewpoint(&self) -> usize {
        self.acting().only().unwrap_or(0)
    }

    /// Passes the legal actions of a player to a sink, each once, in any order.
    fn legal<C: Cpu>(&self, cpu: C, rules: &Self::Rules, player: usize, sink: &mut impl ActionSink);

    /// Plays one legal action for each acting player, in player order.
    fn apply(&mut self, rules: &Self::Rules, actions: &[Action]);

    /// Returns the status of the game; `may_move` says whether an acting player has a legal action.
    fn status(&self, rules: &Self::Rules, may_move: bool) -> Status;

    /// Writes the observation of a player: the planes, packed according to the layout, and the
    /// scalars.
    fn observe(&self, rules: &Self::Rules, player: usize, planes: &mut [u8], scalars: &mut [f32]);

    /// Derives the values on individual squares from the scalars of an observation: calls `set`
    /// with a square, a channel of type [`Channel::Numbers`](crate::Channel::Numbers), and the
    /// value.
    #[inline(always)]
    fn paint(_: &Self::Rules, _scalars: &[f32], _set: impl FnMut(usize, usize, f32)) {}

    /// Converts an action id from a [viewpoint](Game::viewpoint) to the first player's view.
    fn absolute(rules: &Self::Rules, viewpoint: usize, action: Action) -> Action;

    /// Converts an action id from the first player's view to a [viewpoint](Game::viewpoint); the
    /// inverse of [`Game::absolute`].
    fn relative(rules: &Self::Rules, viewpoint: usize, action: Action) -> Action;
}

/// What people need of a game: names, positions and moves as text, and captions.
pub trait Describe: Game {
    /// Arrays that expose the raw state.
    fn arrays(_: &Self::Rules) -> &'static [ArraySpec] {
        &[]
    }

    /// Writes one of [`Describe::arrays`], by index.
    fn array(&self, _: &Self::Rules, _index: usize, _out: &mut [i32]) {}

    /// Parses a start position in the game's notation.
    ///
    /// # Errors
    /// Returns a message that says why the text is invalid.
    fn parse(rules: &Self::Rules, text: &str) -> Result<Self, String>;

    /// Returns the position in the game's notation.
    fn text(&self) -> String;

    /// Writes a player's action in move notation. Returns `None` if it does not denote a move here.
    /// In turn-based games the action is the acting player's, and `player` is ignored.
    fn write_action(&self, rules: &Self::Rules, player: usize, action: Action) -> Option<String>;

    /// Parses a player's legal action in move notation.
    ///
    /// # Errors
    /// Returns a message that says why the text is not a legal move.
    fn read_action(&self, rules: &Self::Rules, player: usize, text: &str)
    -> Result<Action, String>;

    /// Returns the names of the observation channels, in order; empty if they have none.
    fn channel_names(_: &Self::Rules) -> Vec<Caption> {
        Vec::new()
    }

    /// Returns the names of the planes on which actions are drawn; empty if there are none.
    fn action_planes(_: &Self::Rules) -> Vec<Caption> {
        Vec::new()
    }

    /// Returns where an action is drawn on these planes, or `None` if it does not belong to a
    /// square.
    fn action_place(_: &Self::Rules, _: Action) -> Option<ActionPlace> {
        None
    }
}

/// [`Status`] as plain data, as it is stored behind each state.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct PlainStatus {
    rewards: [f32; MAX_PLAYERS],
    scores: [f32; MAX_PLAYERS],
    alive: [u8; MAX_PLAYERS],
    refused: [u8; MAX_PLAYERS],
    stage: u8,
    /// 255 if there is none.
    winner: u8,
    /// 255 if there is none.
    ending: u8,
    padding: u8,
}

/// Stands for no winner and no ending.
const NONE: u8 = 255;

impl PlainStatus {
    /// Returns the status of bytes that a batch wrote.
    #[inline(always)]
    pub fn unpack(&self) -> Status {
        let some = |value: u8| if value == NONE { None } else { Some(value) };
        Status {
            stage: match self.stage {
                0 => Stage::Ongoing,
                1 => Stage::Terminated,
                _ => Stage::Truncated,
            },
            rewards: self.rewards,
            scores: self.scores,
            alive: self.alive.map(|flag| flag != 0),
            winner: some(self.winner),
            ending: some(self.ending),
            refused: self.refused.map(|flag| flag != 0),
        }
    }

    /// Returns the status, or `None` if the bytes are not those of one of a game with this
    /// specification.
    pub(crate) fn get(&self, spec: &Spec) -> Option<Status> {
        let status = self.unpack();
        let below =
            |value: Option<u8>, bound: usize| value.is_none_or(|it| usize::from(it) < bound);
        let numbers = self.rewards.iter().chain(&self.scores);
        // Bytes that mean nothing do not survive the conversion.
        let is_exact = bytemuck::bytes_of(&status.to_plain()) == bytemuck::bytes_of(self);
        (is_exact
            && below(status.winner, spec.players)
            && below(status.ending, spec.endings.len() + 1)
            && numbers.into_iter().all(|number| number.is_finite()))
        .then_some(status)
    }
}

impl Status {
    /// Returns the status as plain data.
    #[inline]
    pub fn to_plain(self) -> PlainStatus {
        PlainStatus {
            rewards: self.rewards,
            scores: self.scores,
            alive: self.alive.map(u8::from),
            refused: self.refused.map(u8::from),
            stage: self.stage as u8,
            winner: self.winner.unwrap_or(NONE),
            ending: self.ending.unwrap_or(NONE),
            padding: 0,
        }
    }
}
