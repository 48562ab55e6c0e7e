//! The variants: boards, colours, start squares, and who plays what.

use super::board::{Cell, Colour};
use crate::Error;

/// The largest board.
const LAST_SIDE: i32 = 22;

const FOUR: [Colour; 4] = [Colour::Blue, Colour::Yellow, Colour::Red, Colour::Green];
const TWO: [Colour; 2] = [Colour::Purple, Colour::Orange];

/// Which colours the players place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seating {
    /// Every player has one colour.
    OneEach,
    /// Two players have every other colour.
    EveryOther,
    /// Three players have one colour each and place the fourth by turns.
    SharedFourth,
}

/// What is settled before the first placement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) side: i32,
    /// In the order of play.
    pub(super) colours: Vec<Colour>,
    /// The start squares of the colours, in the same order.
    starts: Vec<Cell>,
    /// Whether a colour may begin on any start square, not only on its own.
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

    /// The squares of which the colour's first piece must cover one.
    pub(super) fn starts_of(&self, colour: Colour) -> Vec<Cell> {
        if self.free_starts {
            let mut starts = self.starts.clone();
            starts.sort();
            starts.dedup();
            return starts;
        }
        vec![self.starts[self.index(colour)]]
    }

    /// The place of a colour in the order of play.
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

    /// All colours in the order of play, beginning with the one after this.
    pub(super) fn colours_after(&self, colour: Colour) -> Vec<Colour> {
        let mut colours = self.colours.clone();
        colours.rotate_left(self.index(colour) + 1);
        colours
    }

    /// The player who makes a colour's placement of that number, counted from 0.
    pub(super) fn placer(&self, colour: Colour, placement: usize) -> usize {
        let index = self.index(colour);
        match self.seating {
            Seating::OneEach => index,
            Seating::EveryOther => index % 2,
            Seating::SharedFourth if index == 3 => placement % 3,
            Seating::SharedFourth => index,
        }
    }

    /// Adds the points of the colours up for the players.
    pub(super) fn points_of_players(&self, points: &[i32]) -> Vec<i32> {
        match self.seating {
            Seating::OneEach => points.to_vec(),
            Seating::EveryOther => vec![points[0] + points[2], points[1] + points[3]],
            Seating::SharedFourth => points[..3].to_vec(),
        }
    }
}
