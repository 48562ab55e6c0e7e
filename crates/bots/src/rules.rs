//! The registry of turn-based games with bots, and the rules that bots play by, for callers who know
//! more about a game than its id.

use fourfold_blokus::Variant as Blokus;
use fourfold_chess::Variant as Chess;
use fourfold_four_player::Rules as FourPlayer;

use crate::{Bot, Level, blokus, chess, four_player, level_bot};

/// Lists every game once: its variant of [`Rules`], the module of its bots, and the ids of
/// `fourfold-table` with their rules.
macro_rules! games {
    ($($(#[$doc:meta])+ $name:ident($rules:ty), $bots:ident: $($id:literal => $value:expr),+;)+) => {
        /// The rules of a turn-based game. Bots can be created for any of them, not only for those
        /// with an id of their own.
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
            $($(#[$doc])+ $name($rules)),+
        }

        /// The ids of the games with turn-based bots.
        pub(crate) const IDS: &[&str] = &[$($($id),+),+];

        impl Rules {
            /// Returns the rules of a game by its id in `fourfold-table`, or `None` if the game has
            /// no turn-based bots.
            pub fn of(game: &str) -> Option<Rules> {
                match game {
                    $($($id => Some(Rules::$name($value)),)+)+
                    _ => None,
                }
            }

            /// Returns the levels, weakest first.
            pub fn levels(self) -> &'static [Level] {
                match self {
                    $(Rules::$name(rules) => $bots::levels(rules)),+
                }
            }

            /// Creates a bot of a level, or returns `None` if there is no such level. The seed
            /// decides between equally good moves, and what a bot with a handicap overlooks.
            pub fn make(self, level: &str, seed: u64) -> Option<Box<dyn Bot>> {
                match self {
                    $(Rules::$name(rules) => {
                        Some(level_bot::make($bots::level(level, rules)?, rules, seed))
                    })+
                }
            }
        }
    };
}

games! {
    /// Chess or Chess960.
    Chess(Chess), chess: "chess" => Chess::Standard, "chess960" => Chess::Chess960;
    /// Four-player chess.
    FourPlayer(FourPlayer), four_player:
        "four-player" => FourPlayer::FREE_FOR_ALL, "four-player-teams" => FourPlayer::TEAMS;
    /// Blokus.
    Blokus(Blokus), blokus:
        "blokus" => Blokus::CLASSIC, "blokus-2" => Blokus::CLASSIC_2,
        "blokus-3" => Blokus::CLASSIC_3, "blokus-duo" => Blokus::DUO;
}
