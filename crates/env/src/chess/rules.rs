//! The options of the chess environment.

use core::fmt;

use fourfold_chess::{Ending, Position, Square, TARGET_LANES};
use fourfold_common::cpu::Cpu;

use super::{Chess, lockstep};
use crate::device::DeviceGame;
use crate::game::Game;
use crate::legal::ActionSink;
use crate::make_error::MakeError;
use crate::option_values::{OptionValues, invalid_option};
use crate::options::View;

/// The names of the options.
pub(crate) const OPTIONS: [&str; 4] = ["preset", "claim", "max_steps", "view"];

/// When games end other than by checkmate or stalemate, and the view of the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Draw after this many plies without a capture or a pawn move.
    pub quiet_plies: Option<u16>,
    /// Draw when a position occurs this often.
    pub repetitions: Option<u8>,
    /// Draw by insufficient material, when neither side can checkmate.
    pub insufficient_material: bool,
    /// The game is stopped after this many steps.
    pub max_steps: u32,
    /// Whether the step limit truncates or terminates the game.
    pub step_limit: StepLimit,
    /// The view of action ids and observations.
    pub view: View,
}

/// How the step limit ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepLimit {
    /// The game is truncated.
    Truncates,
    /// The game is terminated, as in Pgx.
    Terminates,
}

impl Rules {
    /// FIDE rules where draws by fifty moves and threefold repetition are claimed immediately.
    /// Truncated after 512 steps.
    pub const FIDE: Rules = Rules {
        quiet_plies: Some(100),
        repetitions: Some(3),
        insufficient_material: true,
        max_steps: 512,
        step_limit: StepLimit::Truncates,
        view: View::Own,
    };

    /// [`Rules::FIDE`] without claims: only the seventy-five-move rule and fivefold repetition
    /// draw.
    pub const FIDE_WITHOUT_CLAIMS: Rules =
        Rules { quiet_plies: Some(150), repetitions: Some(5), ..Rules::FIDE };

    /// Rules of the legacy interface: no draws except stalemate. Truncated after 100 steps.
    pub const LEGACY: Rules = Rules {
        quiet_plies: None,
        repetitions: None,
        insufficient_material: false,
        max_steps: 100,
        ..Rules::FIDE
    };

    /// Rules of Pgx: the step limit terminates the game.
    pub const PGX: Rules = Rules { step_limit: StepLimit::Terminates, ..Rules::FIDE };

    /// Parses the rules from pairs of option name and value: `preset`, and options that override
    /// it.
    ///
    /// # Errors
    /// Returns an error if there is no such option, or a value is invalid.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules, MakeError> {
        let given = OptionValues::new(Chess::NAME, &OPTIONS, given)?;
        let presets = [("fide", Rules::FIDE), ("legacy", Rules::LEGACY), ("pgx", Rules::PGX)];
        let mut rules = given.choice("preset", &presets, Rules::FIDE)?;
        let claims = given.choice("claim", &[("auto", true), ("off", false)], true)?;
        if !claims {
            if rules != Rules::FIDE {
                return Err(invalid_option("claim", "off", "allowed only with the preset fide"));
            }
            rules = Rules::FIDE_WITHOUT_CLAIMS;
        }
        rules.max_steps = given.number("max_steps", 1..=u32::MAX, rules.max_steps)?;
        rules.view = given.choice("view", &View::NAMED, View::Own)?;
        Ok(rules)
    }
}

/// Writes all options: `a draw after 100 quiet plies, …`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { quiet_plies, repetitions, insufficient_material, max_steps, step_limit, view } =
            self;
        if let Some(plies) = quiet_plies {
            write!(f, "a draw after {plies} quiet plies, ")?;
        }
        if let Some(times) = repetitions {
            write!(f, "a draw by {times} repetitions, ")?;
        }
        if *insufficient_material {
            write!(f, "a draw by insufficient material, ")?;
        }
        let limit = match step_limit {
            StepLimit::Truncates => "truncated",
            StepLimit::Terminates => "terminated",
        };
        write!(f, "{limit} after {max_steps} steps, view {}", view.name())
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::FIDE
    }
}

