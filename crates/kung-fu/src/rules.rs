//! The rules of a game and their options.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use bytemuck::{Pod, Zeroable};
use fourfold_common::{ensure, join, quote_short};
use thiserror::Error;

/// Ticks per second of play.
pub const TICKS_PER_SECOND: u32 = 30;

/// The rules of a game. The default is the 8×8 board at the standard speed.
///
/// ```
/// use fourfold_kung_fu::{Board, Rules};
/// let rules = Rules::parse("12x12 lightning players=134 freeze")?;
/// assert_eq!(rules.board, Board::Twelve);
/// assert_eq!(Rules::parse(&rules.to_string())?, rules);
/// assert!(Rules::parse("fast").unwrap_err().to_string().contains("'fast'"));
/// # Ok::<(), fourfold_kung_fu::ParseRulesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// The board.
    pub board: Board,
    /// The speed.
    pub speed: Timing,
    /// The players who take part.
    pub players: Players,
    /// Whether players 1 and 3 play as a team against 2 and 4.
    pub teams: bool,
    /// What happens to the pieces of an eliminated player.
    pub eliminated: EliminatedPieces,
    /// Players whose agreement to a draw is not needed.
    pub bots: Players,
}

/// [`Rules`] as bytes, any of which are a valid value, so that a game can contain them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PlainRules {
    speed: Timing,
    board: u8,
    players: Players,
    teams: u8,
    eliminated: u8,
    bots: Players,
    padding: [u8; 3],
}

impl PlainRules {
    pub(crate) const fn new(rules: Rules) -> PlainRules {
        PlainRules {
            speed: rules.speed,
            board: rules.board as u8,
            players: rules.players,
            teams: rules.teams as u8,
            eliminated: rules.eliminated as u8,
            bots: rules.bots,
            padding: [0; 3],
        }
    }

    #[inline(always)]
    pub(crate) const fn get(&self) -> Rules {
        Rules {
            board: if self.board == 0 { Board::Eight } else { Board::Twelve },
            speed: self.speed,
            players: self.players,
            teams: self.teams != 0,
            eliminated: match self.eliminated {
                0 => EliminatedPieces::Remove,
                _ => EliminatedPieces::Freeze,
            },
            bots: self.bots,
        }
    }
}

/// The board on which a game is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Board {
    /// 8×8, for two players.
    Eight,
    /// 12×12 without the 2×2 corners, for two to four players.
    Twelve,
}

/// The durations of a game, in ticks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Timing {
    /// Ticks that a piece takes per square.
    pub ticks_per_square: u32,
    /// Ticks that a piece rests after arriving.
    pub rest: u32,
    /// A draw by time needs this many ticks without an accepted order.
    pub no_move: u32,
    /// A draw by time needs this many ticks without a capture.
    pub no_capture: u32,
    /// There is no draw by time before this tick.
    pub no_draw_before: u32,
}

impl Timing {
    /// One second per square and ten seconds of rest.
    pub const STANDARD: Timing = Timing {
        ticks_per_square: 30,
        rest: 300,
        no_move: 3600,
        no_capture: 5400,
        no_draw_before: 10800,
    };
    /// Five times as fast as the standard speed, with time limits a quarter as long.
    pub const LIGHTNING: Timing = Timing {
        ticks_per_square: 6,
        rest: 60,
        no_move: 900,
        no_capture: 1350,
        no_draw_before: 2700,
    };

    /// The maximum of `ticks_per_square`; the minimum is 1.
    pub const MAX_TICKS_PER_SQUARE: u32 = 1000;
    /// The maximum of the other durations, which may be 0.
    pub const MAX_TICKS: u32 = 1_000_000_000;

    /// Returns whether all durations are in their ranges.
    pub(crate) fn is_valid(&self) -> bool {
        let [ticks_per_square, others @ ..] = self.values();
        (1..=Timing::MAX_TICKS_PER_SQUARE).contains(&ticks_per_square)
            && others.iter().all(|&ticks| ticks <= Timing::MAX_TICKS)
    }

    /// Returns the fields in their order.
    pub(crate) const fn values(self) -> [u32; 5] {
        let Timing { ticks_per_square, rest, no_move, no_capture, no_draw_before } = self;
        [ticks_per_square, rest, no_move, no_capture, no_draw_before]
    }

