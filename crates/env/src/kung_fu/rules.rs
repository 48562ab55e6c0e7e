//! What may differ between two environments of kung fu chess.

use std::fmt;

use fourfold_kung_fu::{Board, Eliminated, Game, Players, Rules as Play, Speed};

use crate::game::MAX_PLAYERS;
use crate::given::{Given, wrong};
use crate::make::MakeError;
use crate::options::View;

/// The game, and what learners see of it; `SIDE` is 8, or 12.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules<const SIDE: usize> {
    play: Play,
    /// The seated players in their order; 0 behind them.
    seated: [u8; MAX_PLAYERS],
    /// Ticks in a step.
    pub interval: u32,
    /// The tick at which a game is cut off.
    pub max_ticks: u32,
    /// How ids and observations are turned.
    pub view: View,
}

/// A tenth of a second.
const INTERVAL: u32 = 3;
/// Twenty minutes.
const MAX_TICKS: u32 = 36_000;
/// The longest step.
const MAX_INTERVAL: u32 = 1_000_000;
/// Rests up to this are exact in the floats of the tokens.
const MAX_REST: u32 = 1 << 24;

/// What both boards have options for.
const COMMON: [&str; 9] = [
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
const FOUR: [&str; 12] = {
    let mut all = ["seats", "teams", "eliminated", "", "", "", "", "", "", "", "", ""];
    let mut index = 0;
    while index < COMMON.len() {
        all[3 + index] = COMMON[index];
        index += 1;
    }
    all
};

impl Rules<8> {
    /// Rules from options as texts.
    ///
    /// # Errors
    /// If there is no such option, or a text is none of its values.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules<8>, MakeError> {
        let given = Given::new(super::NAMES[0], &COMMON, given)?;
        Rules::with(Play::STANDARD, &given)
    }
}

impl Rules<12> {
    /// Rules from options as texts.
    ///
    /// # Errors
    /// If there is no such option, a text is none of its values, or the seats do not fit.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules<12>, MakeError> {
        let given = Given::new(super::NAMES[1], &FOUR, given)?;
        let seats = given.text("seats").unwrap_or("1234");
        let play = Play::parse(&format!("12x12 seats={seats}")).ok();
        let play = play.filter(|play| play.seats.len() >= 2 && !seats.contains(' '));
        let expected = "not two, three or four of the digits 1234, ascending, like 134";
        let play = play.ok_or_else(|| wrong("seats", seats, expected))?;
        let switch = [("off", false), ("on", true)];
        let after = [("remove", Eliminated::Remove), ("freeze", Eliminated::Freeze)];
        let play = Play {
            teams: given.choice("teams", &switch, false)?,
            eliminated: given.choice("eliminated", &after, Eliminated::Remove)?,
            ..play
        };
        if let Err(error) = Game::create(play) {
            return Err(wrong("seats", seats, format!("not for teams: {error}")));
        }
        Rules::with(play, &given)
    }
}

impl Default for Rules<8> {
    fn default() -> Rules<8> {
        Rules::usual(Play::STANDARD)
    }
}

impl Default for Rules<12> {
    fn default() -> Rules<12> {
        Rules::usual(Play { board: Board::Twelve, seats: Players::FOUR, ..Play::STANDARD })
    }
}

impl<const SIDE: usize> Rules<SIDE> {
    const fn usual(play: Play) -> Rules<SIDE> {
        let mut seated = [0; MAX_PLAYERS];
        let (mut player, mut next) = (1, 0);
        while player <= MAX_PLAYERS as u8 {
            if play.seats.contains(player) {
                seated[next] = player;
                next += 1;
            }
            player += 1;
        }
        Rules { play, seated, interval: INTERVAL, max_ticks: MAX_TICKS, view: View::Own }
    }

    /// What both boards have options for.
    fn with(play: Play, given: &Given<'_>) -> Result<Rules<SIDE>, MakeError> {
        let speeds = [("standard", Speed::STANDARD), ("lightning", Speed::LIGHTNING)];
        let usual = given.choice("speed", &speeds, Speed::STANDARD)?;
        let ticks = |option, usual| given.number(option, 0..=Speed::MAX_TICKS, usual);
        let most = Speed::MAX_TICKS_PER_SQUARE;
        let speed = Speed {
            ticks_per_square: given.number("ticks_per_square", 1..=most, usual.ticks_per_square)?,
            rest: given.number("rest", 0..=MAX_REST, usual.rest)?,
            no_move: ticks("no_move", usual.no_move)?,
            no_capture: ticks("no_capture", usual.no_capture)?,
            no_draw_before: ticks("no_draw_before", usual.no_draw_before)?,
        };
        let rules = Rules::usual(Play { speed, ..play });
        Ok(Rules {
            interval: given.number("interval", 1..=MAX_INTERVAL, INTERVAL)?,
            max_ticks: given.number("max_ticks", 1..=u32::MAX, MAX_TICKS)?,
            view: given.choice("view", &View::NAMED, View::Own)?,
            ..rules
        })
    }

    /// The rules of the game itself.
    #[inline(always)]
    pub const fn play(&self) -> &Play {
        &self.play
    }

    /// How many play.
    #[inline(always)]
    pub const fn players(&self) -> usize {
        self.play.seats.len()
    }

    /// The number that the rules of the game have for a player, from 1 to 4.
    #[inline(always)]
    pub const fn number(&self, seat: usize) -> u8 {
        self.seated[seat % MAX_PLAYERS]
    }

    /// The player with a number; those who are not seated are nobody.
    #[inline(always)]
    pub(super) fn seat(&self, number: u8) -> Option<usize> {
        self.seated[..self.players()].iter().position(|&seated| seated == number)
    }

    /// Which view of the board a player has.
    #[inline(always)]
    pub(super) const fn turn(&self, seat: usize) -> usize {
        match self.view {
            View::Own => (self.number(seat).wrapping_sub(1) % 4) as usize,
            View::Absolute => 0,
        }
    }

    /// The player who comes first for a player who looks.
    #[inline(always)]
    pub(super) const fn first(&self, seat: usize) -> usize {
        match self.view {
            View::Own => seat,
            View::Absolute => 0,
        }
    }
}

/// Writes all of it: `8x8 standard, 3 ticks a step, view own, truncated after 36000 ticks`.
impl<const SIDE: usize> fmt::Display for Rules<SIDE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { play, seated: _, interval, max_ticks, view } = self;
        let view = view.name();
        write!(f, "{play}, {interval} ticks a step, view {view}, truncated after {max_ticks} ticks")
    }
}
