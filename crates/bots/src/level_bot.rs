//! The bots of turn-based games. They keep nothing from move to move: they read the game, and choose
//! one of its legal moves.

use fourfold_common::SplitMix64;

use crate::random::pick;
use crate::{Bot, BotMove, Budget, Level, Situation, ThinkError};

/// The levels that most games have.
pub(crate) const RANDOM: Level =
    Level::new("random", "Random", "plays at random: for learning the rules", 400, 1);
pub(crate) const GREEDY: Level =
    Level::new("greedy", "Greedy", "captures whatever it can, and falls for traps", 980, 100_000);

/// Moves whose scores differ by at most this much count as equally good. In chess, scores are in
/// centipawns.
const TIE_MARGIN: i32 = 5;

/// A game in progress, as these bots see it.
pub(crate) trait Game: Sized + 'static {
    /// The rules that the text of a game does not contain.
    type Rules: Copy + Send;
    /// A legal move.
    type Move: Copy;
    /// What a bot overlooks.
    type Handicap: Copy + Send;

    /// Parses a situation. A finished game is an error.
    fn read(situation: &Situation<'_>, rules: Self::Rules) -> Result<Self, ThinkError>;

    /// Returns the legal moves; there is at least one.
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// Evaluates the position right after a legal move, for the player who makes it.
    fn evaluate_move(&mut self, mv: Self::Move) -> i32;

    /// Returns the code of a legal move.
    fn code(&self, mv: Self::Move) -> String;
}

/// Chooses a legal move, given a handicap and the seed of this move.
pub(crate) type Choose<G> = fn(G, <G as Game>::Handicap, u64, Budget<'_>) -> BotMove;

/// How a bot chooses its moves, and what it overlooks.
pub(crate) type Strategy<G> = (Choose<G>, <G as Game>::Handicap);

/// A bot of some level.
struct LevelBot<G: Game> {
    choose: Choose<G>,
    handicap: G::Handicap,
    rules: G::Rules,
    seed: u64,
}

/// Creates a bot.
pub(crate) fn make<G: Game>(
    (choose, handicap): Strategy<G>,
    rules: G::Rules,
    seed: u64,
) -> Box<dyn Bot> {
    Box::new(LevelBot { choose, handicap, rules, seed })
}

impl<G: Game> Bot for LevelBot<G> {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<BotMove, ThinkError> {
        let game = G::read(situation, self.rules)?;
        // The seed changes with every move: what is overlooked now may be noticed a move later.
        let seed = situation.move_seed(self.seed);
        Ok((self.choose)(game, self.handicap, seed, budget))
    }
}

/// Plays a legal move chosen uniformly at random.
pub(crate) fn random<G: Game>(game: G, _: G::Handicap, seed: u64, _: Budget<'_>) -> BotMove {
    let mv = pick(&mut SplitMix64::new(seed), &game.legal_moves());
    BotMove::new(game.code(mv))
}

/// Plays one of the moves that have the best, or nearly the best, evaluation.
pub(crate) fn greedy<G: Game>(
    mut game: G,
    _: G::Handicap,
    seed: u64,
    budget: Budget<'_>,
) -> BotMove {
    let mut scores: Vec<(i32, G::Move)> = Vec::new();
    for (nodes, mv) in (0..).zip(game.legal_moves()) {
        if nodes > 0 && budget.is_spent(nodes) {
            break;
        }
        scores.push((game.evaluate_move(mv), mv));
    }
    let highest = scores.iter().map(|&(score, _)| score).max().unwrap_or(0);
    scores.retain(|(score, _)| score + TIE_MARGIN >= highest);
    let (_, mv) = pick(&mut SplitMix64::new(seed), &scores);
    BotMove::new(game.code(mv))
}
