//! Stateless bots: they read the game, look at its legal moves, and choose one.

use fourfold_common::SplitMix64;

use crate::{Bot, Budget, Level, Situation, ThinkError, Thought};

/// The levels that every game with such bots has, weakest first.
pub(crate) static LEVELS: [Level; 2] = [
    Level { id: "random", name: "Random", about: "plays any legal move", nodes: 1 },
    Level {
        id: "greedy",
        name: "Greedy",
        about: "captures what it can, looks one move ahead",
        nodes: 100_000,
    },
];

/// Moves whose scores differ by at most this much count as equally good. In chess, scores are in
/// centipawns.
const SHADE: i32 = 5;

/// A game in progress, as these bots see it.
pub(crate) trait Game: Sized {
    /// The rules that the text of a game does not contain.
    type Rules: Copy + Send + 'static;
    /// A legal move.
    type Move: Copy;

    /// Parses a situation. A finished game is an error.
    fn read(situation: &Situation<'_>, rules: Self::Rules) -> Result<Self, ThinkError>;

    /// Returns the legal moves; there is at least one.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// Evaluates the position right after a legal move, for the player who makes it.
    fn weigh(&mut self, mv: Self::Move) -> i32;

    /// Returns the code of a legal move.
    fn code(&self, mv: Self::Move) -> String;
}

/// Creates a bot of a level.
pub(crate) fn make<G: Game + 'static>(
    level: &str,
    rules: G::Rules,
    seed: u64,
) -> Option<Box<dyn Bot>> {
    let choose = match level {
        "random" => random,
        "greedy" => greedy,
        _ => return None,
    };
    Some(Box::new(Chooser::<G> { choose, rules, seed }))
}

/// Chooses one of the legal moves.
type Choose<G> = fn(&mut G, &mut SplitMix64, Budget<'_>) -> <G as Game>::Move;

struct Chooser<G: Game> {
    choose: Choose<G>,
    rules: G::Rules,
    seed: u64,
}

impl<G: Game> Bot for Chooser<G> {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<Thought, ThinkError> {
        let mut game = G::read(situation, self.rules)?;
        let seed = situation.chance(self.seed);
        let mv = (self.choose)(&mut game, &mut SplitMix64::new(seed), budget);
        Ok(Thought::new(game.code(mv)))
    }
}

/// Returns a legal move chosen uniformly at random.
fn random<G: Game>(game: &mut G, keys: &mut SplitMix64, _: Budget<'_>) -> G::Move {
    pick(keys, &game.legal_moves())
}

/// Returns one of the moves that have the best, or nearly the best, evaluation.
fn greedy<G: Game>(game: &mut G, keys: &mut SplitMix64, budget: Budget<'_>) -> G::Move {
    let mut scores: Vec<(i32, G::Move)> = Vec::new();
    for (nodes, mv) in (0..).zip(game.legal_moves()) {
        if nodes > 0 && budget.is_spent(nodes) {
            break;
        }
        scores.push((game.weigh(mv), mv));
    }
    let highest = scores.iter().map(|&(score, _)| score).max().unwrap_or(0);
    scores.retain(|(score, _)| score + SHADE >= highest);
    pick(keys, &scores).1
}

/// Returns an element chosen uniformly at random.
fn pick<T: Copy>(keys: &mut SplitMix64, things: &[T]) -> T {
    let index = (u128::from(keys.next()) * things.len() as u128) >> 64;
    things[index as usize]
}
