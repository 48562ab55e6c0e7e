//! Scores, winners, and the status of a game.

use super::board::Colour;
use super::pieces::pieces;
use super::position::Position;
use super::{Report, text};

/// The bonus for placing all pieces.
const ALL_PLACED: i32 = 15;
/// The additional bonus if the single square was the last of them.
const SINGLE_SQUARE_LAST: i32 = 5;

impl Position {
    /// One point is deducted for every cell of the pieces left.
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

    /// Returns the player who makes the color's next placement.
    fn mover(&self, colour: Colour) -> usize {
        let placed = pieces().len() - self.left(colour).len();
        self.variant.placer(colour, placed)
    }
}
