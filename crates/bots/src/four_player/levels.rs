//! The levels of four-player chess: from a bot that overlooks much of what it could capture, to the
//! searches at full strength.

use fourfold_common::SplitMix64;
use fourfold_four_player::{Mode, Rules};

use super::Game;
use super::handicap::Handicap;
use super::search::Search;
use super::tree::SearchGame;
use crate::level_bot::{GREEDY, Game as _, RANDOM, Strategy, greedy, random};
use crate::tree::TreeSearch;
use crate::{BotMove, Budget, Level, Line, Score};

const NOVICE: Level =
    Level::new("novice", "Novice", "often leaves pieces hanging, misses captures", 1070, 1_000);
const CLUB: Level =
    Level::new("club", "Club", "plans two moves ahead with its partner", 1840, 15_000);

/// The levels of free-for-all, weakest first. The strongest uses tree search, because there the
/// search of the other levels does not get better with more depth.
static FREE_FOR_ALL: [Level; 4] = [RANDOM, NOVICE, GREEDY.rated(1680), Level::master(2000, 50_000)];
/// The levels of teams, weakest first. Here the search lets everybody move in turn, and more depth
/// helps.
static TEAMS: [Level; 5] =
    [RANDOM, NOVICE.rated(1010), GREEDY.rated(1480), CLUB, Level::master(2000, 400_000)];

/// Returns the levels under these rules, weakest first.
pub(crate) fn levels(rules: Rules) -> &'static [Level] {
    match rules.mode {
        Mode::FreeForAll => &FREE_FOR_ALL,
        Mode::Teams => &TEAMS,
    }
}

/// Returns how a level chooses its moves.
pub(crate) fn level(id: &str, rules: Rules) -> Option<Strategy<Game>> {
    let (none, missing) = (Handicap::NONE, Handicap::missing);
    Some(match (id, rules.mode) {
        ("random", _) => (random, none),
        ("novice", _) => {
            (search, Handicap { moves: 1, miss_threat: 600, error: 60, ..missing(300, 500, 200) })
        }
        ("greedy", _) => (greedy, none),
        ("club", Mode::Teams) => (search, Handicap { moves: 2, error: 10, ..none }),
        ("master", Mode::Teams) => (search, Handicap { error: 2, ..none }),
        ("master", Mode::FreeForAll) => (tree_search, Handicap { error: 2, ..none }),
        _ => return None,
    })
}

/// Plays the move that the tree search finds.
fn tree_search(game: Game, handicap: Handicap, seed: u64, budget: Budget<'_>) -> BotMove {
    let (game, root) = SearchGame::new(game, Handicap { seed, ..handicap });
    TreeSearch::new(game, root).think(budget)
}

/// Plays the move that iterative deepening finds.
fn search(mut game: Game, handicap: Handicap, seed: u64, budget: Budget<'_>) -> BotMove {
    let mut search = Search::new(&game.position, Handicap { seed, ..handicap }, budget);
    let (moves, depth) = search.run(&mut game, &mut SplitMix64::new(seed));
    let moves = moves.iter().take(budget.lines.max(1));
    let lines =
        moves.map(|&(value, mv)| Line { score: Score::Points(value), codes: vec![game.code(mv)] });
    BotMove::from_lines(search.nodes, depth, lines.collect())
}
