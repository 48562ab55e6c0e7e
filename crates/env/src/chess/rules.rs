//! What may differ between two chess environments.

use std::fmt;

use fourfold_chess::{Ending, Position, Square};

use crate::given::{Given, wrong};
use crate::make::MakeError;
use crate::options::View;

/// When games end besides mate and stalemate, and who looks at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Drawn after this many plies without a capture or a pawn move.
    pub quiet_plies: Option<u16>,
    /// Drawn when a position occurs this often.
    pub repetitions: Option<u8>,
    /// Drawn when nobody can mate any more.
    pub insufficient_material: bool,
    /// Over after this many steps.
    pub max_steps: u32,
    /// What the game is then.
    pub step_limit: StepLimit,
    /// How ids and observations are turned.
    pub view: View,
}

/// What a game is that has run into the limit of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepLimit {
    /// Cut off.
    Truncates,
    /// Ended, as Pgx has it.
    Terminates,
}

impl Rules {
    /// The laws of FIDE with both claims made at once, cut off after 512 steps.
    pub const FIDE: Rules = Rules {
        quiet_plies: Some(100),
        repetitions: Some(3),
        insufficient_material: true,
        max_steps: 512,
        step_limit: StepLimit::Truncates,
        view: View::Own,
    };

    /// The same without claims: only 75 moves and five repetitions draw.
    pub const FIDE_WITHOUT_CLAIMS: Rules =
        Rules { quiet_plies: Some(150), repetitions: Some(5), ..Rules::FIDE };

    /// No draws but stalemate, cut off after 100 steps.
    pub const SEED: Rules = Rules {
        quiet_plies: None,
        repetitions: None,
        insufficient_material: false,
        max_steps: 100,
        ..Rules::FIDE
    };

    /// As Pgx ends its games: the limit of steps counts as an end.
    pub const PGX: Rules = Rules { step_limit: StepLimit::Terminates, ..Rules::FIDE };
}

impl Rules {
    /// Rules from options as texts: `preset`, then what differs from it.
    ///
    /// # Errors
    /// If there is no such option, or a text is none of its values.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules, MakeError> {
        let given = Given::new("chess", &["preset", "claim", "max_steps", "view"], given)?;
        let presets = [("fide", Rules::FIDE), ("seed", Rules::SEED), ("pgx", Rules::PGX)];
        let mut rules = given.choice("preset", &presets, Rules::FIDE)?;
        let claims = given.choice("claim", &[("auto", true), ("off", false)], true)?;
        if !claims {
            if rules != Rules::FIDE {
                return Err(wrong("claim", "off", "only for the preset fide"));
            }
            rules = Rules::FIDE_WITHOUT_CLAIMS;
        }
        rules.max_steps = given.number("max_steps", 1..=u32::MAX, rules.max_steps)?;
        rules.view = given.choice("view", &View::NAMED, View::Own)?;
        Ok(rules)
    }
}

/// Writes all of it: `draws after 100 quiet plies, …`.
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

/// Why games end, in the order of their codes.
pub const ENDINGS: [&str; 9] = [
    "checkmate",
    "stalemate",
    "insufficient material",
    "seventy-five moves",
    "fivefold repetition",
    "fifty moves",
    "threefold repetition",
    "step limit",
    "illegal action",
];

/// The code of the limit of steps.
pub(crate) const STEP_LIMIT: u8 = 7;

/// The code of an ending of the rules.
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
    /// The draw that these rules see in a position that has occurred so often.
    pub(crate) fn draw(&self, position: &Position, occurrences: usize) -> Option<Ending> {
        if self.insufficient_material && position.is_insufficient_material() {
            return Some(Ending::InsufficientMaterial);
        }
        if self.quiet_plies.is_some_and(|limit| position.halfmoves() >= limit) {
            let long = self.quiet_plies.is_some_and(|limit| limit >= 150);
            return Some(if long { Ending::SeventyFiveMoves } else { Ending::FiftyMoves });
        }
        if self.repetitions.is_some_and(|limit| occurrences >= limit as usize) {
            let many = self.repetitions.is_some_and(|limit| limit >= 5);
            let many = if many { Ending::FivefoldRepetition } else { Ending::ThreefoldRepetition };
            return Some(many);
        }
        None
    }
}

/// The corners whose rooks may castle: White's king's and queen's side, then Black's.
pub(crate) const CASTLING_CORNERS: [Square; 4] =
    [Square::new(7), Square::new(0), Square::new(63), Square::new(56)];
