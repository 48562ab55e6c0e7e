//! Blokus: Classic for two to four players, Duo, and other board sizes.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

mod arrays;
mod captions;
pub mod ids;
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
use fourfold_common::cpu::Cpu;

use crate::captions::{ActionPlace, Caption};
use crate::game::{Action, ArraySpec, Describe, Game, MAX_PLAYERS, PlayerSet, Spec, Stage, Status};
use crate::legal::ActionSink;
use crate::rewards;

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
                scores[player.index()] += self.0.position.advanced_score(color);
            }
        }
        scores
    }

    /// Returns which players may still place a piece, now or later.
    #[inline(always)]
    fn alive(&self) -> [bool; MAX_PLAYERS] {
        let mut alive = [false; MAX_PLAYERS];
        for &color in &Color::ALL[..COLORS] {
            let goes_on =
                self.0.position.turn() == Some(color) || !self.0.position.is_eliminated(color);
            match self.0.position.variant().owner(color) {
                Some(player) => alive[player.index()] |= goes_on,
                // All players place the shared color.
                None => alive.iter_mut().for_each(|alive| *alive |= goes_on),
            }
        }
        alive
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

/// Returns the rewards at the end of the game.
fn rewards(reward: Reward, scores: &[i32]) -> [f32; MAX_PLAYERS] {
    let best = scores.iter().max();
    match reward {
        // Already paid during the game.
        Reward::Points => [0.0; MAX_PLAYERS],
        Reward::Win => rewards::split_win(scores.len(), |player| Some(&scores[player]) == best),
        Reward::Difference => {
            let (all, count) = (scores.iter().sum::<i32>(), scores.len() as i32);
            let mut rewards = [0.0; MAX_PLAYERS];
            for (reward, &own) in rewards.iter_mut().zip(scores) {
                *reward = (count * own - all) as f32 / (count - 1) as f32;
            }
            rewards
        }
        Reward::Rank => {
            let mut rewards = rewards::ranks(scores);
            rewards[..scores.len()].iter_mut().for_each(|place| *place = (1.0 + *place) / 2.0);
            rewards
        }
    }
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
        let Some(&Action(id)) = actions.first() else { return };
        let Some(color) = self.0.position.turn() else { return };
        let size = rules.variant().size();
        let id = rules.transform(color).inverse().id(size, id);
        if let Some(placement) = Placement::from_id(size, id as usize) {
            let before = self.0.position.advanced_score(color);
            self.0.position.play_unchecked(placement);
            let scored = (self.0.position.advanced_score(color) - before) as u8;
            let owner = rules.variant().owner(color);
            (self.0.scorer, self.0.scored) =
                owner.map_or((0, 0), |player| (player.index() as u8, scored));
        }
    }

    #[inline(always)]
    fn status(&self, rules: &Rules<COLORS>, _: bool) -> Status {
        let scores = self.scores();
        let mut status = Status {
            scores: scores.map(|score| score as f32),
            alive: self.alive(),
            ..Status::ONGOING
        };
        if self.0.position.turn().is_none() {
            let scores = &scores[..rules.variant().players().len()];
            status.stage = Stage::Terminated;
            status.ending = Some(DONE);
            status.rewards = rewards(rules.reward, scores);
            let best = scores.iter().max();
            let mut winners = (0..scores.len()).filter(|&player| Some(&scores[player]) == best);
            status.winner =
                winners.next().filter(|_| winners.next().is_none()).map(|one| one as u8);
        }
        if rules.reward == Reward::Points {
            status.rewards[self.0.scorer as usize] = f32::from(self.0.scored) / POINTS_SCALE;
        }
        status
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
