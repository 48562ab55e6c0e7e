//! Reading and writing Blokus SGF, the file format of Pentobi and other programs.
//!
//! ```
//! use fourfold_blokus::{Variant, sgf};
//!
//! let game = sgf::Game::parse("(;GM[Blokus Duo];B[e8,e9,e10];W[j5])")?;
//! assert_eq!((game.start.variant(), game.placements.len()), (Variant::DUO, 2));
//! assert_eq!(game.to_string(), "(;GM[Blokus Duo]\n;B[e8,e9,e10]\n;W[j5])\n");
//! let error = sgf::Game::parse("(;GM[Blokus Duo];B[e8,e9,e10];W[a1])").unwrap_err();
//! assert_eq!(error.to_string(), "move 2: the first piece must cover the start square j5");
//! # Ok::<(), sgf::SgfError>(())
//! ```

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use fourfold_common::{ensure, join, quote_short};
use thiserror::Error;

mod nodes;
mod properties;
mod reader;

use nodes::Trees;
use properties::{color_property, expected_colors};

use crate::{Color, GameState, ParseMoveError, Placement, Position, Variant};

/// A game: its start position, its properties and its main line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The start position.
    pub start: Position,
    /// The properties of the game other than `GM` and the start position, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The placements. Colors that cannot place a piece are skipped.
    pub placements: Vec<Placement>,
    /// The withdrawals, in order.
    pub withdrawals: Vec<Withdrawal>,
}

/// A color that withdraws from the game. In the file this is a pass with a comment that gives the
/// reason; passes without such a comment are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Withdrawal {
    /// The number of placements before the withdrawal.
    pub after: usize,
    /// The color that withdraws.
    pub color: Color,
    /// The reason.
    pub reason: WithdrawalReason,
}

/// Why a color withdraws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WithdrawalReason {
    /// Its player resigned.
    Resigned,
    /// Its player ran out of time.
    OutOfTime,
}

impl WithdrawalReason {
    const fn comment(self) -> &'static str {
        match self {
            WithdrawalReason::Resigned => "resigned",
            WithdrawalReason::OutOfTime => "out of time",
        }
    }

    fn from_comment(comment: &str) -> Option<WithdrawalReason> {
        [WithdrawalReason::Resigned, WithdrawalReason::OutOfTime]
            .into_iter()
            .find(|reason| reason.comment() == comment)
    }
}

/// A property of this crate for start positions that the setup properties of SGF cannot describe.
const START: &str = "START";

/// The names of the variants that the format defines.
const VARIANT_NAMES: [(&str, Variant); 4] = [
    ("Blokus", Variant::CLASSIC),
    ("Blokus Two-Player", Variant::CLASSIC_2),
    ("Blokus Three-Player", Variant::CLASSIC_3),
    ("Blokus Duo", Variant::DUO),
];

/// Returns the name of a variant in other programs, or our own if it has none.
pub fn variant_name(variant: Variant) -> String {
    let known = VARIANT_NAMES.iter().find(|(_, other)| *other == variant);
    known.map_or_else(|| variant.to_string(), |(name, _)| (*name).to_owned())
}

/// Returns the name of a color in other programs: `B` and `W` with two colors, otherwise `1` to `4`.
pub fn color_name(variant: Variant, color: Color) -> &'static str {
    properties::color_property(variant, color)
}

/// Returns the variant with a name that other programs use, such as `Blokus Duo`, or with one of ours.
pub fn variant(name: &str) -> Option<Variant> {
    let known = VARIANT_NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.trim()));
    known.map(|(_, variant)| *variant).or_else(|| Variant::from_name(name))
}

/// Returns the color with a name that other programs use; letters may be small.
pub fn color(variant: Variant, name: &str) -> Option<Color> {
    properties::color(variant, &name.to_ascii_uppercase())
}

impl Game {
    /// Returns a game without moves.
    pub fn new(start: Position) -> Game {
        Game { start, tags: Vec::new(), placements: Vec::new(), withdrawals: Vec::new() }
    }

    /// Returns the position after all placements and withdrawals.
    pub fn position(&self) -> Position {
        let mut state = GameState::new(self.start);
        for step in self.steps() {
            step.apply(&mut state);
        }
        *state.position()
    }

    /// Returns the placements and withdrawals in the order in which they happened.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut withdrawals = self.withdrawals.iter().peekable();
        for number in 0..=self.placements.len() {
            while let Some(&withdrawal) =
                withdrawals.next_if(|withdrawal| withdrawal.after <= number)
            {
                steps.push(Step::Withdraw(withdrawal));
            }
            steps.extend(self.placements.get(number).copied().map(Step::Place));
        }
        steps
    }

    /// Returns the value of the `GM` property.
    pub fn variant_name(&self) -> String {
        variant_name(self.start.variant())
    }

    /// Parses the main line of the game in a text. Variations and properties other than those of
    /// placements, withdrawals and the setup are skipped.
    ///
    /// # Errors
    /// Returns an error that describes the first fault, with the move number if it is in a move, or
    /// if there are several games; see [`games`].
    pub fn parse(text: &str) -> Result<Game, SgfError> {
        let mut games = games(text);
        let game = games.next().ok_or(SgfError::NoGame)??;
        ensure!(games.next().is_none(), SgfError::SeveralGames);
        Ok(game)
    }
}

