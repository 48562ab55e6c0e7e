//! What may differ between two chess environments.

use fourfold_chess::{Ending, Position, Square};

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

/// Whose eyes ids and observations are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The player's own.
    Own,
    /// White's, for everybody.
    Absolute,
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
