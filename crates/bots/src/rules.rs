//! The rules that bots play by, for callers who know more about a game than its id.

use fourfold_blokus::Variant as Blokus;
use fourfold_chess::Variant as Chess;
use fourfold_four_player::Rules as FourPlayer;

use crate::{Bot, Level, blokus, chess, four_player};

/// The rules of a turn-based game. Bots can be created for any of them, not only for those with an
/// id of their own.
///
/// ```
/// use fourfold_blokus::Variant;
/// use fourfold_bots::{Budget, Rules, Situation};
///
/// let variant = Variant::two(5).expect("there are boards of that size");
/// let mut bot = Rules::Blokus(variant).make("greedy", 7).expect("Blokus has a greedy bot");
/// let start = fourfold_blokus::Position::start(variant).to_string();
/// let thought = bot.think(&Situation { start: &start, moves: &[] }, Budget::nodes(1000))?;
/// assert_eq!(thought.code.split(',').count(), 5, "it places a piece of five squares");
/// # Ok::<(), fourfold_bots::ThinkError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Chess or Chess960.
    Chess(Chess),
    /// Four-player chess.
    FourPlayer(FourPlayer),
    /// Blokus.
    Blokus(Blokus),
}

impl Rules {
    /// Returns the rules of a game by its id in `fourfold-table`, or `None` if the game has no
    /// turn-based bots.
    pub fn of(game: &str) -> Option<Rules> {
        Some(match game {
            "chess" => Rules::Chess(Chess::Standard),
            "chess960" => Rules::Chess(Chess::Chess960),
            "four-player" => Rules::FourPlayer(FourPlayer::FREE_FOR_ALL),
            "four-player-teams" => Rules::FourPlayer(FourPlayer::TEAMS),
            "blokus" => Rules::Blokus(Blokus::CLASSIC),
            "blokus-2" => Rules::Blokus(Blokus::CLASSIC_2),
            "blokus-3" => Rules::Blokus(Blokus::CLASSIC_3),
            "blokus-duo" => Rules::Blokus(Blokus::DUO),
            _ => return None,
        })
    }

    /// Returns the levels, weakest first.
    pub fn levels(self) -> &'static [Level] {
        match self {
            Rules::Chess(_) => &chess::LEVELS,
            Rules::FourPlayer(rules) => four_player::levels(rules.mode),
            Rules::Blokus(variant) if variant.colors() == 2 => &blokus::DUO_LEVELS,
            Rules::Blokus(_) => &blokus::LEVELS,
        }
    }

    /// Creates a bot of a level, or returns `None` if there is no such level. The seed decides
    /// between equally good moves, and what a bot with a handicap overlooks.
    pub fn make(self, level: &str, seed: u64) -> Option<Box<dyn Bot>> {
        match self {
            Rules::Chess(variant) => chess::make(level, variant, seed),
            Rules::FourPlayer(rules) => four_player::make(level, rules, seed),
            Rules::Blokus(variant) => blokus::make(level, variant, seed),
        }
    }
}