    pub(crate) const fn from_values(values: [u32; 5]) -> Timing {
        let [ticks_per_square, rest, no_move, no_capture, no_draw_before] = values;
        Timing { ticks_per_square, rest, no_move, no_capture, no_draw_before }
    }
}

/// What happens to the pieces of an eliminated player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EliminatedPieces {
    /// They are removed from the board.
    Remove,
    /// They stay as obstacles; pieces in flight still arrive.
    Freeze,
}

/// A player, numbered from 1 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Player(u8);

impl Player {
    /// All four players, in ascending order.
    pub const ALL: [Player; 4] = [Player(0), Player(1), Player(2), Player(3)];

    /// Returns the player with a number from 1 to 4.
    pub const fn from_number(number: u8) -> Option<Player> {
        if 1 <= number && number <= 4 { Some(Player(number - 1)) } else { None }
    }

    /// Returns the player with an index from 0 to 3. Only the lowest two bits count.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Player {
        Player((index % 4) as u8)
    }

    /// Returns the number, from 1 to 4.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Returns the index, from 0 to 3.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The remainder saves bounds checks.
        self.0 as usize % 4
    }
}

/// Writes the number.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// A set of players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Players(u8);

impl Players {
    /// The empty set.
    pub const NONE: Players = Players(0);
    /// Players 1 and 2.
    pub const TWO: Players = Players(0b11);
    /// All four players.
    pub const FOUR: Players = Players(0b1111);

    /// Creates a set from bits, with player 1 as the lowest. Bits above player 4 are ignored.
    pub const fn from_bits(bits: u8) -> Players {
        Players(bits & 0b1111)
    }

    /// Returns the set as bits, with player 1 as the lowest.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns whether a player is in the set.
    #[inline(always)]
    pub const fn contains(self, player: Player) -> bool {
        self.0 >> player.index() & 1 != 0
    }

    /// Returns the set with a player added.
    #[must_use]
    pub const fn with(self, player: Player) -> Players {
        Players(self.0 | 1 << player.index())
    }

    /// Returns the set without the players in `others`.
    #[must_use]
    pub const fn without(self, others: Players) -> Players {
        Players(self.0 & !others.0)
    }

    /// Returns the players in both sets.
    #[must_use]
    pub const fn and(self, others: Players) -> Players {
        Players(self.0 & others.0)
    }

    /// Returns the number of players.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the players in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        Player::ALL.into_iter().filter(move |&player| self.contains(player))
    }

    /// Joins the player numbers with a separator, as in `1+3`.
    pub(crate) fn joined(self, between: &str) -> String {
        join(self.iter(), between)
    }

    /// Parses one or more player numbers in ascending order, such as `134`.
    pub(crate) fn parse(digits: &str) -> Option<Players> {
        let players = digits.bytes().try_fold(Players::NONE, |players, digit| {
            let player = Player::from_number(digit.checked_sub(b'0')?)?;
            let ascending = players.0 < 1 << player.index();
            ascending.then(|| players.with(player))
        });
        players.filter(|players| !players.is_empty())
    }
}

impl Board {
    /// Returns the number of rows, which equals the number of columns.
    pub const fn size(self) -> usize {
        [8, 12][self as usize]
    }

    /// Returns all players that the board has room for.
    pub const fn players(self) -> Players {
        [Players::TWO, Players::FOUR][self as usize]
    }
}

impl Rules {
    /// The 8×8 board at the standard speed.
    pub const STANDARD: Rules = Rules {
        board: Board::Eight,
        speed: Timing::STANDARD,
        players: Players::TWO,
        teams: false,
        eliminated: EliminatedPieces::Remove,
        bots: Players::NONE,
    };

    /// Parses words that change the default rules, separated by spaces, in any order and each at
    /// most once: `8x8` or `12x12`, `standard` or `lightning`, `ticks-per-square=N`, `rest=N`, `no-move=N`,
    /// `no-capture=N`, `no-draw-before=N`, `players=134`, `teams`, `remove` or `freeze`, `bots=24`.
    /// Without `players`, all players of the board take part.
    ///
    /// # Errors
    /// Returns an error if a word is unknown or repeated, or if a number is out of range.
    pub fn parse(words: &str) -> Result<Rules, ParseRulesError> {
        let (rules, players) = Rules::parse_players(words)?;
        Ok(Rules { players: players.unwrap_or(rules.board.players()), ..rules })
    }

