//! The levels of four-player chess: from one who overlooks most of what it could take to all that the
//! searches can.

use fourfold_board::Keys;
use fourfold_four_player::{Mode, Rules};

use super::Game;
use super::search::Search;
use super::sight::Sight;
use super::tree::Mind;
use crate::chooser::{self, Game as _};
use crate::tree::Tree;
use crate::{Bot, Budget, Level, Line, Score, Situation, ThinkError, Thought};

const NOVICE: Level = Level {
    id: "novice",
    name: "Novice",
    about: "takes what it sees, and overlooks much of what it leaves to the others",
    nodes: 1_000,
};
const CLUB: Level =
    Level { id: "club", name: "Club", about: "looks two of its moves ahead", nodes: 15_000 };

/// All that can be done if so many positions can be looked at in about a second.
const fn master(second: u64) -> Level {
    Level {
        id: "master",
        name: "Master",
        about: "plays as well as it can in a second",
        nodes: second,
    }
}

/// The levels of the free-for-all, the weakest first. The strongest grows a tree, for to look further as
/// the others do helps nobody there.
static ALONE: [Level; 4] = [chooser::LEVELS[0], NOVICE, chooser::LEVELS[1], master(50_000)];
/// Those of teams, in which everybody looks ahead in turn.
static TEAMS: [Level; 5] = [chooser::LEVELS[0], NOVICE, chooser::LEVELS[1], CLUB, master(400_000)];

/// The levels under some rules, the weakest first.
pub(crate) fn levels(mode: Mode) -> &'static [Level] {
    match mode {
        Mode::FreeForAll => &ALONE,
        Mode::Teams => &TEAMS,
    }
}

/// How the players of a level see; the seed is each player's own.
fn sight(level: &str) -> Option<Sight> {
    let clear = Sight::CLEAR;
    Some(match level {
        "novice" => Sight {
            moves: 1,
            taking: 300,
            quiet: 500,
            hidden: 200,
            threat: 600,
            error: 60,
            ..clear
        },
        "club" => Sight { moves: 2, error: 10, ..clear },
        "master" => Sight { error: 2, ..clear },
        _ => return None,
    })
}

/// A bot of a level.
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
    sight: Sight,
    rules: Rules,
    seed: u64,
    /// Whether it grows a tree, instead of looking deeper and deeper.
    grows: bool,
}

impl Bot for Player {
    fn think(
        &mut self,
        situation: &Situation<'_>,
        budget: Budget<'_>,
    ) -> Result<Thought, ThinkError> {
        let mut game = Game::read(situation, self.rules)?;
        // What is overlooked now may be seen a move later.
        let seed = situation.chance(self.seed);
        let sight = Sight { seed, ..self.sight };
        if self.grows {
            let (mind, place) = Mind::new(game, sight);
            return Ok(Tree::new(mind, place).think(budget));
        }
        let mut search = Search::new(&game.position, sight, budget);
        let found = search.run(&mut game, &mut Keys::new(seed));
        // What it expects of the others is not in their turns, so a line has a single move.
        let lines = found
            .moves
            .iter()
            .take(budget.lines.max(1))
            .map(|&(value, mv)| Line { score: Score::Points(value), codes: vec![game.code(mv)] });
        let lines: Vec<Line> = lines.collect();
        // A game that goes on has a legal move.
        let code = lines.first().map_or_else(String::new, |line| line.codes[0].clone());
        Ok(Thought { nodes: found.nodes, depth: found.depth, lines, ..Thought::new(code) })
    }
}