/// Reasons why games end, by ending code.
pub const ENDINGS: [&str; 8] = [
    "checkmate",
    "stalemate",
    "insufficient material",
    "seventy-five moves",
    "fivefold repetition",
    "fifty moves",
    "threefold repetition",
    "step limit",
];

/// The code of the step limit.
pub(crate) const STEP_LIMIT: u8 = 7;

/// Returns the code of an ending.
pub(crate) const fn code(ending: Ending) -> u8 {
    match ending {
        Ending::Checkmate { .. } => 0,
        Ending::Stalemate => 1,
        Ending::InsufficientMaterial => 2,
        Ending::SeventyFiveMoves => 3,
        Ending::FivefoldRepetition => 4,
        Ending::FiftyMoves => 5,
        Ending::ThreefoldRepetition => 6,
    }
}

impl Rules {
    /// Returns the draw under these rules in a position that has occurred this often, if any.
    pub(crate) fn draw(&self, position: &Position, occurrences: usize) -> Option<Ending> {
        if self.insufficient_material && position.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        if let Some(limit) = self.quiet_plies
            && position.halfmoves() >= limit
        {
            return Some(if limit >= 150 { Ending::SeventyFiveMoves } else { Ending::FiftyMoves });
        }
        if let Some(limit) = self.repetitions
            && occurrences >= limit as usize
        {
            let many = limit >= 5;
            return Some(if many {
                Ending::FivefoldRepetition
            } else {
                Ending::ThreefoldRepetition
            });
        }
        None
    }
}

/// The corners of castling rooks: White's kingside and queenside, then Black's.
pub(crate) const CASTLING_CORNERS: [Square; 4] =
    [Square::new(7), Square::new(0), Square::new(63), Square::new(56)];

/// Stands for no limit.
const NO_LIMIT: u32 = u32::MAX;

impl DeviceGame for Chess {
    fn rules_to_numbers(rules: &Rules) -> [u32; 8] {
        [
            rules.quiet_plies.map_or(NO_LIMIT, u32::from),
            rules.repetitions.map_or(NO_LIMIT, u32::from),
            rules.insufficient_material.into(),
            rules.max_steps,
            rules.step_limit as u32,
            rules.view as u32,
            0,
            0,
        ]
    }

    #[inline(always)]
    fn rules_from_numbers(&self, numbers: &[u32; 8]) -> Rules {
        let [quiet_plies, repetitions, insufficient_material, max_steps, step_limit, view, ..] =
            *numbers;
        Rules {
            quiet_plies: if quiet_plies == NO_LIMIT { None } else { Some(quiet_plies as u16) },
            repetitions: if repetitions == NO_LIMIT { None } else { Some(repetitions as u8) },
            insufficient_material: insufficient_material != 0,
            max_steps,
            step_limit: if step_limit == 0 { StepLimit::Truncates } else { StepLimit::Terminates },
            view: View::from_number(view),
        }
    }

    const LANES: usize = TARGET_LANES;
    const ACTIONS_FILL_WORDS: bool = true;

    #[inline(always)]
    fn legal_part<C: Cpu>(
        &self,
        cpu: C,
        rules: &Rules,
        _: usize,
        lane: usize,
        sink: &mut impl ActionSink,
    ) {
        lockstep::labels_of_lane(self, cpu, rules, lane, sink);
    }

    const PARTS: usize = lockstep::PARTS;

    #[inline(always)]
    fn observe_part(
        &self,
        rules: &Rules,
        player: usize,
        part: usize,
        planes: &mut [u32],
        scalars: &mut [f32],
        _: impl Fn(&mut u32, u32),
    ) {
        lockstep::observe_part(self, rules, player, part, planes, scalars);
    }
}
