//! The options of the four-player chess environment.

use core::fmt;

use fourfold_four_player::{
    Ending, KingCapture, MateTiming, Mode, Player, Points, Rules as Play, StartPosition, Winner,
};

use super::FourPlayer;
use super::labels::{Labels, PLANES, TEAM_PLANES};
use crate::game::Game;
use crate::make_error::MakeError;
use crate::option_values::{OptionValues, invalid_option, name_of};
use crate::options::{Illegal, View};

/// The rules of play and the options of the environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The rules of play. [`Rules::from_options`] always turns `walking_king` off.
    pub play: Play,
    /// The initial setup.
    pub opening: StartPosition,
    /// How players are rewarded.
    pub reward: Reward,
    /// How moves are encoded as action ids.
    pub actions: Actions,
    /// The view of action ids and observations.
    pub view: View,
    /// The game is truncated after this many steps.
    pub max_steps: u32,
    /// What an illegal action does, unless the batch's options override it.
    pub illegal: Illegal,
}

/// How players are rewarded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// In every step, the points gained in it, divided by 20. Not available in teams, which have no
    /// points.
    Points,
    /// At the end, the rank by points from 1 for the first to −1 for the last; tied players get the
    /// same reward.
    Rank,
    /// At the end, 1 split equally among the winners, or among all players if a team game is drawn.
    Win,
    /// At the end of a team game, 1 for the winners and −1 for the losers.
    Team,
}

impl Reward {
    const NAMED: [(&'static str, Reward); 4] = [
        ("points", Reward::Points),
        ("rank", Reward::Rank),
        ("win", Reward::Win),
        ("team", Reward::Team),
    ];
}

/// How moves are encoded as action ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actions {
    /// By square and plane.
    Planes,
    /// By origin, target and promotion.
    Flat,
}

