//! The rules of a game and their options.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use bytemuck::{Pod, Zeroable};
use fourfold_common::quote_short;
use thiserror::Error;

use crate::Role;

/// The rules of a game. The default is free-for-all; [`Rules::CHESS_COM`] is closer to chess.com.
///
/// ```
/// use fourfold_four_player::{Mode, Rules};
/// let rules = Rules { mode: Mode::Teams, ..Rules::default() };
/// assert_eq!(rules.quiet_plies, 200);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Free-for-all or teams.
    pub mode: Mode,
    /// Whether the king of a living player may be captured.
    pub king_capture: KingCapture,
    /// When a player without a legal move is eliminated, in free-for-all.
    pub mate_timing: MateTiming,
    /// The points for captures, mates, draws and checks, in free-for-all.
    pub points: Points,
    /// Who wins, in free-for-all.
    pub winner: Winner,
    /// Whether the king of a player who has withdrawn keeps moving. The caller plays its moves.
    pub walking_king: bool,
    /// Whether the last survivor gets the points of a king for each player who has withdrawn and
    /// whose king is still on the board, in free-for-all.
    pub award_kings: bool,
    /// The game is drawn when a position occurs this often; 0 disables the rule.
    pub repetitions: u8,
    /// The game is drawn after this many plies without a capture or pawn move; 0 disables the rule.
    pub quiet_plies: u16,
    /// Whether the game is drawn when every living player has only a king.
    pub bare_kings: bool,
}

/// Who plays against whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Free-for-all: every player plays against all others.
    FreeForAll,
    /// Red and Yellow against Blue and Green.
    Teams,
}

/// Whether the king of a living player may be captured. This is possible when another player moves
/// before the owner can respond.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KingCapture {
    /// The owner is eliminated at once.
    Allow,
    /// No move may capture the king of a living player.
    Forbid,
}

/// When a player who has no legal move is eliminated, in free-for-all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateTiming {
    /// When the player's turn comes.
    OnTurn,
    /// Mated players are eliminated right after the mating move, even if another player could still
    /// break the mate; stalemated players when their turn comes.
    Immediate,
    /// Never: a player without a legal move has no moves. Used for perft.
    Off,
}

/// Who wins, in free-for-all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Winner {
    /// The player with the most points, or all players who are tied for the most.
    MostPoints,
    /// All players who are alive at the end.
    Survivors,
}

/// The points that players score, in free-for-all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Points {
    /// For capturing a piece of a living player, by role in the order of [`Role::ALL`].
    pub pieces: [u8; 7],
    /// For mating a player.
    pub mate: u8,
    /// For being stalemated.
    pub stalemate: u8,
    /// For each living player when the game is drawn.
    pub draw: u8,
    /// For checking two kings at once, with a queen move (first) or any other move (second).
    pub double_check: [u8; 2],
    /// For checking three kings at once, with a queen move (first) or any other move (second).
    pub triple_check: [u8; 2],
}

/// [`Rules`] as bytes, any of which are a valid value, so that a position can contain them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct PlainRules {
    quiet_plies: u16,
    points: Points,
    mode: u8,
    king_capture: u8,
    mate_timing: u8,
    winner: u8,
    walking_king: u8,
    repetitions: u8,
    bare_kings: u8,
    award_kings: u8,
}

impl PlainRules {
    pub(crate) const fn new(rules: Rules) -> PlainRules {
        PlainRules {
            quiet_plies: rules.quiet_plies,
            points: rules.points,
            mode: rules.mode as u8,
            king_capture: rules.king_capture as u8,
            mate_timing: rules.mate_timing as u8,
            winner: rules.winner as u8,
            walking_king: rules.walking_king as u8,
            repetitions: rules.repetitions,
            bare_kings: rules.bare_kings as u8,
            award_kings: rules.award_kings as u8,
        }
    }

    /// Returns the points for capturing a piece, without a copy of the table.
    #[inline(always)]
    pub(crate) const fn value(&self, role: Role) -> u16 {
        self.points.of(role)
    }

    #[inline(always)]
    pub(crate) const fn get(&self) -> Rules {
        Rules {
            mode: if self.mode == 0 { Mode::FreeForAll } else { Mode::Teams },
            king_capture: if self.king_capture == 0 {
                KingCapture::Allow
            } else {
                KingCapture::Forbid
            },
            mate_timing: match self.mate_timing {
                0 => MateTiming::OnTurn,
                1 => MateTiming::Immediate,
                _ => MateTiming::Off,
            },
            points: self.points,
            winner: if self.winner == 0 { Winner::MostPoints } else { Winner::Survivors },
            walking_king: self.walking_king != 0,
            repetitions: self.repetitions,
            quiet_plies: self.quiet_plies,
            bare_kings: self.bare_kings != 0,
            award_kings: self.award_kings != 0,
        }
    }
}

impl Points {
    /// The points used on chess.com.
    pub const STANDARD: Points = Points {
        pieces: [1, 3, 5, 5, 9, 20, 1],
        mate: 20,
        stalemate: 20,
        draw: 10,
        double_check: [1, 5],
        triple_check: [5, 20],
    };

    /// The points of the legacy interface: bishops score 3, and multiple checks nothing.
    pub const LEGACY: Points = Points {
        pieces: [1, 3, 3, 5, 9, 20, 1],
        double_check: [0, 0],
        triple_check: [0, 0],
        ..Points::STANDARD
    };

    /// Returns the points for capturing a piece of a living player.
    #[inline(always)]
    pub const fn of(&self, role: Role) -> u16 {
        self.pieces[role as usize - 1] as u16
    }
}

