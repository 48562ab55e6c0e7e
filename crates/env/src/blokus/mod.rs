//! Blokus: Classic for two to four players, Duo, and other board sizes.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

mod arrays;
mod captions;
pub mod ids;
mod lanes;
mod planes;
mod rules;
mod symmetry;

pub use crate::options::View;
pub use ids::Transform;
pub(crate) use rules::{CLASSIC_OPTIONS, DUO_OPTIONS};
pub use rules::{Reward, Rules};
pub use symmetry::Symmetry;

use bytemuck::{Pod, Zeroable};
pub use fourfold_blokus::{Color, Player};
use fourfold_blokus::{Placement, Position};
use fourfold_common::cpu::{Cpu, IS_GPU};

use crate::captions::{ActionPlace, Caption};
use crate::game::{Action, ArraySpec, Describe, Game, MAX_PLAYERS, PlayerSet, Spec, Stage, Status};
use crate::legal::ActionSink;

/// Reasons why games end, by ending code.
pub const ENDINGS: [&str; 1] = ["no placement left"];
/// The code of a game that ended by the rules.
const DONE: u8 = 0;
/// Points that correspond to a reward of 1 with [`Reward::Points`].
const POINTS_SCALE: f32 = 20.0;

/// A game of Blokus with four or two colors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Blokus<const COLORS: usize>(State);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
struct State {
    position: Position,
    /// The index of the player who owns the color placed last, and the points that the placement
    /// scored; 0 and 0 for the shared color.
    scorer: u8,
    scored: u8,
    padding: [u8; 6],
}

/// Four colors.
pub type Classic = Blokus<4>;
/// Two colors.
pub type Duo = Blokus<2>;

impl<const COLORS: usize> Blokus<COLORS> {
    const fn new(position: Position) -> Blokus<COLORS> {
        Blokus(State { position, scorer: 0, scored: 0, padding: [0; 6] })
    }

    /// Returns the position.
    pub const fn position(&self) -> &Position {
        &self.0.position
    }

    /// Returns the advanced scores of the players, summed over their colors.
    #[inline(always)]
    fn scores(&self) -> [i32; MAX_PLAYERS] {
        let mut scores = [0; MAX_PLAYERS];
        for &color in &Color::ALL[..COLORS] {
            if let Some(player) = self.0.position.variant().owner(color) {
                let score = self.0.position.advanced_score(color);
                change(&mut scores, player.index(), |sum| *sum += score);
            }
        }
        scores
    }

    /// Returns which players may still place a piece, now or later. `can_place` says whether a color that is not to
    /// move can place one.
    #[inline(always)]
    fn alive(&self, can_place: impl Fn(Color) -> bool) -> [bool; MAX_PLAYERS] {
        let mut alive = [false; MAX_PLAYERS];
        for &color in &Color::ALL[..COLORS] {
            let goes_on = self.0.position.turn() == Some(color) || can_place(color);
            match self.0.position.variant().owner(color) {
                Some(player) => change(&mut alive, player.index(), |alive| *alive |= goes_on),
                // All players place the shared color.
                None => alive.iter_mut().for_each(|alive| *alive |= goes_on),
            }
        }
        alive
    }

    /// Plays a placement, given by its id, with a function that changes the position.
    #[inline(always)]
    fn apply_with(
        &mut self,
        rules: &Rules<COLORS>,
        actions: &[Action],
        play: impl FnOnce(&mut Position, Placement),
    ) {
        let Some(&Action(id)) = actions.first() else { return };
        let Some(color) = self.0.position.turn() else { return };
        let size = rules.variant().size();
        let seen = Placement::from_id(size, id as usize);
        let turn = rules.transform(color).inverse();
        if let Some(placement) = seen.and_then(|seen| turn.placement(size, seen)) {
            let before = self.0.position.advanced_score(color);
            play(&mut self.0.position, placement);
            let scored = (self.0.position.advanced_score(color) - before) as u8;
            let owner = rules.variant().owner(color);
            (self.0.scorer, self.0.scored) =
                owner.map_or((0, 0), |player| (player.index() as u8, scored));
        }
    }

