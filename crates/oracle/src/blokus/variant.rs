//! The variants: boards, colors, start squares, and which player places which colors.

use super::board::{Cell, Color};
use crate::Error;

/// The side length of the largest board.
const MAX_SIDE: i32 = 22;

const FOUR: [Color; 4] = [Color::Blue, Color::Yellow, Color::Red, Color::Green];
const TWO: [Color; 2] = [Color::Purple, Color::Orange];

/// Which colors each player places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ColorAssignment {
    /// Every player has one color.
    OneEach,
    /// Two players have two colors each, alternating.
    EveryOther,
    /// Three players have one color each and take turns placing the fourth.
    SharedFourth,
}

/// A variant: everything that is fixed before the first placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) side: i32,
    /// In the order of play.
    pub(super) colors: Vec<Color>,
    /// The start squares of the colors, in the same order.
    starts: Vec<Cell>,
    /// Whether a color may start on any start square, not only on its own.
    free_starts: bool,
    assignment: ColorAssignment,
}

impl Variant {
    pub(super) fn from_name(name: &str) -> Result<Variant, Error> {
        let unknown = || format!("unknown variant '{name}'");
        let (base, free_starts) = match name.strip_suffix("+free") {
            Some(base) => (base, true),
            None => (name, false),
        };
        let (side, assignment) = match base {
            "classic" => (20, ColorAssignment::OneEach),
            "classic-2" => (20, ColorAssignment::EveryOther),
            "classic-3" => (20, ColorAssignment::SharedFourth),
            "duo" => (14, ColorAssignment::OneEach),
            _ => {
                let number = base.strip_prefix("four-").or(base.strip_prefix("two-"));
                let side = (1..=MAX_SIDE).find(|side| number == Some(&side.to_string()));
                (side.ok_or_else(unknown)?, ColorAssignment::OneEach)
            }
        };
        let end = side - 1;
        let (colors, starts) = if base == "duo" {
            (TWO.to_vec(), vec![(4, 4), (9, 9)])
        } else if base.starts_with("two-") {
            (TWO.to_vec(), vec![(0, 0), (end, end)])
        } else {
            (FOUR.to_vec(), vec![(0, 0), (0, end), (end, end), (end, 0)])
        };
        Ok(Variant { name: name.to_string(), side, colors, starts, free_starts, assignment })
    }

    /// Returns the squares of which the color's first piece must cover one.
    pub(super) fn starts_of(&self, color: Color) -> Vec<Cell> {
        if self.free_starts {
            let mut starts = self.starts.clone();
            starts.sort();
            starts.dedup();
            return starts;
        }
        vec![self.starts[self.index(color)]]
    }

    /// The index of a color in the order of play.
    pub(super) fn index(&self, color: Color) -> usize {
        self.colors.iter().position(|other| *other == color).expect("a color of the variant")
    }

    pub(super) fn color(&self, letter: &str) -> Result<Color, Error> {
        let color = self.colors.iter().find(|color| color.letter().to_string() == letter);
        color.copied().ok_or_else(|| {
            let letters: String = self.colors.iter().map(|color| color.letter()).collect();
            format!("expected a color of '{letters}', got '{letter}'").into()
        })
    }

    /// Returns all colors in the order of play, starting after the given one and ending with it.
    pub(super) fn colors_after(&self, color: Color) -> Vec<Color> {
        let mut colors = self.colors.clone();
        colors.rotate_left(self.index(color) + 1);
        colors
    }

    /// Returns the player who makes the color's placement with that index, counted from 0.
    pub(super) fn placing_player(&self, color: Color, placement: usize) -> usize {
        let index = self.index(color);
        match self.assignment {
            ColorAssignment::OneEach => index,
            ColorAssignment::EveryOther => index % 2,
            ColorAssignment::SharedFourth if index == 3 => placement % 3,
            ColorAssignment::SharedFourth => index,
        }
    }

    /// Sums the scores of the colors for each player.
    pub(super) fn points_of_players(&self, points: &[i32]) -> Vec<i32> {
        match self.assignment {
            ColorAssignment::OneEach => points.to_vec(),
            ColorAssignment::EveryOther => vec![points[0] + points[2], points[1] + points[3]],
            ColorAssignment::SharedFourth => points[..3].to_vec(),
        }
    }
}