/// Iterates over the games in a text, each with its main line. A game that cannot be read is an
/// error; reading goes on with the next one, unless the end of the game was not found.
///
/// ```
/// use fourfold_blokus::sgf;
///
/// let text = "(;GM[Blokus Duo];B[e10]) (;GM[Blokus];1[a1]) (;GM[Blokus];BLUE[a20])";
/// let placements = sgf::games(text).map(|game| game.map(|game| game.placements.len()).ok());
/// assert_eq!(placements.collect::<Vec<_>>(), [Some(1), None, Some(1)]);
/// ```
pub fn games(text: &str) -> impl Iterator<Item = Result<Game, SgfError>> + '_ {
    Trees::new(text).map(|nodes| Game::from_nodes(&nodes?))
}

/// An event of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The color to move places a piece.
    Place(Placement),
    /// A color withdraws.
    Withdraw(Withdrawal),
}

impl Step {
    /// Applies the step to a game. An illegal placement is ignored.
    fn apply(self, state: &mut GameState) {
        match self {
            Step::Place(placement) => {
                let _ = state.play(placement);
            }
            Step::Withdraw(withdrawal) => state.withdraw(withdrawal.color),
        }
    }
}

/// Writes the game. A variant that the format does not define is written by its name in this crate.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = self.start.variant();
        write!(f, "(;GM[{}]", self.variant_name())?;
        if self.start != Position::start(variant) {
            write_start(f, &self.start)?;
        }
        for (name, value) in &self.tags {
            write!(f, "{name}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"))?;
        }
        let mut state = GameState::new(self.start);
        for step in self.steps() {
            match step {
                Step::Place(placement) => {
                    let color = color_property(variant, state.turn().unwrap_or(Color(0)));
                    write!(f, "\n;{color}[{}]", placement.to_text(variant.size()))?;
                }
                Step::Withdraw(Withdrawal { color, reason, .. }) => {
                    write!(f, "\n;{}[]C[{}]", color_property(variant, color), reason.comment())?;
                }
            }
            step.apply(&mut state);
        }
        f.write_str(")\n")
    }
}

/// Writes a start position other than that of the variant: as setup properties if they describe it
/// and other programs know the variant, or else as text.
fn write_start(f: &mut fmt::Formatter<'_>, start: &Position) -> fmt::Result {
    let variant = start.variant();
    let mut text = String::new();
    for color in variant.colors() {
        let pieces = start.placements(color);
        if !pieces.is_empty() {
            text += &format!("A{}", color_property(variant, color));
        }
        text.extend(pieces.iter().map(|piece| format!("[{}]", piece.to_text(variant.size()))));
    }
    if let Some(turn) = start.turn() {
        text += &format!("PL[{}]", color_property(variant, turn));
    }
    let known = VARIANT_NAMES.iter().find(|(_, other)| *other == variant);
    let read = known.map(|(name, _)| Game::parse(&format!("(;GM[{name}]{text})")));
    match read {
        // What is known about eliminated colors may differ.
        Some(Ok(game)) if game.start.to_string() == start.to_string() => f.write_str(&text),
        _ => write!(f, "{START}[{start}]"),
    }
}

/// Describes the turn for an error message.
fn whose_turn(turn: Option<&str>) -> String {
    turn.map_or("the game is over".to_owned(), |turn| format!("it is {turn}'s turn"))
}

/// The error returned when a string is not a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SgfError {
    /// The text does not contain a game.
    #[error("no game found: expected text like '(;GM[Blokus Duo];B[e10])'")]
    NoGame,
    /// The text ends before the game does.
    #[error("the text ends before the game is closed with ')'")]
    Unfinished,
    /// A character where it is not allowed.
    #[error("expected ';', '(' or ')', got '{}'", .letter.escape_debug())]
    Unexpected {
        /// The character.
        letter: char,
    },
    /// A property without a value.
    #[error("expected a value in brackets after the property {}", quote_short(.name))]
    NoValue {
        /// The name of the property.
        name: String,
    },
    /// The game has no `GM` property.
    #[error("expected a GM property, such as GM[Blokus Duo]")]
    NoVariant,
    /// The `GM` property does not name a variant of Blokus.
    #[error(
        "unknown game '{}': expected one of {}",
        quote_short(.name),
        join(VARIANT_NAMES.map(|(name, _)| name), ", ")
    )]
    UnknownVariant {
        /// The value of the property.
        name: String,
    },
    /// A property of a color that the variant does not have.
    #[error("{name} is not a property of {variant}, whose colors are {}", expected_colors(*.variant))]
    ColorProperty {
        /// The name of the property.
        name: String,
        /// The variant.
        variant: Variant,
    },
    /// An empty game with a property that has cells, but is unknown.
    #[error("the game has no moves, but {name} has cells: the colors are {}", expected_colors(*.variant))]
    UnknownProperty {
        /// The name of the property.
        name: String,
        /// The variant.
        variant: Variant,
    },
    /// A setup property after the first move.
    #[error("{name} changes the position after the first move, which is not supported")]
    LateSetup {
        /// The name of the property.
        name: String,
    },
    /// The text contains more than one game.
    #[error("expected one game, got several")]
    SeveralGames,
    /// The start position is invalid.
    #[error("start position: {reason}")]
    Start {
        /// Why it is invalid.
        reason: String,
    },
    /// A move is invalid.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move, counted from 1.
        number: usize,
        /// Why it is invalid.
        error: MoveError,
    },
}

/// The former name of [`MoveError`].
#[deprecated(note = "renamed to `MoveError`")]
pub type MoveFault = MoveError;

/// The error in a move of a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// Another color is to move.
    #[error("{color} placed a piece, but {}", whose_turn(*.turn))]
    Turn {
        /// The color of the move.
        color: &'static str,
        /// The color to move, or `None` if the game is over.
        turn: Option<&'static str>,
    },
    /// The text is not a placement, or the placement breaks a rule.
    #[error("{0}")]
    Placement(ParseMoveError),
}
