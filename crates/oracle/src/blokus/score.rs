//! Points, winners, and where a game stands.

use super::board::Colour;
use super::pieces::pieces;
use super::position::Position;
use super::{Report, text};

/// What a colour gets for having placed all its pieces.
const ALL_PLACED: i32 = 15;
/// What it gets on top if the single square was the last of them.
const SINGLE_SQUARE_LAST: i32 = 5;

impl Position {
    /// One point less for every square left.
    fn basic(&self, colour: Colour) -> i32 {
        -(self.left(colour).iter().map(|piece| piece.size() as i32).sum::<i32>())
    }

    fn advanced(&self, colour: Colour) -> i32 {
        let mut points = self.basic(colour);
        if self.left(colour).is_empty() {
            points += ALL_PLACED;
        }
        if self.bonus.contains(&colour) {
            points += SINGLE_SQUARE_LAST;
        }
        points
    }

    pub(super) fn report(&self) -> Report {
        let colours = &self.variant.colours;
        let advanced: Vec<i32> = colours.iter().map(|colour| self.advanced(*colour)).collect();
        let players = self.variant.points_of_players(&advanced);
        let most = players.iter().max();
        let winners = match self.turn {
            Some(_) => Vec::new(),
            None => (0..players.len()).filter(|player| Some(&players[*player]) == most).collect(),
        };
        Report {
            position: text::write_position(self),
            basic: colours.iter().map(|colour| self.basic(*colour)).collect(),
            advanced,
            players,
            winners,
            out: colours
                .iter()
                .filter(|colour| !self.can_place(**colour))
                .map(|colour| colour.letter())
                .collect(),
            mover: self.turn.map(|colour| self.mover(colour)),
        }
    }

    /// The player who makes the next placement of a colour.
    fn mover(&self, colour: Colour) -> usize {
        let placed = pieces().len() - self.left(colour).len();
        self.variant.placer(colour, placed)
    }
}
