//! The levels of Blokus: from random placements to the search at full strength.

use fourfold_blokus::{Placement, Variant};
use fourfold_common::SplitMix64;

use super::Game;
use super::handicap::Handicap;
use super::tree::SearchGame;
use crate::level_bot::{Game as _, RANDOM, Strategy, greedy, random};
use crate::random::pick;
use crate::tree::TreeSearch;
use crate::{BotMove, Budget, Level};

/// The levels on the large board, weakest first.
static LEVELS: [Level; 6] = levels_at([870, 1260, 1520, 1830], 8_000);

/// The levels of Duo. Its games are shorter, so more playouts fit into a second.
static DUO_LEVELS: [Level; 6] = levels_at([730, 920, 1280, 1750], 20_000);

/// Returns the levels, given the ratings of those between the weakest and the strongest, and how
/// many playouts fit into about a second.
const fn levels_at(ratings: [u32; 4], second: u64) -> [Level; 6] {
    let [novice, greedy, casual, club] = ratings;
    let opens = "opens as many corners as it can, and does not block yours";
    [
        RANDOM,
        Level::new("novice", "Novice", "overlooks many corners", novice, 1),
        Level::new("greedy", "Greedy", opens, greedy, 100_000),
        Level::new("casual", "Casual", "forgets some of its pieces and corners", casual, 100),
        Level::new("club", "Club", "blocks your corners, and keeps room for its own", club, 600),
        Level::master(2000, second),
    ]
}

/// Returns the levels of a variant, weakest first.
pub(crate) fn levels(variant: Variant) -> &'static [Level] {
    if variant.colors().len() == 2 { &DUO_LEVELS } else { &LEVELS }
}

/// Returns how a level chooses its moves.
pub(crate) fn level(id: &str, _: Variant) -> Option<Strategy<Game>> {
    let none = Handicap::NONE;
    Some(match id {
        "random" => (random, none),
        "novice" => (largest, Handicap { miss_piece: 300, miss_corner: 600, ..none }),
        "greedy" => (greedy, none),
        "casual" => {
            let (candidates, horizon) = (12, 8);
            (search, Handicap { candidates, horizon, miss_piece: 100, miss_corner: 150, ..none })
        }
        "club" | "master" => (search, none),
        _ => return None,
    })
}

/// Plays the placement that the tree search finds.
fn search(game: Game, handicap: Handicap, seed: u64, budget: Budget<'_>) -> BotMove {
    let root = game.position;
    TreeSearch::new(SearchGame::new(game, Handicap { seed, ..handicap }), root).think(budget)
}

/// Plays a random placement of one of the largest pieces, among the placements that the bot
/// notices.
fn largest(game: Game, handicap: Handicap, seed: u64, _: Budget<'_>) -> BotMove {
    let handicap = Handicap { seed, ..handicap };
    let legal = game.legal_moves();
    let mut seen: Vec<Placement> = legal.clone();
    seen.retain(|&placement| handicap.sees(&game.position, placement));
    if seen.is_empty() {
        seen = legal;
    }
    let largest = seen.iter().map(|placement| placement.piece().size()).max();
    seen.retain(|placement| Some(placement.piece().size()) == largest);
    BotMove::new(game.code(pick(&mut SplitMix64::new(!seed), &seen)))
}
