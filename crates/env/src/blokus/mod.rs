//! Blokus: Classic for two to four players, Duo, and other board sizes.

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

pub use fourfold_blokus::{Color, Player};
use fourfold_blokus::{Placement, Position};
use fourfold_common::cpu::Cpu;

use crate::bytes::{Bytes, LoadError, put, put_text};
use crate::captions::{ActionPlace, Caption};
use crate::game::{Action, Game, MAX_PLAYERS, PlayerSet, Spec, Stage, Status};
use crate::legal::LegalList;
use crate::rewards;

/// Reasons why games end, by ending code.
pub const ENDINGS: [&str; 2] = ["no placement left", "illegal action"];
/// The code of a game that ended by the rules.
const DONE: u8 = 0;
/// Points that correspond to a reward of 1 with [`Reward::Points`].
const POINTS_SCALE: f32 = 20.0;

/// A game of Blokus with four or two colors. Takes less than 1.5 kB.
#[derive(Clone, Debug)]
pub struct Blokus<const COLORS: usize> {
    position: Position,
    /// The player who owns the color placed last, and the points that the placement scored. The
    /// first player and 0 for the shared color.
    made: (Player, u8),
}

/// Four colors.
pub type Classic = Blokus<4>;
/// Two colors.
pub type Duo = Blokus<2>;

/// Compares what determines the rest of the game. Which colors are known to be finished is ignored:
/// a loaded position knows all of them, a played one only those that were skipped.
impl<const COLORS: usize> PartialEq for Blokus<COLORS> {
    fn eq(&self, other: &Blokus<COLORS>) -> bool {
        let (one, other) = (&self.position, &other.position);
        let same = |&color: &Color| {
            one.cells(color) == other.cells(color)
                && one.advanced_score(color) == other.advanced_score(color)
        };
        one.key() == other.key()
            && one.variant() == other.variant()
            && Color::ALL[..COLORS].iter().all(same)
    }
}

impl<const COLORS: usize> Blokus<COLORS> {
    const fn new(position: Position) -> Blokus<COLORS> {
        Blokus { position, made: (Player::ALL[0], 0) }
    }

    /// Returns the position.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the advanced scores of the players, summed over their colors.
    #[inline(always)]
    fn scores(&self) -> [i32; MAX_PLAYERS] {
        let mut scores = [0; MAX_PLAYERS];
        for &color in &Color::ALL[..COLORS] {
            if let Some(player) = self.position.variant().owner(color) {
                scores[player.index()] += self.position.advanced_score(color);
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
                self.position.turn() == Some(color) || !self.position.is_eliminated(color);
            match self.position.variant().owner(color) {
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
        let variant = self.position.variant();
        let turn = self.position.turn().unwrap_or(Color::ALL[0]);
        if self.position.player_to_move().map_or(0, Player::index) == player {
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
    const VERSION: u32 = 1;

    fn spec(rules: &Rules<COLORS>) -> Spec {
        let (variant, size) = (rules.variant(), rules.variant().size());
        Spec {
            players: variant.players().len(),
            actions: Placement::count(size) + 1,
            max_legal: ids::max_legal(size),
            simultaneous: false,
            observation: planes::layout(COLORS, size),
            endings: &ENDINGS,
            arrays: arrays::arrays(COLORS, size),
        }
    }

    fn start(rules: &Rules<COLORS>) -> Blokus<COLORS> {
        Blokus::new(Position::start(rules.variant()))
    }

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
        self.position.to_string()
    }

    #[inline(always)]
    fn acting(&self) -> PlayerSet {
        // A finished game is shown from the first player's view.
        PlayerSet::one(self.position.player_to_move().map_or(0, Player::index))
    }

    #[inline(always)]
    fn viewpoint(&self) -> usize {
        self.position.turn().map_or(0, Color::index)
    }

    #[inline(always)]
    fn legal<C: Cpu>(&self, _: C, rules: &Rules<COLORS>, _: usize, list: &mut LegalList<'_>) {
        if let Some(color) = self.position.turn() {
            ids::list(&self.position, color, rules.transform(color), list);
        }
    }

    #[inline(always)]
    fn apply(&mut self, rules: &Rules<COLORS>, actions: &[Action]) {
        let Some(&Action(id)) = actions.first() else { return };
        let Some(color) = self.position.turn() else { return };
        let size = rules.variant().size();
        let id = rules.transform(color).inverse().id(size, id);
        if let Some(placement) = Placement::from_id(size, id as usize) {
            let before = self.position.advanced_score(color);
            self.position.play_unchecked(placement);
            self.made = match rules.variant().owner(color) {
                Some(player) => (player, (self.position.advanced_score(color) - before) as u8),
                None => (Player::ALL[0], 0),
            };
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
        if self.position.turn().is_none() {
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
            let (player, points) = self.made;
            status.rewards[player.index()] = f32::from(points) / POINTS_SCALE;
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
        planes::write(&self.position, rules, self.viewer(player), planes, scalars);
    }

    fn absolute(rules: &Rules<COLORS>, color: usize, Action(id): Action) -> Action {
        Action(rules.transform(Color::ALL[color % COLORS]).inverse().id(rules.variant().size(), id))
    }

    fn relative(rules: &Rules<COLORS>, color: usize, Action(id): Action) -> Action {
        Action(rules.transform(Color::ALL[color % COLORS]).id(rules.variant().size(), id))
    }

    fn write_action(&self, rules: &Rules<COLORS>, _: usize, action: Action) -> Option<String> {
        let Action(id) = Self::absolute(rules, self.viewpoint(), action);
        let size = rules.variant().size();
        Some(Placement::from_id(size, id as usize)?.to_text(size))
    }

    fn read_action(&self, rules: &Rules<COLORS>, _: usize, text: &str) -> Result<Action, String> {
        let placement = self.position.parse_move(text).map_err(|error| error.to_string())?;
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

    fn array(&self, _: &Rules<COLORS>, index: usize, out: &mut [i32]) {
        arrays::write(&self.position, index, out);
    }

    fn save(&self, out: &mut Vec<u8>) {
        put_text(out, &self.text());
        put(out, self.made.0.index() as u64);
        put(out, u64::from(self.made.1));
    }

    fn load(rules: &Rules<COLORS>, bytes: &mut Bytes<'_>) -> Result<Blokus<COLORS>, LoadError> {
        let mut game = Blokus::parse(rules, bytes.text()?)
            .map_err(|_| LoadError::Damaged("a position is not legal"))?;
        game.made =
            (Player::ALL[bytes.below(MAX_PLAYERS as u64)? as usize], bytes.below(1 << 8)? as u8);
        Ok(game)
    }
}
