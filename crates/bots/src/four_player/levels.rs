//! The levels of four-player chess: from a bot that overlooks much of what it could capture, to the
//! searches at full strength.

use fourfold_common::SplitMix64;
use fourfold_four_player::{Mode, Rules};

use super::Game;
use super::handicap::Handicap;
use super::search::Search;
use super::tree::Mind;
use crate::chooser::{self, Game as _};
use crate::tree::Tree;
use crate::{Bot, Budget, Level, Line, Score, Situation, ThinkError, Thought};

const NOVICE: Level = Level {
    id: "novice",
    name: "Novice",
    about: "captures what it sees, often leaves pieces hanging",
    nodes: 1_000,
};
const CLUB: Level =
    Level { id: "club", name: "Club", about: "looks two of its moves ahead", nodes: 15_000 };

/// Returns the strongest level, given how many positions can be searched in about a second.
const fn master(second: u64) -> Level {
    Level {
        id: "master",
        name: "Master",
        about: "plays as well as it can in a second",
        nodes: second,
    }
}

/// The levels of free-for-all, weakest first. The strongest uses tree search, because there the
/// search of the other levels does not get better with more depth.
static ALONE: [Level; 4] = [chooser::LEVELS[0], NOVICE, chooser::LEVELS[1], master(50_000)];
/// The levels of teams, weakest first. Here the search lets everybody move in turn, and more depth
/// helps.
static TEAMS: [Level; 5] = [chooser::LEVELS[0], NOVICE, chooser::LEVELS[1], CLUB, master(400_000)];

/// Returns the levels of a mode, weakest first.
pub(crate) fn levels(mode: Mode) -> &'static [Level] {
    match mode {
        Mode::FreeForAll => &ALONE,
        Mode::Teams => &TEAMS,
    }
}

/// Returns the handicap of a level, if it has one; the seed is set for each move.
fn sight(level: &str) -> Option<Handicap> {
    let clear = Handicap::CLEAR;
    Some(match level {
        "novice" => Handicap {
            moves: 1,
            taking: 300,
            quiet: 500,
            hidden: 200,
            threat: 600,
            error: 60,
            ..clear
        },
        "club" => Handicap { moves: 2, error: 10, ..clear },
        "master" => Handicap { error: 2, ..clear },
        _ => return None,
    })
}

/// Creates a bot of a level.
pub(crate) fn make(level: &str, rules: Rules, seed: u64) -> Option<Box<dyn Bot>> {
    levels(rules.mode).iter().find(|known| known.id == level)?;
    match sight(level) {
        Some(sight) => Some(Box::new(Player {
            sight,
            rules,
            seed,
            grows: level == "master" && rules.mode == Mode::FreeForAll,
        })),
        None => chooser::make::<Game>(level, rules, seed),
    }
}

struct Player {
    sight: Handicap,
    rules: Rules,
    seed: u64,
    /// Whether it uses tree search instead of iterative deepening.
    grows: bool,
}

impl Bot for Player {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<Thought, ThinkError> {
        let mut game = Game::read(situation, self.rules)?;
        // The seed changes with every move: what is overlooked now may be noticed a move later.
        let seed = situation.chance(self.seed);
        let sight = Handicap { seed, ..self.sight };
        if self.grows {
            let (mind, place) = Mind::new(game, sight);
            return Ok(Tree::new(mind, place).think(budget));
        }
        let mut search = Search::new(&game.position, sight, budget);
        let found = search.run(&mut game, &mut SplitMix64::new(seed));
        // The replies that the search expects are not in turn order, so a line has a single move.
        let lines = found
            .moves
            .iter()
            .take(budget.lines.max(1))
            .map(|&(value, mv)| Line { score: Score::Points(value), codes: vec![game.code(mv)] });
        let lines: Vec<Line> = lines.collect();
        // A game in progress has a legal move.
        let code = lines.first().map_or_else(String::new, |line| line.codes[0].clone());
        Ok(Thought { nodes: found.nodes, depth: found.depth, lines, ..Thought::new(code) })
    }
}
