//! Bots for Blokus.

mod handicap;
mod levels;
mod merit;
mod playout;
mod tree;

use fourfold_blokus::{Placement, Position, Variant};
use fourfold_common::ensure;

use crate::{Situation, ThinkError, level_bot};

pub(crate) use levels::{level, levels};

/// One more square outweighs any number of frontier cells.
const SQUARE: i32 = 10_000;

/// The value of a new frontier cell; larger than the difference that `player` treats as equal.
const FRONTIER: i32 = 10;

/// A game in progress, as the bots see it.
pub(crate) struct Game {
    position: Position,
}

impl level_bot::Game for Game {
    type Rules = Variant;
    type Move = Placement;
    type Handicap = handicap::Handicap;

    fn read(situation: &Situation<'_>, variant: Variant) -> Result<Game, ThinkError> {
        let mut position = Position::parse(situation.start).map_err(ThinkError::start)?;
        let found = position.variant();
        let reason = || format!("expected a position of {variant}, got one of {found}");
        ensure!(found == variant, ThinkError::start(reason()));
        for (ply, code) in situation.moves.iter().enumerate() {
            let placement = position.parse_move(code);
            let placement = placement.map_err(|error| ThinkError::move_error(ply, code, error))?;
            let played = position.play(placement);
            played.map_err(|error| ThinkError::move_error(ply, code, error))?;
        }
        match position.turn() {
            Some(_) => Ok(Game { position }),
            None => Err(ThinkError::Over { reason: "no placements left".to_owned() }),
        }
    }

    fn legal_moves(&self) -> Vec<Placement> {
        self.position.legal_moves()
    }

    /// Prefers the largest piece, and among those the one that opens the most frontier cells.
    fn evaluate_move(&mut self, placement: Placement) -> i32 {
        let Some(color) = self.position.turn() else { return 0 };
        let after = self.position.after(placement);
        let new = after.frontier(color).difference(self.position.frontier(color)).len();
        SQUARE * placement.piece().size() as i32 + FRONTIER * new as i32
    }

    fn code(&self, placement: Placement) -> String {
        placement.to_text(self.position.variant().size())
    }
}