    /// Like [`Rules::parse`], but returns the players separately, and only if `players` is given.
    pub(crate) fn parse_players(words: &str) -> Result<(Rules, Option<Players>), ParseRulesError> {
        let mut rules = Rules::STANDARD;
        let mut players = None;
        let mut seen = Vec::new();
        let mut numbers: [Option<u32>; 5] = [None; 5];
        for word in words.split_whitespace() {
            let unknown = || ParseRulesError { word: word.to_owned() };
            let (subject, value) = word.split_once('=').unwrap_or((word, ""));
            let subject = match subject {
                "8x8" | "12x12" => "board",
                "standard" | "lightning" => "speed",
                "remove" | "freeze" => "eliminated",
                // Former words, which are in saved games.
                "tps" => "ticks-per-square",
                "seats" => "players",
                other => other,
            };
            ensure!(!seen.contains(&subject), unknown());
            seen.push(subject);
            if let Some(index) = TIMING_WORDS.iter().position(|&name| name == subject) {
                let (least, most) = match index {
                    0 => (1, Timing::MAX_TICKS_PER_SQUARE),
                    _ => (0, Timing::MAX_TICKS),
                };
                let number = value.parse().ok().filter(|number| (least..=most).contains(number));
                let plain = number.is_some_and(|number: u32| number.to_string() == value);
                numbers[index] = Some(number.filter(|_| plain).ok_or_else(unknown)?);
                continue;
            }
            match word {
                "8x8" => rules.board = Board::Eight,
                "12x12" => rules.board = Board::Twelve,
                "standard" => rules.speed = Timing::STANDARD,
                "lightning" => rules.speed = Timing::LIGHTNING,
                "teams" => rules.teams = true,
                "remove" => rules.eliminated = EliminatedPieces::Remove,
                "freeze" => rules.eliminated = EliminatedPieces::Freeze,
                _ if subject == "players" => {
                    players = Some(Players::parse(value).ok_or_else(unknown)?);
                }
                _ if subject == "bots" => rules.bots = Players::parse(value).ok_or_else(unknown)?,
                _ => return Err(unknown()),
            }
        }
        let default = rules.speed.values();
        let values = core::array::from_fn(|index| numbers[index].unwrap_or(default[index]));
        rules.speed = Timing::from_values(values);
        Ok((rules, players))
    }

    /// Returns the team of a player, including the player.
    #[inline(always)]
    pub const fn team(&self, player: Player) -> Players {
        if !self.teams {
            Players::NONE.with(player)
        } else if player.index().is_multiple_of(2) {
            Players(0b0101)
        } else {
            Players(0b1010)
        }
    }
}

/// The words for the fields of [`Timing`], in their order.
const TIMING_WORDS: [&str; 5] =
    ["ticks-per-square", "rest", "no-move", "no-capture", "no-draw-before"];

impl Default for Rules {
    fn default() -> Rules {
        Rules::STANDARD
    }
}

/// Writes words that [`Rules::parse`] reads: the board, the speed, and whatever differs from their
/// defaults.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { board, speed, players, teams, eliminated, bots } = *self;
        f.write_str(match board {
            Board::Eight => "8x8",
            Board::Twelve => "12x12",
        })?;
        let lightning = speed.ticks_per_square == Timing::LIGHTNING.ticks_per_square;
        let (name, default) = if lightning {
            (" lightning", Timing::LIGHTNING)
        } else {
            (" standard", Timing::STANDARD)
        };
        f.write_str(name)?;
        for ((name, number), default) in
            TIMING_WORDS.iter().zip(speed.values()).zip(default.values())
        {
            if number != default {
                write!(f, " {name}={number}")?;
            }
        }
        if players != board.players() {
            write!(f, " players={}", players.joined(""))?;
        }
        if teams {
            f.write_str(" teams")?;
        }
        if eliminated == EliminatedPieces::Freeze {
            f.write_str(" freeze")?;
        }
        if !bots.is_empty() {
            write!(f, " bots={}", bots.joined(""))?;
        }
        Ok(())
    }
}

/// The error returned when a word is not a rule, is repeated, or has a number out of range.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "unknown or repeated rule '{}': expected 8x8 or 12x12, standard or lightning, \
     ticks-per-square=N (1 to 1000), rest=N, no-move=N, no-capture=N, no-draw-before=N (up to \
     1000000000), players=134, teams, remove or freeze, bots=24",
    quote_short(.word)
)]
#[non_exhaustive]
pub struct ParseRulesError {
    /// The word.
    pub word: String,
}