impl Actions {
    const NAMED: [(&'static str, Actions); 2] =
        [("planes", Actions::Planes), ("flat", Actions::Flat)];
}

impl Rules {
    /// Free-for-all, rewarded by points.
    pub const FREE_FOR_ALL: Rules = Rules {
        play: Play::FREE_FOR_ALL,
        opening: StartPosition::Modern,
        reward: Reward::Points,
        actions: Actions::Planes,
        view: View::Own,
        max_steps: 500,
        illegal: Illegal::Error,
    };

    /// Two against two.
    pub const TEAMS: Rules =
        Rules { play: Play::TEAMS, reward: Reward::Team, ..Rules::FREE_FOR_ALL };

    /// Free-for-all with the points of the legacy interface; an illegal action is ignored.
    pub const LEGACY: Rules = Rules {
        play: Play { points: Points::LEGACY, ..Play::FREE_FOR_ALL },
        illegal: Illegal::Ignore,
        ..Rules::FREE_FOR_ALL
    };

    /// Free-for-all as on chess.com, as far as [`Play::CHESS_COM`] is.
    pub const CHESS_COM: Rules = Rules { play: Play::CHESS_COM, ..Rules::FREE_FOR_ALL };

    /// Parses the rules from pairs of option name and value: `preset`, and options that override
    /// it.
    ///
    /// # Errors
    /// Returns an error if there is no such option, or a value is invalid.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules, MakeError> {
        let given = OptionValues::new(FourPlayer::NAME, &OPTIONS, given)?;
        let presets = [
            ("standard", Rules::FREE_FOR_ALL),
            ("chess.com", Rules::CHESS_COM),
            ("legacy", Rules::LEGACY),
        ];
        let mut rules = given.choice("preset", &presets, Rules::FREE_FOR_ALL)?;
        rules.play = play(&given, rules.play)?;
        let openings = StartPosition::ALL.map(|opening| (opening.name(), opening));
        rules.opening = given.choice("setup", &openings, rules.opening)?;
        let default = match rules.play.mode {
            Mode::FreeForAll => Reward::Points,
            Mode::Teams => Reward::Team,
        };
        rules.reward = given.choice("reward", &Reward::NAMED, default)?;
        match (rules.play.mode, rules.reward) {
            (Mode::FreeForAll, Reward::Points | Reward::Rank | Reward::Win)
            | (Mode::Teams, Reward::Win | Reward::Team) => {}
            (Mode::FreeForAll, Reward::Team) => {
                return Err(invalid_option("reward", "team", "allowed only in teams"));
            }
            (Mode::Teams, reward @ (Reward::Points | Reward::Rank)) => {
                let text = name_of(&Reward::NAMED, &reward);
                let expected = "allowed only in free-for-all, teams have no points";
                return Err(invalid_option("reward", text, expected));
            }
        }
        rules.actions = given.choice("actions", &Actions::NAMED, rules.actions)?;
        rules.view = given.choice("view", &View::NAMED, rules.view)?;
        rules.max_steps = given.number("max_steps", 1..=u32::MAX, rules.max_steps)?;
        Ok(rules)
    }

    /// Returns the encoding of a player's moves.
    #[inline(always)]
    pub const fn labels(&self, mover: Player) -> Labels {
        let viewer = match self.view {
            View::Own => mover,
            View::Absolute => Player::Red,
        };
        match (self.actions, self.play.mode) {
            (Actions::Planes, Mode::FreeForAll) => Labels::Planes { planes: PLANES, viewer },
            (Actions::Planes, Mode::Teams) => Labels::Planes { planes: TEAM_PLANES, viewer },
            (Actions::Flat, _) => Labels::Flat,
        }
    }
}

/// The names of the options.
pub(crate) const OPTIONS: [&str; 15] = [
    "preset",
    "mode",
    "setup",
    "reward",
    "actions",
    "view",
    "max_steps",
    "points",
    "king_capture",
    "mate_timing",
    "winner",
    "repetition",
    "quiet",
    "bare_kings",
    "award_kings",
];

/// Returns the rules of play with the options applied.
fn play(given: &OptionValues<'_>, default: Play) -> Result<Play, MakeError> {
    let modes = [("ffa", Mode::FreeForAll), ("teams", Mode::Teams)];
    let points = [("standard", Points::STANDARD), ("legacy", Points::LEGACY)];
    let captures = [("allow", KingCapture::Allow), ("forbid", KingCapture::Forbid)];
    let timings = [("on_turn", MateTiming::OnTurn), ("immediate", MateTiming::Immediate)];
    let winners = [("points", Winner::MostPoints), ("survivor", Winner::Survivors)];
    let switch = [("on", true), ("off", false)];
    let repetitions = given.number("repetition", 0..=255, u32::from(default.repetitions))?;
    let quiet_plies = given.number("quiet", 0..=9999, u32::from(default.quiet_plies))?;
    Ok(Play {
        mode: given.choice("mode", &modes, default.mode)?,
        points: given.choice("points", &points, default.points)?,
        king_capture: given.choice("king_capture", &captures, default.king_capture)?,
        mate_timing: given.choice("mate_timing", &timings, default.mate_timing)?,
        winner: given.choice("winner", &winners, default.winner)?,
        bare_kings: given.choice("bare_kings", &switch, default.bare_kings)?,
        award_kings: given.choice("award_kings", &switch, default.award_kings)?,
        repetitions: repetitions as u8,
        quiet_plies: quiet_plies as u16,
        walking_king: false,
    })
}

/// Writes all options except `illegal`: `ffa, modern setup, …`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { play, opening, reward, actions, view, max_steps, illegal: _ } = self;
        write!(
            f,
            "{play}, {} setup, reward {}, actions {}, view {}, truncated after {max_steps} steps",
            opening.name(),
            name_of(&Reward::NAMED, reward),
            name_of(&Actions::NAMED, actions),
            view.name(),
        )
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::FREE_FOR_ALL
    }
}

/// Reasons why games end, by ending code: the endings of the rules come first.
pub const ENDINGS: [&str; Ending::ALL.len() + 1] = {
    let mut names = ["step limit"; Ending::ALL.len() + 1];
    let mut index = 0;
    while index < Ending::ALL.len() {
        names[index] = Ending::ALL[index].name();
        index += 1;
    }
    names
};

/// The code of the step limit.
pub(crate) const STEP_LIMIT: u8 = Ending::ALL.len() as u8;
