//! Bots that play chess and Chess960.

mod greedy;
mod random;

use fourfold_board::Keys;
use fourfold_chess::{History, Move, Position, Variant};

use crate::{Bot, Budget, Level, Situation, ThinkError, Thought};

pub(crate) static LEVELS: [Level; 2] = [
    Level { id: "random", name: "Random", about: "plays any legal move" },
    Level { id: "greedy", name: "Greedy", about: "takes what it can and looks one move ahead" },
];

pub(crate) fn make(level: &str, variant: Variant, seed: u64) -> Option<Box<dyn Bot>> {
    let choose = match level {
        "random" => random::choose,
        "greedy" => greedy::choose,
        _ => return None,
    };
    Some(Box::new(Chooser { choose, variant, seed }))
}

/// How a bot without a memory of its own chooses one of the legal moves, of which there are some.
type Choose = fn(&mut Game, &mut Keys, Budget<'_>) -> Move;

/// A bot without a memory of its own.
struct Chooser {
    choose: Choose,
    variant: Variant,
    seed: u64,
}

impl Bot for Chooser {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<Thought, ThinkError> {
        let mut game = Game::read(situation, self.variant)?;
        // Neighbouring seeds and plies have nothing in common.
        let seed = Keys::new(self.seed).next() ^ situation.moves.len() as u64;
        let mv = (self.choose)(&mut game, &mut Keys::new(seed), budget);
        Ok(Thought::new(mv.uci(self.variant)))
    }
}

/// A game that goes on, as the bots see it.
struct Game {
    position: Position,
    history: History,
}

impl Game {
    fn read(situation: &Situation<'_>, variant: Variant) -> Result<Game, ThinkError> {
        let mut position = Position::from_fen_in(situation.start, variant)
            .map_err(|error| ThinkError::Start { reason: error.to_string() })?;
        let mut history = History::new(&position);
        for (ply, code) in situation.moves.iter().enumerate() {
            let mv = position.parse_uci(code).map_err(|error| ThinkError::Move {
                ply,
                code: code.clone(),
                reason: error.to_string(),
            })?;
            position.play_unchecked(mv);
            history.push(&position);
        }
        match history.ending(&position) {
            Some(ending) => Err(ThinkError::Over { reason: ending.to_string() }),
            None => Ok(Game { position, history }),
        }
    }
}

/// One of some things, each as likely as the others.
fn pick<T: Copy>(keys: &mut Keys, things: &[T]) -> T {
    let index = (u128::from(keys.next()) * things.len() as u128) >> 64;
    things[index as usize]
}