    /// Returns the status, given whether each color that is not to move can place a piece.
    #[inline(always)]
    fn status_by(&self, rules: &Rules<COLORS>, can_place: impl Fn(Color) -> bool) -> Status {
        let scores = self.scores();
        let mut status = Status {
            scores: scores.map(|score| score as f32),
            alive: self.alive(can_place),
            ..Status::ONGOING
        };
        if self.0.position.turn().is_none() {
            let players = rules.variant().players().len();
            status.stage = Stage::Terminated;
            status.ending = Some(DONE);
            status.rewards = rewards(rules.reward, scores, players);
            let winners = winners(scores, players);
            let winner = (winners.count_ones() == 1).then(|| winners.trailing_zeros() as u8);
            status.winner = winner;
        }
        if rules.reward == Reward::Points {
            let scored = f32::from(self.0.scored) / POINTS_SCALE;
            let scorer = usize::from(self.0.scorer);
            change(&mut status.rewards, scorer, |reward| *reward = scored);
        }
        status
    }

    /// Returns the color whose view a player has: the color to place if it is the player's turn,
    /// otherwise the player's next color.
    #[inline(always)]
    fn viewer(&self, player: usize) -> Color {
        let variant = self.0.position.variant();
        let turn = self.0.position.turn().unwrap_or(Color::ALL[0]);
        if self.0.position.player_to_move().map_or(0, Player::index) == player {
            return turn;
        }
        let next = (0..COLORS).map(|step| Color::ALL[(turn.index() + step) % COLORS]);
        let owns =
            |color: &Color| variant.owner(*color).is_some_and(|owner| owner.index() == player);
        next.into_iter().find(owns).unwrap_or(turn)
    }
}

/// Changes the value of a player. An index known only at run time is slow on a GPU.
#[inline(always)]
fn change<T>(values: &mut [T; MAX_PLAYERS], player: usize, change: impl Fn(&mut T)) {
    if IS_GPU {
        for (index, value) in values.iter_mut().enumerate() {
            if index == player {
                change(value);
            }
        }
    } else {
        change(&mut values[player]);
    }
}

/// Returns the players with the most points, as bits.
#[inline(always)]
fn winners(scores: [i32; MAX_PLAYERS], players: usize) -> u32 {
    let points = |player: usize| if player < players { scores[player] } else { i32::MIN };
    let best = (0..MAX_PLAYERS).map(points).fold(i32::MIN, i32::max);
    (0..MAX_PLAYERS)
        .fold(0, |winners, player| winners | u32::from(points(player) == best) << player)
}

/// Returns the rewards at the end of the game.
// All loops are over all possible players, because an index known only at run time is slow on a GPU, as is a call that
// passes arrays.
#[cfg_attr(target_arch = "nvptx64", inline(always))]
fn rewards(reward: Reward, scores: [i32; MAX_PLAYERS], players: usize) -> [f32; MAX_PLAYERS] {
    let winners = winners(scores, players);
    let all: i32 = scores.iter().sum();
    core::array::from_fn(|player| {
        let (own, count) = (scores[player], players as i32);
        let reward = match reward {
            // Already paid during the game.
            Reward::Points => 0.0,
            Reward::Win if winners >> player & 1 != 0 => 1.0 / winners.count_ones() as f32,
            Reward::Win => 0.0,
            Reward::Difference => (count * own - all) as f32 / (count - 1) as f32,
            Reward::Rank => {
                let others = (0..MAX_PLAYERS).filter(|&other| other < players);
                let steps: i32 = others.map(|other| own.cmp(&scores[other]) as i32).sum();
                (1.0 + steps as f32 / (players as f32 - 1.0)) / 2.0
            }
        };
        if player < players { reward } else { 0.0 }
    })
}

impl<const COLORS: usize> Game for Blokus<COLORS> {
    type Rules = Rules<COLORS>;

    const NAME: &'static str = if COLORS == 4 { "blokus" } else { "blokus_duo" };
    const VERSION: u32 = 2;

    fn spec(rules: &Rules<COLORS>) -> Spec {
        let (variant, size) = (rules.variant(), rules.variant().size());
        Spec {
            players: variant.players().len(),
            actions: Placement::count(size) + 1,
            max_legal: ids::max_legal(size),
            simultaneous: false,
            observation: planes::layout(COLORS, size),
            endings: &ENDINGS,
        }
    }

