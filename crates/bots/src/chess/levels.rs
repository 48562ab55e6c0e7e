//! The levels of chess: from a bot that looks one move ahead and misses much of it, to the engine
//! at full strength.

use std::ops::ControlFlow;

use fourfold_chess::Variant;

use super::{Engine, Game, Handicap, Task};
use crate::level_bot::{self, GREEDY, Game as _, RANDOM, Strategy, greedy, random};
use crate::{Bot, BotMove, Budget, Level, Line, Situation, ThinkError};

/// The levels, weakest first.
static LEVELS: [Level; 7] = [
    RANDOM,
    Level::new("beginner", "Beginner", "often leaves pieces hanging", 780, 2_000),
    GREEDY,
    Level::new("casual", "Casual", "captures hanging pieces, misses some tactics", 1250, 10_000),
    Level::new("club", "Club", "rarely leaves a piece hanging, sees short tactics", 1540, 20_000),
    Level::new("expert", "Expert", "punishes most mistakes", 1930, 40_000),
    Level::master(2200, 1_500_000),
];

/// Returns the levels, weakest first.
pub(crate) fn levels(_: Variant) -> &'static [Level] {
    &LEVELS
}

/// Returns how a level chooses its moves.
pub(crate) fn level(id: &str, _: Variant) -> Option<Strategy<Game>> {
    let (none, missing) = (Handicap::NONE, Handicap::missing);
    Some(match id {
        "random" => (random, none),
        "beginner" => {
            (search, Handicap { depth: 2, captures: 1, error: 60, ..missing(250, 500, 250) })
        }
        "greedy" => (greedy, none),
        "casual" => (search, Handicap { depth: 3, captures: 6, error: 25, ..missing(40, 120, 80) }),
        "club" => (search, Handicap { depth: 4, captures: 20, error: 10, ..missing(5, 20, 15) }),
        "expert" => (search, Handicap { error: 5, ..none }),
        "master" => (search, Handicap { error: 2, ..none }),
        _ => return None,
    })
}

/// Creates a bot without a handicap.
pub(crate) fn analyst(rules: Variant) -> Box<dyn Bot> {
    level_bot::make((search, Handicap::NONE), rules, 0)
}

/// Creates a bot without a handicap whose table has about this many bytes and is kept.
pub(crate) fn deep_analyst(rules: Variant, bytes: usize) -> Box<dyn Bot> {
    Box::new(DeepAnalyst { engine: Engine::new(bytes), rules })
}

struct DeepAnalyst {
    engine: Engine,
    rules: Variant,
}

impl Bot for DeepAnalyst {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError> {
        let game = Game::read(situation, self.rules)?;
        Ok(answer(&game, &mut self.engine, &Task::new(budget)))
    }
}

/// The largest transposition table. In a search of about a second, a larger one costs more by
/// touching fresh memory than it saves.
const MAX_BYTES: u64 = 8 << 20;

/// Plays the move that the engine finds.
fn search(game: Game, handicap: Handicap, seed: u64, budget: Budget<'_>) -> BotMove {
    let task = Task { handicap: Handicap { seed, ..handicap }, ..Task::new(budget) };
    // A new engine is created for each move, so that the same situation gives the same move.
    let mut engine = match handicap.depth {
        u32::MAX => Engine::new(budget.nodes.saturating_mul(16).min(MAX_BYTES) as usize),
        _ => Engine::plain(),
    };
    answer(&game, &mut engine, &task)
}

fn answer(game: &Game, engine: &mut Engine, task: &Task<'_>) -> BotMove {
    let answer = engine.think(&game.position, &game.history, task, |_| ControlFlow::Continue(()));
    let lines = answer.lines.iter().map(|line| Line {
        score: line.score(),
        codes: line.moves.iter().map(|&mv| game.code(mv)).collect(),
    });
    BotMove::from_lines(answer.nodes, answer.depth, lines.collect())
}
