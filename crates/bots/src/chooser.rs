//! Bots without a memory of their own: they read the game, look at its legal moves, and choose one.

use fourfold_board::Keys;

use crate::{Bot, Budget, Level, Situation, ThinkError, Thought};

/// The levels that every such game has, the weakest first.
pub(crate) static LEVELS: [Level; 2] = [
    Level { id: "random", name: "Random", about: "plays any legal move", nodes: 1 },
    Level {
        id: "greedy",
        name: "Greedy",
        about: "takes what it can and looks one move ahead",
        nodes: 100_000,
    },
];

/// Moves that differ by no more are as good: in chess, scores are in hundredths of a pawn.
const SHADE: i32 = 5;

/// A game that goes on, as these bots see it.
pub(crate) trait Game: Sized {
    /// What of the rules the text of a game does not say.
    type Rules: Copy + Send + 'static;
    /// A legal move.
    type Move: Copy;

    /// Reads a game that is not over.
    fn read(situation: &Situation<'_>, rules: Self::Rules) -> Result<Self, ThinkError>;

    /// The legal moves, of which there are some.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// How good things look at once after a legal move, for the one who makes it.
    fn weigh(&mut self, mv: Self::Move) -> i32;

    /// The code of a legal move.
    fn code(&self, mv: Self::Move) -> String;
}

/// A bot of a level.
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

/// How one of the legal moves is chosen.
type Choose<G> = fn(&mut G, &mut Keys, Budget<'_>) -> <G as Game>::Move;

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
        let mv = (self.choose)(&mut game, &mut Keys::new(seed), budget);
        Ok(Thought::new(game.code(mv)))
    }
}

/// Any legal move, each as likely as the others.
fn random<G: Game>(game: &mut G, keys: &mut Keys, _: Budget<'_>) -> G::Move {
    pick(keys, &game.legal_moves())
}

/// The move after which things look best at once.
fn greedy<G: Game>(game: &mut G, keys: &mut Keys, budget: Budget<'_>) -> G::Move {
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

/// One of some things, each as likely as the others.
fn pick<T: Copy>(keys: &mut Keys, things: &[T]) -> T {
    let index = (u128::from(keys.next()) * things.len() as u128) >> 64;
    things[index as usize]
}
