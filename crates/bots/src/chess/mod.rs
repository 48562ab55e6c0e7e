//! Bots for chess and Chess960, and the engine behind the stronger ones.

mod engine;
mod greedy;
mod levels;

use fourfold_chess::{History, Move, Position, Variant};

use crate::{Situation, ThinkError, level_bot};

pub use engine::{Engine, Handicap, Report, Task, Variation};
pub(crate) use levels::{analyst, deep_analyst, level, levels};

/// A game in progress, as the bots see it.
pub(crate) struct Game {
    position: Position,
    history: History,
}

impl level_bot::Game for Game {
    type Rules = Variant;
    type Move = Move;
    type Handicap = Handicap;

    fn read(situation: &Situation<'_>, variant: Variant) -> Result<Game, ThinkError> {
        let mut position =
            Position::from_fen_in(situation.start, variant).map_err(ThinkError::start)?;
        let mut history = History::new(&position);
        for (ply, code) in situation.moves.iter().enumerate() {
            let mv = position.parse_uci(code);
            let mv = mv.map_err(|error| ThinkError::move_error(ply, code, error))?;
            position.play_unchecked(mv);
            history.push(&position);
        }
        match history.ending(&position) {
            Some(ending) => Err(ThinkError::Over { reason: ending.to_string() }),
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
        mv.uci(self.position.variant())
    }
}
