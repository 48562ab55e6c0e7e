//! Scores, winners, and the status of a game.

use super::board::Color;
use super::pieces::pieces;
use super::position::Position;
use super::{Report, text};

/// The bonus for placing all pieces.
const ALL_PLACED: i32 = 15;
/// The additional bonus if the single square was the last of them.
const SINGLE_SQUARE_LAST: i32 = 5;

impl Position {
    /// One point is deducted for every cell of the pieces left.
    fn basic(&self, color: Color) -> i32 {
        -(self.left(color).iter().map(|piece| piece.size() as i32).sum::<i32>())
    }

    fn advanced(&self, color: Color) -> i32 {
        let mut points = self.basic(color);
        if self.left(color).is_empty() {
            points += ALL_PLACED;
        }
        if self.bonus.contains(&color) {
            points += SINGLE_SQUARE_LAST;
        }
        points
    }

    pub(super) fn report(&self) -> Report {
        let colors = &self.variant.colors;
        let advanced: Vec<i32> = colors.iter().map(|color| self.advanced(*color)).collect();
        let players = self.variant.points_of_players(&advanced);
        let most = players.iter().max();
        let winners = match self.turn {
            Some(_) => Vec::new(),
            None => (0..players.len()).filter(|player| Some(&players[*player]) == most).collect(),
        };
        Report {
            position: text::write_position(self),
            basic: colors.iter().map(|color| self.basic(*color)).collect(),
            advanced,
            players,
            winners,
            eliminated: colors
                .iter()
                .filter(|color| !self.can_place(**color))
                .map(|color| color.letter())
                .collect(),
            player_to_move: self.turn.map(|color| self.mover(color)),
        }
    }

    /// Returns the player who makes the color's next placement.
    fn mover(&self, color: Color) -> usize {
        let placed = pieces().len() - self.left(color).len();
        self.variant.placing_player(color, placed)
    }
}
