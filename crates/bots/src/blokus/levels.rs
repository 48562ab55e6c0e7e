//! The levels of Blokus: from random placements to the search at full strength.

use fourfold_blokus::{Placement, Variant};
use fourfold_common::SplitMix64;

use super::Game;
use super::handicap::Handicap;
use super::playout::below;
use super::tree::Mind;
use crate::chooser::{self, Game as _};
use crate::tree::Tree;
use crate::{Bot, Budget, Level, Situation, ThinkError, Thought};

/// The levels on the large board, weakest first.
pub(crate) static LEVELS: [Level; 6] = levels(8_000);

/// The levels of Duo. Its games are shorter, so more playouts fit into a second.
pub(crate) static DUO_LEVELS: [Level; 6] = levels(20_000);

/// Returns the levels, given how many playouts fit into about a second.
const fn levels(second: u64) -> [Level; 6] {
    [
        Level { id: "random", name: "Random", about: "places any piece anywhere", nodes: 1 },
        Level {
            id: "novice",
            name: "Novice",
            about: "places large pieces, overlooks many corners",
            nodes: 1,
        },
        Level {
            id: "greedy",
            name: "Greedy",
            about: "places its largest piece where it opens the most corners",
            nodes: 100_000,
        },
        Level {
            id: "casual",
            name: "Casual",
            about: "looks a little ahead, forgets some of its pieces",
            nodes: 100,
        },
        Level {
            id: "club",
            name: "Club",
            about: "simulates a few hundred games per move",
            nodes: 600,
        },
        Level {
            id: "master",
            name: "Master",
            about: "plays as well as it can in a second",
            nodes: second,
        },
    ]
}

/// Returns the handicap of a level, if it has one; the seed is set for each move.
fn sight(level: &str) -> Option<Handicap> {
    let clear = Handicap::CLEAR;
    Some(match level {
        "novice" => Handicap { piece: 300, corner: 600, ..clear },
        "casual" => Handicap { candidates: 12, horizon: 8, piece: 100, corner: 150, ..clear },
        "club" | "master" => clear,
        _ => return None,
    })
}

/// Creates a bot of a level.
pub(crate) fn make(level: &str, variant: Variant, seed: u64) -> Option<Box<dyn Bot>> {
    match sight(level) {
        Some(sight) => Some(Box::new(Player { sight, variant, seed, searches: level != "novice" })),
        None => chooser::make::<Game>(level, variant, seed),
    }
}

struct Player {
    sight: Handicap,
    variant: Variant,
    seed: u64,
    /// Whether it searches at all.
    searches: bool,
}

impl Bot for Player {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<Thought, ThinkError> {
        let game = Game::read(situation, self.variant)?;
        // The seed changes with every move: what is overlooked now may be noticed a move later.
        let seed = situation.chance(self.seed);
        let sight = Handicap { seed, ..self.sight };
        if !self.searches {
            return Ok(Thought::new(game.code(largest_seen(&game, &sight))));
        }
        let root = game.position;
        Ok(Tree::new(Mind::new(game, sight, seed), root).think(budget))
    }
}

/// Returns a random placement of one of the largest pieces, among the placements that the bot
/// notices.
fn largest_seen(game: &Game, sight: &Handicap) -> Placement {
    let legal = game.legal_moves();
    let mut seen: Vec<Placement> = legal.clone();
    seen.retain(|&placement| sight.sees(&game.position, placement));
    if seen.is_empty() {
        seen = legal;
    }
    let largest = seen.iter().map(|placement| placement.piece().size()).max();
    seen.retain(|placement| Some(placement.piece().size()) == largest);
    seen[below(&mut SplitMix64::new(!sight.seed), seen.len())]
}