impl Rules {
    /// Free-for-all. Mated players are eliminated when their turn comes.
    pub const FREE_FOR_ALL: Rules = Rules {
        mode: Mode::FreeForAll,
        king_capture: KingCapture::Allow,
        mate_timing: MateTiming::OnTurn,
        points: Points::STANDARD,
        winner: Winner::MostPoints,
        walking_king: false,
        award_kings: false,
        repetitions: 3,
        quiet_plies: 200,
        bare_kings: true,
    };

    /// Free-for-all with what the games of chess.com show: mated players are eliminated at once, and
    /// the last survivor gets 20 points for each king that a player who withdrew has left behind.
    ///
    /// The points for captures, mates and checks follow chess.com too. What does not: the kings of
    /// players who have withdrawn stay where they are (see [`Rules::walking_king`]), nobody can claim
    /// a win or a draw, and the draws by repetition, quiet plies and bare kings are those of the
    /// default.
    pub const CHESS_COM: Rules =
        Rules { mate_timing: MateTiming::Immediate, award_kings: true, ..Rules::FREE_FOR_ALL };

    /// Teams: Red and Yellow against Blue and Green.
    pub const TEAMS: Rules = Rules { mode: Mode::Teams, ..Rules::FREE_FOR_ALL };

    /// Parses changes to the default rules: words in any order, separated by spaces. They are
    /// `teams`, `forbid-king-capture`, `immediate`, `off`, `survivor`, `walking-king`,
    /// `award-kings`, `legacy-points`, `repetition=N`, `quiet=N` and `no-bare-kings`, and the
    /// defaults `ffa`, `allow-king-capture`, `on-turn` and `points`. `chess.com` stands for
    /// `immediate award-kings`.
    ///
    /// ```
    /// use fourfold_four_player::{MateTiming, Rules};
    /// let rules = Rules::parse("immediate quiet=50")?;
    /// assert_eq!(rules.mate_timing, MateTiming::Immediate);
    /// assert_eq!(Rules::parse(&rules.to_string())?, rules);
    /// assert!(Rules::parse("fast").unwrap_err().to_string().contains("'fast'"));
    /// # Ok::<(), fourfold_four_player::ParseRulesError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a word is none of these.
    pub fn parse(words: &str) -> Result<Rules, ParseRulesError> {
        let mut rules = Rules::FREE_FOR_ALL;
        for word in words.split_whitespace() {
            let unknown = || ParseRulesError { word: word.to_owned() };
            match word.split_once('=') {
                Some(("repetition", number)) => {
                    rules.repetitions = number.parse().map_err(|_| unknown())?;
                }
                Some(("quiet", number)) => {
                    rules.quiet_plies = number.parse().map_err(|_| unknown())?;
                }
                Some(_) => return Err(unknown()),
                None => match word {
                    "ffa" => rules.mode = Mode::FreeForAll,
                    "teams" => rules.mode = Mode::Teams,
                    "allow-king-capture" => rules.king_capture = KingCapture::Allow,
                    "forbid-king-capture" => rules.king_capture = KingCapture::Forbid,
                    "on-turn" => rules.mate_timing = MateTiming::OnTurn,
                    "immediate" => rules.mate_timing = MateTiming::Immediate,
                    "off" => rules.mate_timing = MateTiming::Off,
                    "points" => rules.winner = Winner::MostPoints,
                    "survivor" => rules.winner = Winner::Survivors,
                    "walking-king" => rules.walking_king = true,
                    "award-kings" => rules.award_kings = true,
                    "chess.com" => {
                        let Rules { mate_timing, award_kings, .. } = Rules::CHESS_COM;
                        rules = Rules { mate_timing, award_kings, ..rules };
                    }
                    // `seed-points` is the former name, which files may still have.
                    "legacy-points" | "seed-points" => rules.points = Points::LEGACY,
                    "no-bare-kings" => rules.bare_kings = false,
                    _ => return Err(unknown()),
                },
            }
        }
        Ok(rules)
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules::FREE_FOR_ALL
    }
}

/// Formats the rules as words that [`Rules::parse`] reads. Point tables other than the two
/// predefined ones are written out, but cannot be parsed.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { mode, king_capture, mate_timing, points, winner, walking_king, .. } = *self;
        f.write_str(match mode {
            Mode::FreeForAll => "ffa",
            Mode::Teams => "teams",
        })?;
        if king_capture == KingCapture::Forbid {
            f.write_str(" forbid-king-capture")?;
        }
        match mate_timing {
            MateTiming::OnTurn => {}
            MateTiming::Immediate => f.write_str(" immediate")?,
            MateTiming::Off => f.write_str(" off")?,
        }
        if points == Points::LEGACY {
            f.write_str(" legacy-points")?;
        } else if points != Points::STANDARD {
            write!(f, " points={points:?}")?;
        }
        if winner == Winner::Survivors {
            f.write_str(" survivor")?;
        }
        if walking_king {
            f.write_str(" walking-king")?;
        }
        if self.award_kings {
            f.write_str(" award-kings")?;
        }
        if self.repetitions != Rules::FREE_FOR_ALL.repetitions {
            write!(f, " repetition={}", self.repetitions)?;
        }
        if self.quiet_plies != Rules::FREE_FOR_ALL.quiet_plies {
            write!(f, " quiet={}", self.quiet_plies)?;
        }
        if !self.bare_kings {
            f.write_str(" no-bare-kings")?;
        }
        Ok(())
    }
}

/// The error returned when a word is not a rule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "unknown rule '{}': expected one of ffa, teams, forbid-king-capture, immediate, off, survivor, \
     walking-king, award-kings, chess.com, legacy-points, repetition=N, quiet=N, no-bare-kings",
    quote_short(.word)
)]
#[non_exhaustive]
pub struct ParseRulesError {
    /// The word.
    pub word: String,
}
