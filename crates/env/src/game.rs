//! The interface between a game and the batched environment.

use std::fmt;

use fourfold_common::cpu::{self, Cpu};

use crate::bytes::{Bytes, LoadError, put};
use crate::captions::{ActionPlace, Caption};
use crate::layout::Layout;
use crate::legal::LegalList;
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
    /// The reasons why a game can end.
    pub endings: &'static [&'static str],
    /// Arrays that expose the raw state.
    pub arrays: &'static [ArraySpec],
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
    /// Why the game ended, as an index into [`Spec::endings`].
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

/// A game as the batched environment sees it: a small state without pointers. Equal states must
/// develop in the same way.
pub trait Game: Clone + PartialEq + Send + Sync + 'static {
    /// The options of the environment. Batches whose rules have the same `Display` text can
    /// exchange games and saved states.
    type Rules: Clone + fmt::Display + Send + Sync + 'static;

    /// The name of the environment.
    const NAME: &'static str;
    /// Changes whenever the behavior does.
    const VERSION: u32;

    /// Returns the sizes of the game under these rules.
    fn spec(rules: &Self::Rules) -> Spec;

    /// Returns what an illegal action does, unless the batch's options override it.
    fn illegal(_: &Self::Rules) -> Illegal {
        Illegal::Error
    }

    /// Returns the standard start.
    fn start(rules: &Self::Rules) -> Self;

    /// Parses a start position in the game's notation.
    ///
    /// # Errors
    /// Returns a message that says why the text is invalid.
    fn parse(rules: &Self::Rules, text: &str) -> Result<Self, String>;

    /// Returns the position in the game's notation.
    fn text(&self) -> String;

    /// Prefetches the memory that a step reads; by default the whole state.
    #[inline(always)]
    fn prefetch(&self) {
        cpu::prefetch(std::slice::from_ref(self));
    }

    /// Returns the players who may act.
    fn acting(&self) -> PlayerSet;

    /// Returns the view in which the acting player's action ids are given: the player's own, unless
    /// the game rotates the board by something else, such as a color.
    #[inline(always)]
    fn viewpoint(&self) -> usize {
        self.acting().only().unwrap_or(0)
    }

    /// Adds the legal actions of a player to an empty list.
    fn legal<C: Cpu>(&self, cpu: C, rules: &Self::Rules, player: usize, list: &mut LegalList<'_>);

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

    /// Writes one of [`Spec::arrays`], by index.
    fn array(&self, rules: &Self::Rules, index: usize, out: &mut [i32]);

    /// Serializes the whole state.
    fn save(&self, out: &mut Vec<u8>);

    /// Restores a state that [`Game::save`] has written.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid state.
    fn load(rules: &Self::Rules, bytes: &mut Bytes<'_>) -> Result<Self, LoadError>;
}

impl Status {
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        put(out, self.stage as u64);
        put(out, self.winner.map_or(u64::MAX, u64::from));
        put(out, self.ending.map_or(u64::MAX, u64::from));
        for player in 0..MAX_PLAYERS {
            put(out, u64::from(self.rewards[player].to_bits()));
            put(out, u64::from(self.scores[player].to_bits()));
            put(out, u64::from(self.alive[player]));
            put(out, u64::from(self.refused[player]));
        }
    }

    pub(crate) fn load(bytes: &mut Bytes<'_>) -> Result<Status, LoadError> {
        let stage = match bytes.below(3)? {
            0 => Stage::Ongoing,
            1 => Stage::Terminated,
            _ => Stage::Truncated,
        };
        let optional = |number: u64| match number {
            u64::MAX => Ok(None),
            number => u8::try_from(number)
                .map(Some)
                .map_err(|_| LoadError::Damaged("a number is out of range")),
        };
        let winner = optional(bytes.u64()?)?;
        let ending = optional(bytes.u64()?)?;
        let mut status = Status { stage, winner, ending, ..Status::ONGOING };
        for player in 0..MAX_PLAYERS {
            status.rewards[player] = f32::from_bits(bytes.below(1 << 32)? as u32);
            status.scores[player] = f32::from_bits(bytes.below(1 << 32)? as u32);
            status.alive[player] = bytes.below(2)? == 1;
            status.refused[player] = bytes.below(2)? == 1;
        }
        Ok(status)
    }
}
