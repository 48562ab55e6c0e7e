//! The options of the kung fu chess environments.

use alloc::format;
use core::fmt;

use fourfold_kung_fu::{Board, EliminatedPieces, Game, Player, Players, Rules as Play, Timing};

use super::{Eight, Twelve};
use crate::game::{Game as _, MAX_PLAYERS};
use crate::make_error::MakeError;
use crate::option_values::{OptionValues, SWITCH, invalid_option};
use crate::options::View;

/// The rules of play and the options of the environment; `SIDE` is 8 or 12.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules<const SIDE: usize> {
    play: Play,
    /// The indices of the players in the game in ascending order, followed by those of the others: a byte each.
    /// A word, because an array would be in memory on a GPU.
    players: u32,
    /// Ticks per step.
    pub interval: u32,
    /// The tick at which a game is truncated.
    pub max_ticks: u32,
    /// The view of action ids and observations.
    pub view: View,
}

/// The default length of a step: a tenth of a second.
const INTERVAL: u32 = 3;
/// The default limit of a game: twenty minutes.
const MAX_TICKS: u32 = 36_000;
/// The longest step, in ticks.
const MAX_INTERVAL: u32 = 1_000_000;
/// The longest rest that the `f32` tokens represent exactly.
const MAX_REST: u32 = 1 << 24;

/// The names of the options on 12×12; those from the fourth on exist on both boards.
pub(crate) const FOUR_PLAYER_OPTIONS: [&str; 12] = [
    "seats",
    "teams",
    "eliminated",
    "speed",
    "ticks_per_square",
    "rest",
    "no_move",
    "no_capture",
    "no_draw_before",
    "interval",
    "max_ticks",
    "view",
];
/// The names of the options on 8×8.
pub(crate) static OPTIONS: &[&str] = FOUR_PLAYER_OPTIONS.split_at(3).1;

impl Rules<8> {
    /// Parses the rules from pairs of option name and value.
    ///
    /// # Errors
    /// Returns an error if there is no such option, or a value is invalid.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules<8>, MakeError> {
        let given = OptionValues::new(Eight::NAME, OPTIONS, given)?;
        Rules::with(Play::STANDARD, &given)
    }
}

impl Rules<12> {
    /// Parses the rules from pairs of option name and value.
    ///
    /// # Errors
    /// Returns an error if there is no such option, a value is invalid, or the seats do not allow
    /// teams.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules<12>, MakeError> {
        let given = OptionValues::new(Twelve::NAME, &FOUR_PLAYER_OPTIONS, given)?;
        let seats = given.text("seats").unwrap_or("1234");
        let play = Play::parse(&format!("12x12 players={seats}")).ok();
        let play = play.filter(|play| play.players.len() >= 2 && !seats.contains(' '));
        let expected = "expected two, three or four of the digits 1234, ascending, such as 134";
        let play = play.ok_or_else(|| invalid_option("seats", seats, expected))?;
        let after = [("remove", EliminatedPieces::Remove), ("freeze", EliminatedPieces::Freeze)];
        let play = Play {
            teams: given.choice("teams", &SWITCH, false)?,
            eliminated: given.choice("eliminated", &after, EliminatedPieces::Remove)?,
            ..play
        };
        if let Err(error) = Game::new(play) {
            return Err(invalid_option(
                "seats",
                seats,
                format!("not possible with teams: {error}"),
            ));
        }
        Rules::with(play, &given)
    }
}

impl Default for Rules<8> {
    fn default() -> Rules<8> {
        Rules::default(Play::STANDARD)
    }
}

impl Default for Rules<12> {
    fn default() -> Rules<12> {
        Rules::default(Play { board: Board::Twelve, players: Players::FOUR, ..Play::STANDARD })
    }
}

impl<const SIDE: usize> Rules<SIDE> {
    pub(super) const fn default(play: Play) -> Rules<SIDE> {
        let mut players = 0;
        let (mut index, mut next, mut last) = (0, 0, MAX_PLAYERS);
        while index < MAX_PLAYERS {
            let player = Player::ALL[index];
            let place = if play.players.contains(player) {
                next += 1;
                next - 1
            } else {
                last -= 1;
                last
            };
            players |= (index as u32) << (8 * place);
            index += 1;
        }
        Rules { play, players, interval: INTERVAL, max_ticks: MAX_TICKS, view: View::Own }
    }

    /// Applies the options that both boards have.
    fn with(play: Play, given: &OptionValues<'_>) -> Result<Rules<SIDE>, MakeError> {
        let speeds = [("standard", Timing::STANDARD), ("lightning", Timing::LIGHTNING)];
        let default = given.choice("speed", &speeds, Timing::STANDARD)?;
        let ticks = |option, default| given.number(option, 0..=Timing::MAX_TICKS, default);
        let most = Timing::MAX_TICKS_PER_SQUARE;
        let speed = Timing {
            ticks_per_square: given.number(
                "ticks_per_square",
                1..=most,
                default.ticks_per_square,
            )?,
            rest: given.number("rest", 0..=MAX_REST, default.rest)?,
            no_move: ticks("no_move", default.no_move)?,
            no_capture: ticks("no_capture", default.no_capture)?,
            no_draw_before: ticks("no_draw_before", default.no_draw_before)?,
        };
        let rules = Rules::default(Play { speed, ..play });
        Ok(Rules {
            interval: given.number("interval", 1..=MAX_INTERVAL, INTERVAL)?,
            max_ticks: given.number("max_ticks", 1..=u32::MAX, MAX_TICKS)?,
            view: given.choice("view", &View::NAMED, View::Own)?,
            ..rules
        })
    }

    /// Returns the rules of play.
    #[inline(always)]
    pub const fn play(&self) -> &Play {
        &self.play
    }

    /// Returns the number of players.
    #[inline(always)]
    pub const fn players(&self) -> usize {
        self.play.players.len()
    }

    /// Returns the player with an index, or one who does not play if the index is too large.
    #[inline(always)]
    pub const fn player(&self, index: usize) -> Player {
        Player::from_index(self.players as usize >> (index % MAX_PLAYERS * 8))
    }

    /// Returns the index of a player, or `None` if the player is not in the game.
    #[inline(always)]
    pub(super) fn index_of(&self, player: Player) -> Option<usize> {
        (0..self.players()).find(|&index| self.player(index) == player)
    }

    /// Returns the index of a player's view among `squares::views`.
    #[inline(always)]
    pub(super) const fn turn(&self, player: usize) -> usize {
        match self.view {
            View::Own => self.player(player).index(),
            View::Absolute => 0,
        }
    }

    /// Returns the player who comes first in the observation of `viewer`.
    #[inline(always)]
    pub(super) const fn first(&self, viewer: usize) -> usize {
        match self.view {
            View::Own => viewer,
            View::Absolute => 0,
        }
    }
}

/// Writes all options: `8x8 standard, 3 ticks a step, view own, truncated after 36000 ticks`.
impl<const SIDE: usize> fmt::Display for Rules<SIDE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { play, players: _, interval, max_ticks, view } = self;
        let view = view.name();
        write!(f, "{play}, {interval} ticks a step, view {view}, truncated after {max_ticks} ticks")
    }
}
