//! The levels of chess: from a bot that looks one move ahead and misses much of it, to the engine
//! at full strength.

use std::ops::ControlFlow;

use fourfold_chess::Variant;

use super::{Engine, Game, Handicap, Task};
use crate::chooser::{self, Game as _};
use crate::{Bot, Budget, Level, Line, Situation, ThinkError, Thought};

/// The levels, weakest first.
pub(crate) static LEVELS: [Level; 7] = [
    chooser::LEVELS[0],
    Level {
        id: "beginner",
        name: "Beginner",
        about: "looks one move ahead, often misses the reply",
        nodes: 2_000,
    },
    chooser::LEVELS[1],
    Level {
        id: "casual",
        name: "Casual",
        about: "looks two moves ahead, misses some moves",
        nodes: 10_000,
    },
    Level {
        id: "club",
        name: "Club",
        about: "looks three moves ahead, sometimes misses things",
        nodes: 20_000,
    },
    Level { id: "expert", name: "Expert", about: "calculates, but not for long", nodes: 40_000 },
    Level {
        id: "master",
        name: "Master",
        about: "plays as well as it can in a second",
        nodes: 1_500_000,
    },
];

/// Returns the handicap of a level, if it has one; the seed is set for each move.
fn sight(level: &str) -> Option<Handicap> {
    let clear = Handicap::CLEAR;
    Some(match level {
        "beginner" => Handicap {
            depth: 2,
            captures: 1,
            taking: 250,
            quiet: 500,
            hidden: 250,
            error: 60,
            ..clear
        },
        "casual" => Handicap {
            depth: 3,
            captures: 6,
            taking: 40,
            quiet: 120,
            hidden: 80,
            error: 25,
            ..clear
        },
        "club" => Handicap {
            depth: 4,
            captures: 20,
            taking: 5,
            quiet: 20,
            hidden: 15,
            error: 10,
            ..clear
        },
        "expert" => Handicap { error: 5, ..clear },
        "master" => Handicap { error: 2, ..clear },
        _ => return None,
    })
}

/// Creates a bot of a level.
pub(crate) fn make(level: &str, variant: Variant, seed: u64) -> Option<Box<dyn Bot>> {
    match sight(level) {
        Some(sight) => Some(Box::new(Player { sight, variant, seed })),
        None => chooser::make::<Game>(level, variant, seed),
    }
}

/// Creates a bot without a handicap.
pub(crate) fn analyst(variant: Variant) -> Box<dyn Bot> {
    Box::new(Player { sight: Handicap::CLEAR, variant, seed: 0 })
}

struct Player {
    sight: Handicap,
    variant: Variant,
    seed: u64,
}

/// The largest transposition table. In a search of about a second, a larger one costs more by
/// touching fresh memory than it saves.
const MOST_BYTES: u64 = 8 << 20;

impl Bot for Player {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<Thought, ThinkError> {
        let game = Game::read(situation, self.variant)?;
        // The seed changes with every move: what is overlooked now may be noticed a move later.
        let seed = situation.chance(self.seed);
        let task = Task { handicap: Handicap { seed, ..self.sight }, ..Task::new(budget) };
        // A new engine is created for each move, so that the same situation gives the same move.
        let mut engine = match self.sight.depth {
            u32::MAX => Engine::new(budget.nodes.saturating_mul(16).min(MOST_BYTES) as usize),
            _ => Engine::plain(),
        };
        let answer =
            engine.think(&game.position, &game.history, &task, |_| ControlFlow::Continue(()));
        let lines = answer.lines.iter().map(|line| Line {
            score: line.score(),
            codes: line.moves.iter().map(|&mv| game.code(mv)).collect(),
        });
        let lines: Vec<Line> = lines.collect();
        // A game in progress has a legal move.
        let code = lines.first().map_or_else(String::new, |line| line.codes[0].clone());
        Ok(Thought { nodes: answer.nodes, depth: answer.depth, lines, ..Thought::new(code) })
    }
}
