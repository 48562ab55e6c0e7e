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

/// A property of this crate for the start position, written only if it is not that of the variant.
const START: &str = "START";

/// The names of the variants that the format defines.
const VARIANT_NAMES: [(&str, Variant); 4] = [
    ("Blokus", Variant::CLASSIC),
    ("Blokus Two-Player", Variant::CLASSIC_2),
    ("Blokus Three-Player", Variant::CLASSIC_3),
    ("Blokus Duo", Variant::DUO),
];

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
        let variant = self.start.variant();
        let known = VARIANT_NAMES.iter().find(|(_, other)| *other == variant);
        known.map_or_else(|| variant.to_string(), |(name, _)| (*name).to_owned())
    }

    /// Parses the main line of the first game in a text. Variations and move properties other than
    /// placements and withdrawals are skipped.
    ///
    /// # Errors
    /// Returns an error that describes the first fault, with the move number if it is in a move.
    pub fn parse(text: &str) -> Result<Game, SgfError> {
        let nodes = Nodes { rest: text.trim_start_matches(['\u{feff}']) }.main_line()?;
        let (head, moves) = nodes.split_first().ok_or(SgfError::NoGame)?;
        let (_, name) =
            head.iter().find(|(property, _)| property == "GM").ok_or(SgfError::NoVariant)?;
        let known = VARIANT_NAMES.iter().find(|(known, _)| known == name);
        let variant = known.map(|(_, variant)| *variant).or_else(|| Variant::from_name(name));
        let variant = variant.ok_or_else(|| SgfError::UnknownVariant { name: name.clone() })?;
        let mut game = Game::new(start(head, variant)?);
        let is_tag =
            |name: &str| name != "GM" && name != START && color_of(variant, name).is_none();
        game.tags = head.iter().filter(|(name, _)| is_tag(name)).cloned().collect();
        let mut state = GameState::new(game.start);
        for node in core::iter::once(head).chain(moves) {
            game.read_node(node, &mut state)?;
        }
        Ok(game)
    }

    fn read_node(&mut self, node: &Node, state: &mut GameState) -> Result<(), SgfError> {
        let variant = self.start.variant();
        let comment = node.iter().find(|(name, _)| name == "C");
        for (name, cells) in node {
            let Some(color) = color_of(variant, name) else { continue };
            let after = self.placements.len();
            let at = |error| SgfError::Move { number: after + 1, error };
            // An empty value is a pass.
            if cells.is_empty() {
                let reason = comment.and_then(|(_, text)| WithdrawalReason::from_comment(text));
                if let Some(reason) = reason {
                    let withdrawal = Withdrawal { after, color, reason };
                    Step::Withdraw(withdrawal).apply(state);
                    self.withdrawals.push(withdrawal);
                }
                continue;
            }
            if state.turn() != Some(color) {
                let turn = state.turn().map(|color| variant.color_name(color));
                return Err(at(MoveError::Turn { color: variant.color_name(color), turn }));
            }
            let placement = state.position().parse_move(cells);
            let placement = placement.map_err(|error| at(MoveError::Placement(error)))?;
            Step::Place(placement).apply(state);
            self.placements.push(placement);
        }
        Ok(())
    }
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

/// Returns the start position given by the first node.
fn start(head: &Node, variant: Variant) -> Result<Position, SgfError> {
    let Some((_, text)) = head.iter().find(|(name, _)| name == START) else {
        return Ok(Position::start(variant));
    };
    let wrong = |reason: String| SgfError::Start { reason };
    let position = Position::parse(text).map_err(|error| wrong(error.to_string()))?;
    match position.variant() {
        found if found == variant => Ok(position),
        found => Err(wrong(format!("expected a position of variant {variant}, got {found}"))),
    }
}

/// Returns the color of a move property: `1` to `4`, or `B` and `W` with two colors.
fn color_of(variant: Variant, name: &str) -> Option<Color> {
    variant.colors().find(|&color| property(variant, color) == name)
}

fn property(variant: Variant, color: Color) -> &'static str {
    let names = if variant.colors().len() == 2 { &["B", "W"][..] } else { &["1", "2", "3", "4"] };
    names[color.index()]
}

/// Writes the game. A variant that the format does not define is written by its name in this crate.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = self.start.variant();
        write!(f, "(;GM[{}]", self.variant_name())?;
        if self.start != Position::start(variant) {
            write!(f, "{START}[{}]", self.start)?;
        }
        for (name, value) in &self.tags {
            write!(f, "{name}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"))?;
        }
        let mut state = GameState::new(self.start);
        for step in self.steps() {
            match step {
                Step::Place(placement) => {
                    let color = property(variant, state.turn().unwrap_or(Color(0)));
                    write!(f, "\n;{color}[{}]", placement.to_text(variant.size()))?;
                }
                Step::Withdraw(Withdrawal { color, reason, .. }) => {
                    write!(f, "\n;{}[]C[{}]", property(variant, color), reason.comment())?;
                }
            }
            step.apply(&mut state);
        }
        f.write_str(")\n")
    }
}

type Node = Vec<(String, String)>;

/// A parser for nodes.
struct Nodes<'a> {
    rest: &'a str,
}

impl Nodes<'_> {
    /// Returns the nodes of the main line of the first game: the first branch of each fork.
    fn main_line(mut self) -> Result<Vec<Node>, SgfError> {
        let start = self.rest.find('(').ok_or(SgfError::NoGame)?;
        self.rest = &self.rest[start + 1..];
        let mut nodes = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            let first = self.rest.chars().next().ok_or(SgfError::Unfinished)?;
            self.rest = &self.rest[first.len_utf8()..];
            match first {
                ';' => nodes.push(self.node()?),
                // The first branch is the main line.
                '(' => {}
                ')' => return Ok(nodes),
                _ => return Err(SgfError::Unexpected { letter: first }),
            }
        }
    }

    fn node(&mut self) -> Result<Node, SgfError> {
        let mut node = Node::new();
        loop {
            self.rest = self.rest.trim_start();
            let end = self.rest.find(|letter: char| !letter.is_ascii_alphanumeric());
            let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            if name.is_empty() {
                return Ok(node);
            }
            self.rest = rest.trim_start();
            let mut found = false;
            while let Some(rest) = self.rest.strip_prefix('[') {
                self.rest = rest;
                let value = self.value()?;
                if !found {
                    node.push((name.to_owned(), value));
                }
                found = true;
                self.rest = self.rest.trim_start();
            }
            ensure!(found, SgfError::NoValue { name: name.to_owned() });
        }
    }

    /// Reads a value up to its closing bracket. A backslash escapes the next character.
    fn value(&mut self) -> Result<String, SgfError> {
        let mut value = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                ']' => {
                    self.rest = &self.rest[offset + 1..];
                    return Ok(value);
                }
                '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
                _ => value.push(letter),
            }
        }
        Err(SgfError::Unfinished)
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
