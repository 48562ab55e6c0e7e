//! What may differ between two environments of four-player chess.

use std::fmt;

use fourfold_four_player::{
    Ending, KingCapture, MateTiming, Mode, Opening, Player, Points, Rules as Play, Winner,
};

use super::labels::{Labels, PLANES, TEAM_PLANES};
use crate::given::{Given, wrong};
use crate::make::MakeError;
use crate::options::{Illegal, View};

/// The rules of play, and what learners see of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The rules of play. Kings of players who have left do not walk here.
    pub play: Play,
    /// How the men start.
    pub opening: Opening,
    /// What players get.
    pub reward: Reward,
    /// How moves are numbered.
    pub actions: Actions,
    /// How ids and observations are turned.
    pub view: View,
    /// Cut off after this many steps.
    pub max_steps: u32,
    /// What an illegal action does, unless the batch's options say otherwise.
    pub illegal: Illegal,
}

/// What players get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// In every step the points gained in it, divided by 20. Nothing in teams, where there are none.
    Points,
    /// At the end their place by points, from 1 for the first to −1 for the last; who have the same
    /// share their places.
    Rank,
    /// At the end one, shared by those who have won; by all in a drawn game of teams.
    Win,
    /// At the end of a game of teams 1 for the winners, −1 for the losers.
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

/// How moves are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Actions {
    /// By planes of the board.
    Planes,
    /// By squares and promotion.
    Flat,
}

impl Actions {
    const NAMED: [(&'static str, Actions); 2] =
        [("planes", Actions::Planes), ("flat", Actions::Flat)];
}

/// The name of a value among others.
fn name<T: PartialEq>(values: &[(&'static str, T)], value: &T) -> &'static str {
    values.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

impl Rules {
    /// Free-for-all, for points.
    pub const FREE_FOR_ALL: Rules = Rules {
        play: Play::FREE_FOR_ALL,
        opening: Opening::Modern,
        reward: Reward::Points,
        actions: Actions::Planes,
        view: View::Own,
        max_steps: 500,
        illegal: Illegal::Error,
    };

    /// Two against two.
    pub const TEAMS: Rules =
        Rules { play: Play::TEAMS, reward: Reward::Team, ..Rules::FREE_FOR_ALL };

    /// Free-for-all with the seed's points; an illegal action changes nothing.
    pub const SEED: Rules = Rules {
        play: Play { points: Points::SEED, ..Play::FREE_FOR_ALL },
        illegal: Illegal::Ignore,
        ..Rules::FREE_FOR_ALL
    };

    /// Rules from options as texts: `preset`, then what differs from it.
    ///
    /// # Errors
    /// If there is no such option, or a text is none of its values.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules, MakeError> {
        let given = Given::new(super::NAME, &OPTIONS, given)?;
        let presets = [("standard", Rules::FREE_FOR_ALL), ("seed", Rules::SEED)];
        let mut rules = given.choice("preset", &presets, Rules::FREE_FOR_ALL)?;
        rules.play = play(&given, rules.play)?;
        let openings = Opening::ALL.map(|opening| (opening.name(), opening));
        rules.opening = given.choice("setup", &openings, rules.opening)?;
        let usual = match rules.play.mode {
            Mode::FreeForAll => Reward::Points,
            Mode::Teams => Reward::Team,
        };
        rules.reward = given.choice("reward", &Reward::NAMED, usual)?;
        match (rules.play.mode, rules.reward) {
            (Mode::FreeForAll, Reward::Points | Reward::Rank | Reward::Win)
            | (Mode::Teams, Reward::Win | Reward::Team) => {}
            (Mode::FreeForAll, Reward::Team) => {
                return Err(wrong("reward", "team", "only for teams"));
            }
            (Mode::Teams, reward @ (Reward::Points | Reward::Rank)) => {
                let text = name(&Reward::NAMED, &reward);
                return Err(wrong("reward", text, "only for free-for-all: teams have no points"));
            }
        }
        rules.actions = given.choice("actions", &Actions::NAMED, rules.actions)?;
        rules.view = given.choice("view", &View::NAMED, rules.view)?;
        rules.max_steps = given.number("max_steps", 1..=u32::MAX, rules.max_steps)?;
        Ok(rules)
    }

    /// How the moves of a player are numbered.
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

const OPTIONS: [&str; 14] = [
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
];

/// The rules of play, where options change them.
fn play(given: &Given<'_>, usual: Play) -> Result<Play, MakeError> {
    let modes = [("ffa", Mode::FreeForAll), ("teams", Mode::Teams)];
    let points = [("standard", Points::STANDARD), ("seed", Points::SEED)];
    let captures = [("allow", KingCapture::Allow), ("forbid", KingCapture::Forbid)];
    let timings = [("on_turn", MateTiming::OnTurn), ("immediate", MateTiming::Immediate)];
    let winners = [("points", Winner::MostPoints), ("survivor", Winner::Survivors)];
    let switch = [("on", true), ("off", false)];
    let repetitions = given.number("repetition", 0..=255, u32::from(usual.repetitions))?;
    let quiet_plies = given.number("quiet", 0..=9999, u32::from(usual.quiet_plies))?;
    Ok(Play {
        mode: given.choice("mode", &modes, usual.mode)?,
        points: given.choice("points", &points, usual.points)?,
        king_capture: given.choice("king_capture", &captures, usual.king_capture)?,
        mate_timing: given.choice("mate_timing", &timings, usual.mate_timing)?,
        winner: given.choice("winner", &winners, usual.winner)?,
        bare_kings: given.choice("bare_kings", &switch, usual.bare_kings)?,
        repetitions: repetitions as u8,
        quiet_plies: quiet_plies as u16,
        walking_king: false,
    })
}

/// Writes all of it: `ffa, modern setup, …`. What an illegal action does is no part of it.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { play, opening, reward, actions, view, max_steps, illegal: _ } = self;
        write!(
            f,
            "{play}, {} setup, reward {}, actions {}, view {}, truncated after {max_steps} steps",
            opening.name(),
            name(&Reward::NAMED, reward),
            name(&Actions::NAMED, actions),
            view.name(),
        )
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::FREE_FOR_ALL
    }
}

/// Why games end, in the order of their codes: the endings of the rules first.
pub const ENDINGS: [&str; Ending::ALL.len() + 2] = {
    let mut names = ["step limit"; Ending::ALL.len() + 2];
    let mut index = 0;
    while index < Ending::ALL.len() {
        names[index] = Ending::ALL[index].name();
        index += 1;
    }
    names[Ending::ALL.len() + 1] = "illegal action";
    names
};

/// The code of the limit of steps.
pub(crate) const STEP_LIMIT: u8 = Ending::ALL.len() as u8;
