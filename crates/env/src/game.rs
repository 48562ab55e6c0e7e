//! What the batched environment asks of a game, and no more.

use std::fmt;

use fourfold_board::cpu::{self, Cpu};

use crate::bytes::{Bytes, LoadError, put};
use crate::layout::Layout;
use crate::legal::LegalList;
use crate::options::Illegal;
use crate::pictures::{Caption, Place};

/// No game here has more players.
pub const MAX_PLAYERS: usize = 4;

/// An action by its id, below the game's number of actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(pub u32);

/// The players that may act now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seats(u8);

impl Seats {
    /// One player alone.
    #[inline]
    pub const fn one(seat: usize) -> Seats {
        Seats(1 << seat)
    }

    /// Players by bits, the first one lowest.
    #[inline]
    pub const fn from_bits(bits: u8) -> Seats {
        Seats(bits)
    }

    /// Whether this player may act.
    #[inline]
    pub const fn contains(self, seat: usize) -> bool {
        self.0 >> seat & 1 != 0
    }

    /// The player, if exactly one may act.
    #[inline]
    pub const fn only(self) -> Option<usize> {
        if self.0.is_power_of_two() { Some(self.0.trailing_zeros() as usize) } else { None }
    }
}

/// The sizes of a game, which follow from its rules.
#[derive(Clone, Debug)]
pub struct Spec {
    /// How many players there are.
    pub players: usize,
    /// How many action ids there are.
    pub actions: usize,
    /// The most actions that can be legal at once.
    pub max_legal: usize,
    /// Whether all players act in each step; each then has a mask and a view of its own.
    pub simultaneous: bool,
    /// What an observation looks like.
    pub observation: Layout,
    /// The reasons for which a game ends.
    pub endings: &'static [&'static str],
    /// Arrays that show the state as it is, for all who want to look inside.
    pub arrays: &'static [ArraySpec],
}

impl Spec {
    /// Actions, masks and observations that a game has in each step: one, or one for each player.
    pub const fn mask_rows(&self) -> usize {
        if self.simultaneous { self.players } else { 1 }
    }

    /// Numbers in the list of a player's legal actions: their count, then the actions.
    pub const fn list_len(&self) -> usize {
        1 + self.max_legal
    }

    /// Bytes in a packed mask.
    pub const fn mask_bytes(&self) -> usize {
        self.actions.div_ceil(8)
    }
}

/// An array of whole numbers that a state can be read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArraySpec {
    /// Its name.
    pub name: &'static str,
    /// Its shape for one game; empty for a single number.
    pub shape: &'static [usize],
}

/// How a game stands after a step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Status {
    /// Whether it is over.
    pub stage: Stage,
    /// What each player got in the last step.
    pub rewards: [f32; MAX_PLAYERS],
    /// Points, in games that have them.
    pub scores: [f32; MAX_PLAYERS],
    /// Who is still in the game.
    pub alive: [bool; MAX_PLAYERS],
    /// Who has won, if one player has.
    pub winner: Option<u8>,
    /// Which of [`Spec::endings`] ended it.
    pub ending: Option<u8>,
    /// Where all act: whose action of the last step was legal when the step began and was refused when
    /// its turn came.
    pub refused: [bool; MAX_PLAYERS],
}

impl Status {
    /// Everybody plays on.
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

/// Whether a game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// It does.
    Ongoing,
    /// The rules have ended it.
    Terminated,
    /// It was cut off: nobody knows how it would have ended.
    Truncated,
}

/// A game as learners handle it: a small state without pointers. Equal states go on in the same way.
pub trait Game: Clone + PartialEq + Send + Sync + 'static {
    /// All that may differ between two environments of this game. As text, equal rules are equal.
    type Rules: Clone + fmt::Display + Send + Sync + 'static;

    /// What the environment is called.
    const NAME: &'static str;
    /// Changes whenever the behaviour does.
    const VERSION: u32;

    /// The sizes.
    fn spec(rules: &Self::Rules) -> Spec;

    /// What an illegal action does, unless the batch's options say otherwise.
    fn illegal(_: &Self::Rules) -> Illegal {
        Illegal::Error
    }

    /// The game's own start.
    fn start(rules: &Self::Rules) -> Self;

    /// A start from the game's notation.
    ///
    /// # Errors
    /// A message that says what is wrong with the text.
    fn parse(rules: &Self::Rules, text: &str) -> Result<Self, String>;

    /// The position in the game's notation.
    fn text(&self) -> String;

    /// Asks for the memory that a step will read: all of it, where it is not known better.
    #[inline(always)]
    fn prefetch(&self) {
        cpu::prefetch(std::slice::from_ref(self));
    }

    /// Who may act.
    fn acting(&self) -> Seats;

    /// Whose view the ids of the acting player are made for: its seat, unless the game turns the
    /// board to something else.
    #[inline(always)]
    fn viewpoint(&self) -> usize {
        self.acting().only().unwrap_or(0)
    }

    /// Adds the legal actions of a player to an empty list.
    fn legal<C: Cpu>(&self, cpu: C, rules: &Self::Rules, seat: usize, list: &mut LegalList<'_>);

    /// Plays one legal action for each acting player, in the order of the seats.
    fn apply(&mut self, rules: &Self::Rules, actions: &[Action]);

    /// How the game stands; `may_move` says whether an acting player has a legal action.
    fn status(&self, rules: &Self::Rules, may_move: bool) -> Status;

    /// Writes what a player sees: the planes packed as the layout says, and the scalars.
    fn observe(&self, rules: &Self::Rules, seat: usize, planes: &mut [u8], scalars: &mut [f32]);

    /// Works out from a view's scalars the numbers that stand on single squares: calls `set` with a
    /// square, a channel that is [`Channel::Numbers`](crate::Channel) and the number.
    #[inline(always)]
    fn paint(_: &Self::Rules, _scalars: &[f32], _set: impl FnMut(usize, usize, f32)) {}

    /// An id of one [viewpoint](Game::viewpoint), as seen from the first seat.
    fn absolute(rules: &Self::Rules, viewpoint: usize, action: Action) -> Action;

    /// An id as seen from the first seat, as one [viewpoint](Game::viewpoint) has it: the inverse of
    /// [`Game::absolute`].
    fn relative(rules: &Self::Rules, viewpoint: usize, action: Action) -> Action;

    /// An action of a player as people write it; nothing if it means no move here. Where players take
    /// turns it is the acting player's, whatever the seat.
    fn write_action(&self, rules: &Self::Rules, seat: usize, action: Action) -> Option<String>;

    /// A legal action of a player as people write it.
    ///
    /// # Errors
    /// A message that says what is wrong with the text.
    fn read_action(&self, rules: &Self::Rules, seat: usize, text: &str) -> Result<Action, String>;

    /// What the channels of an observation are called, in their order; none if nobody has named them.
    fn channel_names(_: &Self::Rules) -> Vec<Caption> {
        Vec::new()
    }

    /// What the pictures are called in which actions are drawn; none if they are not.
    fn action_planes(_: &Self::Rules) -> Vec<Caption> {
        Vec::new()
    }

    /// Where an action stands in these pictures; nowhere if it belongs to no square.
    fn place(_: &Self::Rules, _: Action) -> Option<Place> {
        None
    }

    /// Writes one of [`Spec::arrays`].
    fn array(&self, rules: &Self::Rules, index: usize, out: &mut [i32]);

    /// Writes the whole state.
    fn save(&self, out: &mut Vec<u8>);

    /// Reads a state that [`Game::save`] has written.
    ///
    /// # Errors
    /// If the bytes are no state.
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
