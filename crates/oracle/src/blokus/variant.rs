//! The variants: boards, colors, start squares, and which player places which colors.

use super::board::{Cell, Colour};
use crate::Error;

/// The side length of the largest board.
const LAST_SIDE: i32 = 22;

const FOUR: [Colour; 4] = [Colour::Blue, Colour::Yellow, Colour::Red, Colour::Green];
const TWO: [Colour; 2] = [Colour::Purple, Colour::Orange];

/// Which colors each player places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seating {
    /// Every player has one color.
    OneEach,
    /// Two players have two colors each, alternating.
    EveryOther,
    /// Three players have one color each and take turns placing the fourth.
    SharedFourth,
}

/// What is fixed before the first placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) side: i32,
    /// In the order of play.
    pub(super) colours: Vec<Colour>,
    /// The start squares of the colors, in the same order.
    starts: Vec<Cell>,
    /// Whether a color may start on any start square, not only on its own.
    free_starts: bool,
    seating: Seating,
}

impl Variant {
    pub(super) fn from_name(name: &str) -> Result<Variant, Error> {
        let unknown = || Error::new(format!("unknown variant '{name}'"));
        let (base, free_starts) = match name.strip_suffix("+free") {
            Some(base) => (base, true),
            None => (name, false),
        };
        let (side, seating) = match base {
            "classic" => (20, Seating::OneEach),
            "classic-2" => (20, Seating::EveryOther),
            "classic-3" => (20, Seating::SharedFourth),
            "duo" => (14, Seating::OneEach),
            _ => {
                let number = base.strip_prefix("four-").or(base.strip_prefix("two-"));
                let side = (1..=LAST_SIDE).find(|side| number == Some(&side.to_string()));
                (side.ok_or_else(unknown)?, Seating::OneEach)
            }
        };
        let end = side - 1;
        let (colours, starts) = if base == "duo" {
            (TWO.to_vec(), vec![(4, 4), (9, 9)])
        } else if base.starts_with("two-") {
            (TWO.to_vec(), vec![(0, 0), (end, end)])
        } else {
            (FOUR.to_vec(), vec![(0, 0), (0, end), (end, end), (end, 0)])
        };
        Ok(Variant { name: name.to_string(), side, colours, starts, free_starts, seating })
    }

    /// Returns the squares of which the color's first piece must cover one.
    pub(super) fn starts_of(&self, colour: Colour) -> Vec<Cell> {
        if self.free_starts {
            let mut starts = self.starts.clone();
            starts.sort();
            starts.dedup();
            return starts;
        }
        vec![self.starts[self.index(colour)]]
    }

    /// The index of a color in the order of play.
    pub(super) fn index(&self, colour: Colour) -> usize {
        self.colours
            .iter()
            .position(|other| *other == colour)
            .expect("only colours of the variant are asked for")
    }

    pub(super) fn colour(&self, letter: &str) -> Result<Colour, Error> {
        let colour = self.colours.iter().find(|colour| colour.letter().to_string() == letter);
        colour.copied().ok_or_else(|| {
            let letters: String = self.colours.iter().map(|colour| colour.letter()).collect();
            Error::new(format!("colour '{letter}' is not one of '{letters}'"))
        })
    }

    /// Returns all colors in the order of play, starting after the given one and ending with it.
    pub(super) fn colours_after(&self, colour: Colour) -> Vec<Colour> {
        let mut colours = self.colours.clone();
        colours.rotate_left(self.index(colour) + 1);
        colours
    }

    /// Returns the player who makes the color's placement with that index, counted from 0.
    pub(super) fn placer(&self, colour: Colour, placement: usize) -> usize {
        let index = self.index(colour);
        match self.seating {
            Seating::OneEach => index,
            Seating::EveryOther => index % 2,
            Seating::SharedFourth if index == 3 => placement % 3,
            Seating::SharedFourth => index,
        }
    }

    /// Sums the scores of the colors for each player.
    pub(super) fn points_of_players(&self, points: &[i32]) -> Vec<i32> {
        match self.seating {
            Seating::OneEach => points.to_vec(),
            Seating::EveryOther => vec![points[0] + points[2], points[1] + points[3]],
            Seating::SharedFourth => points[..3].to_vec(),
        }
    }
}
