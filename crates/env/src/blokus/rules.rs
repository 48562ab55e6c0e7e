//! The options of the Blokus environments.

use alloc::string::ToString;
use core::fmt;

use fourfold_blokus::{Color, MAX_SIZE, Variant};

use super::ids::Transform;
use super::{Classic, Duo};
use crate::game::Game;
use crate::make_error::MakeError;
use crate::option_values::{OptionValues, SWITCH, invalid_option, name_of};
use crate::options::View;

/// The variant and the options of the environment; `COLORS` is 4 or 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules<const COLORS: usize> {
    variant: Variant,
    /// How players are rewarded.
    pub reward: Reward,
    /// The view of action ids and observations.
    pub view: View,
}

/// How players are rewarded, by advanced score: at the end, or for each placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// At the end, 1 split equally among the winners.
    Win,
    /// At the end, the player's points minus the mean of the other players' points.
    Difference,
    /// At the end, the rank from 1 for the most points to 0 for the fewest; tied players get the
    /// same reward.
    Rank,
    /// For each placement, the points that it scores, divided by 20.
    Points,
}

impl Reward {
    const NAMED: [(&'static str, Reward); 4] = [
        ("win", Reward::Win),
        ("difference", Reward::Difference),
        ("rank", Reward::Rank),
        ("points", Reward::Points),
    ];
}

/// The names of the options with four colors.
pub(crate) const CLASSIC_OPTIONS: [&str; 5] = ["players", "size", "free_starts", "reward", "view"];
/// The names of the options with two colors.
pub(crate) const DUO_OPTIONS: [&str; 5] = ["size", "starts", "free_starts", "reward", "view"];

impl Rules<4> {
    /// Four players on 20×20.
    pub const CLASSIC: Rules<4> =
        Rules { variant: Variant::CLASSIC, reward: Reward::Win, view: View::Own };

    /// Parses the rules from pairs of option name and value.
    ///
    /// # Errors
    /// Returns an error if there is no such option, or a value is invalid.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules<4>, MakeError> {
        let given = OptionValues::new(Classic::NAME, &CLASSIC_OPTIONS, given)?;
        let players = given.number("players", 2..=4, 4)?;
        let size = size(&given, 20)?;
        let variant = match (players, size) {
            (2, 20) => Some(Variant::CLASSIC_2),
            (3, 20) => Some(Variant::CLASSIC_3),
            (4, size) => Variant::four(size),
            _ => None,
        };
        let only = "allowed only on boards of size 20, others have 4 players";
        let variant =
            variant.ok_or_else(|| invalid_option("players", &players.to_string(), only))?;
        Rules::CLASSIC.with(variant, &given)
    }
}

impl Rules<2> {
    /// Two players on 14×14.
    pub const DUO: Rules<2> = Rules { variant: Variant::DUO, reward: Reward::Win, view: View::Own };

    /// Parses the rules from pairs of option name and value.
    ///
    /// # Errors
    /// Returns an error if there is no such option, or a value is invalid.
    pub fn from_options(given: &[(&str, &str)]) -> Result<Rules<2>, MakeError> {
        let given = OptionValues::new(Duo::NAME, &DUO_OPTIONS, given)?;
        let size = size(&given, 14)?;
        let starts = [("inner", true), ("corners", false)];
        let variant = match given.choice("starts", &starts, size == 14)? {
            true if size == 14 => Some(Variant::DUO),
            true => None,
            false => Variant::two(size),
        };
        let only = "allowed only on boards of size 14, on others colors start in the corners";
        let variant = variant.ok_or_else(|| invalid_option("starts", "inner", only))?;
        Rules::DUO.with(variant, &given)
    }
}

fn size(given: &OptionValues<'_>, default: u32) -> Result<usize, MakeError> {
    Ok(given.number("size", 1..=MAX_SIZE as u32, default)? as usize)
}

impl<const COLORS: usize> Rules<COLORS> {
    /// Returns the options as numbers, for a GPU.
    pub(super) const fn to_numbers(self) -> [u32; 8] {
        [self.reward as u32, self.view as u32, 0, 0, 0, 0, 0, 0]
    }

    /// Returns the rules of a variant with the options that [`Rules::to_numbers`] returned.
    #[inline(always)]
    pub(super) const fn from_numbers(variant: Variant, numbers: &[u32; 8]) -> Rules<COLORS> {
        let [reward, view, ..] = *numbers;
        let reward = match reward {
            0 => Reward::Win,
            1 => Reward::Difference,
            2 => Reward::Rank,
            _ => Reward::Points,
        };
        Rules { variant, reward, view: View::from_number(view) }
    }

    /// Returns the default rules of a variant, or `None` if it does not have `COLORS` colors.
    pub fn new(variant: Variant) -> Option<Rules<COLORS>> {
        let rules = Rules { variant, reward: Reward::Win, view: View::Own };
        (variant.colors().len() == COLORS).then_some(rules)
    }

    /// Applies the options that both environments have.
    fn with(self, variant: Variant, given: &OptionValues<'_>) -> Result<Rules<COLORS>, MakeError> {
        let free = given.choice("free_starts", &SWITCH, false)?;
        Ok(Rules {
            variant: if free { variant.with_free_starts() } else { variant },
            reward: given.choice("reward", &Reward::NAMED, self.reward)?,
            view: given.choice("view", &View::NAMED, self.view)?,
        })
    }

    /// Returns the variant.
    #[inline(always)]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Returns how the board is rotated for a color, so that its start square is where the first
    /// color's is.
    #[inline(always)]
    pub const fn transform(&self, color: Color) -> Transform {
        match self.view {
            View::Own => Transform::quarters(4 / COLORS * color.index()),
            View::Absolute => Transform::NONE,
        }
    }

    /// Returns the color that comes first in the observation of `color`.
    #[inline(always)]
    pub(super) const fn first(&self, color: Color) -> Color {
        match self.view {
            View::Own => color,
            View::Absolute => Color::ALL[0],
        }
    }
}

/// Writes all options: `classic, reward win, view own`.
impl<const COLORS: usize> fmt::Display for Rules<COLORS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { variant, reward, view } = self;
        write!(f, "{variant}, reward {}, view {}", name_of(&Reward::NAMED, reward), view.name())
    }
}
