//! Bots for four-player chess, free-for-all and teams.

mod exchange;
mod greedy;
mod handicap;
mod levels;
mod search;
#[cfg(test)]
mod tests;
mod transposition;
mod tree;
mod value;

use fourfold_four_player::{History, Move, Position, Rules};

use crate::{Situation, ThinkError, level_bot};

pub(crate) use levels::{level, levels};

/// A game in progress, as the bots see it.
pub(crate) struct Game {
    position: Position,
    history: History,
}

impl level_bot::Game for Game {
    type Rules = Rules;
    type Move = Move;
    type Handicap = handicap::Handicap;

    fn read(situation: &Situation<'_>, rules: Rules) -> Result<Game, ThinkError> {
        let mut position =
            Position::from_fen4(situation.start, rules).map_err(ThinkError::start)?;
        let mut history = History::new(&position);
        for (ply, code) in situation.moves.iter().enumerate() {
            let mv = position.parse_move(code);
            let mv = mv.map_err(|error| ThinkError::move_error(ply, code, error))?;
            let played = history.play(&mut position, mv);
            played.map_err(|error| ThinkError::move_error(ply, code, error))?;
        }
        match position.ending() {
            Some(ending) => Err(ThinkError::Over { reason: ending.to_string() }),
            // Under some rules a player without a legal move is not eliminated.
            None if !position.has_legal_move() => {
                Err(ThinkError::Over { reason: "no legal moves".to_owned() })
            }
            None => Ok(Game { position, history }),
        }
    }

    fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves().to_vec()
    }

    fn evaluate_move(&mut self, mv: Move) -> i32 {
        greedy::evaluate_move(self, mv)
    }

    fn code(&self, mv: Move) -> String {
        mv.to_string()
    }
}