    fn start(rules: &Rules<COLORS>) -> Blokus<COLORS> {
        Blokus::new(Position::start(rules.variant()))
    }

    fn is_valid(&self, rules: &Rules<COLORS>) -> bool {
        let State { position, scorer, padding, .. } = &self.0;
        position.variant() == rules.variant()
            && position.is_valid()
            && usize::from(*scorer) < rules.variant().players().len()
            && *padding == [0; 6]
    }

    #[inline(always)]
    fn acting(&self) -> PlayerSet {
        // A finished game is shown from the first player's view.
        PlayerSet::one(self.0.position.player_to_move().map_or(0, Player::index))
    }

    #[inline(always)]
    fn viewpoint(&self) -> usize {
        self.0.position.turn().map_or(0, Color::index)
    }

    #[inline(always)]
    fn legal<C: Cpu>(&self, _: C, rules: &Rules<COLORS>, _: usize, sink: &mut impl ActionSink) {
        if let Some(color) = self.0.position.turn() {
            ids::generate(&self.0.position, color, rules.transform(color), sink);
        }
    }

    #[inline(always)]
    fn apply(&mut self, rules: &Rules<COLORS>, actions: &[Action]) {
        self.apply_with(rules, actions, |position, placement| position.play_unchecked(placement));
    }

    #[inline(always)]
    fn status(&self, rules: &Rules<COLORS>, _: bool) -> Status {
        self.status_by(rules, |color| !self.0.position.is_eliminated(color))
    }

    #[inline(always)]
    fn observe(
        &self,
        rules: &Rules<COLORS>,
        player: usize,
        planes: &mut [u8],
        scalars: &mut [f32],
    ) {
        planes::write(&self.0.position, rules, self.viewer(player), planes, scalars);
    }

    fn absolute(rules: &Rules<COLORS>, color: usize, Action(id): Action) -> Action {
        Action(rules.transform(Color::ALL[color % COLORS]).inverse().id(rules.variant().size(), id))
    }

    fn relative(rules: &Rules<COLORS>, color: usize, Action(id): Action) -> Action {
        Action(rules.transform(Color::ALL[color % COLORS]).id(rules.variant().size(), id))
    }
}

impl<const COLORS: usize> Describe for Blokus<COLORS> {
    fn parse(rules: &Rules<COLORS>, text: &str) -> Result<Blokus<COLORS>, String> {
        let position = Position::parse(text).map_err(|error| error.to_string())?;
        let (found, expected) = (position.variant(), rules.variant());
        if found == expected {
            Ok(Blokus::new(position))
        } else {
            Err(format!("expected a position of {expected}, got one of {found}"))
        }
    }

    fn text(&self) -> String {
        self.0.position.to_string()
    }

    fn write_action(&self, rules: &Rules<COLORS>, _: usize, action: Action) -> Option<String> {
        let Action(id) = Self::absolute(rules, self.viewpoint(), action);
        let size = rules.variant().size();
        Some(Placement::from_id(size, id as usize)?.to_text(size))
    }

    fn read_action(&self, rules: &Rules<COLORS>, _: usize, text: &str) -> Result<Action, String> {
        let placement = self.0.position.parse_move(text).map_err(|error| error.to_string())?;
        let id = placement.id(rules.variant().size());
        Ok(Self::relative(rules, self.viewpoint(), Action(id as u32)))
    }

    fn channel_names(_: &Rules<COLORS>) -> Vec<Caption> {
        captions::channels(COLORS)
    }

    fn action_planes(_: &Rules<COLORS>) -> Vec<Caption> {
        captions::planes()
    }

    fn action_place(rules: &Rules<COLORS>, action: Action) -> Option<ActionPlace> {
        captions::place(rules.variant().size(), action)
    }

    fn arrays(rules: &Rules<COLORS>) -> &'static [ArraySpec] {
        arrays::arrays(COLORS, rules.variant().size())
    }

    fn array(&self, _: &Rules<COLORS>, index: usize, out: &mut [i32]) {
        arrays::write(&self.0.position, index, out);
    }
}
