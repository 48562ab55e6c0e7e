//! Every switch of the rules, in one value.

use std::fmt;

use crate::Kind;

/// The rules of a game. The default is free-for-all as chess.com plays it.
///
/// ```
/// use fourfold_four_player::{Mode, Rules};
/// let rules = Rules { mode: Mode::Teams, ..Rules::default() };
/// assert_eq!(rules.quiet_plies, 200);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Everybody alone, or two against two.
    pub mode: Mode,
    /// Whether a living king may be taken.
    pub king_capture: KingCapture,
    /// When a player without a legal move is out, in free-for-all.
    pub mate_timing: MateTiming,
    /// What is worth what, in free-for-all.
    pub points: Points,
    /// Who wins a free-for-all.
    pub winner: Winner,
    /// Whether the king of a player who has left goes on walking; its moves are played by the caller.
    pub walking_king: bool,
    /// Drawn when a position occurs this often; 0 for never.
    pub repetitions: u8,
    /// Drawn after this many plies without a capture or a pawn move; 0 for never.
    pub quiet_plies: u16,
    /// Drawn when every living player has only a king.
    pub bare_kings: bool,
}

/// Who plays against whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Free-for-all: every player is alone.
    FreeForAll,
    /// Red and Yellow against Blue and Green.
    Teams,
}

/// Whether a living king may be taken by a player whose turn comes before its owner's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KingCapture {
    /// Its owner is dead at once.
    Allow,
    /// A living king is no target.
    Forbid,
}

/// When a player who has no legal move is out of a free-for-all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateTiming {
    /// When the turn comes.
    OnTurn,
    /// A mated player right after the mating move, even if somebody could still help; a stalemated
    /// one when the turn comes.
    Immediate,
    /// Never: the game just has no further move. For counting.
    Off,
}

/// Who wins a free-for-all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Winner {
    /// All who have the most points.
    MostPoints,
    /// All who live at the end.
    Survivors,
}

/// What is worth what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Points {
    /// For taking a man, by its kind, in the order of [`Kind::ALL`].
    pub men: [u8; 7],
    /// For a mate.
    pub mate: u8,
    /// For being stalemated.
    pub stalemate: u8,
    /// For each living player when the game is drawn.
    pub draw: u8,
    /// For checking two kings at once, by a queen's move and by another one.
    pub double_check: [u8; 2],
    /// For checking three kings at once, by a queen's move and by another one.
    pub triple_check: [u8; 2],
}

impl Points {
    /// As on chess.com.
    pub const STANDARD: Points = Points {
        men: [1, 3, 5, 5, 9, 20, 1],
        mate: 20,
        stalemate: 20,
        draw: 10,
        double_check: [1, 5],
        triple_check: [5, 20],
    };

    /// The seed's: bishops are worth 3, and checks nothing.
    pub const SEED: Points = Points {
        men: [1, 3, 3, 5, 9, 20, 1],
        double_check: [0, 0],
        triple_check: [0, 0],
        ..Points::STANDARD
    };

    /// For taking a man of a living player.
    #[inline(always)]
    pub const fn of(&self, kind: Kind) -> u16 {
        self.men[kind as usize - 1] as u16
    }
}

impl Rules {
    /// Free-for-all as chess.com plays it.
    pub const FREE_FOR_ALL: Rules = Rules {
        mode: Mode::FreeForAll,
        king_capture: KingCapture::Allow,
        mate_timing: MateTiming::OnTurn,
        points: Points::STANDARD,
        winner: Winner::MostPoints,
        walking_king: false,
        repetitions: 3,
        quiet_plies: 200,
        bare_kings: true,
    };

    /// Two against two.
    pub const TEAMS: Rules = Rules { mode: Mode::Teams, ..Rules::FREE_FOR_ALL };

    /// The default rules, changed by words in any order with spaces between them: `teams`,
    /// `forbid-king-capture`, `immediate`, `off`, `survivor`, `walking-king`, `seed-points`,
    /// `repetition=N`, `quiet=N`, `no-bare-kings`; and `ffa`, `allow-king-capture`, `on-turn`, `points`
    /// for what is the default.
    ///
    /// ```
    /// use fourfold_four_player::{MateTiming, Rules};
    /// let rules = Rules::parse("immediate quiet=50")?;
    /// assert_eq!(rules.mate_timing, MateTiming::Immediate);
    /// assert_eq!(Rules::parse(&rules.to_string())?, rules);
    /// assert!(Rules::parse("fast").unwrap_err().to_string().contains("'fast'"));
    /// # Ok::<(), fourfold_four_player::UnknownRule>(())
    /// ```
    ///
    /// # Errors
    /// If a word is none of these.
    pub fn parse(words: &str) -> Result<Rules, UnknownRule> {
        let mut rules = Rules::FREE_FOR_ALL;
        for word in words.split_whitespace() {
            let unknown = || UnknownRule { word: word.to_owned() };
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
                    "seed-points" => rules.points = Points::SEED,
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

/// Writes the words that [`Rules::parse`] reads. Points other than the two tables are listed by
/// number and cannot be read back.
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
        if points == Points::SEED {
            f.write_str(" seed-points")?;
        } else if points != Points::STANDARD {
            write!(f, " points={points:?}")?;
        }
        if winner == Winner::Survivors {
            f.write_str(" survivor")?;
        }
        if walking_king {
            f.write_str(" walking-king")?;
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

/// A word that names no rule.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownRule {
    /// The word.
    pub word: String,
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is no rule of four-player chess: known are ffa, teams, forbid-king-capture, \
             immediate, off, survivor, walking-king, seed-points, repetition=N, quiet=N, \
             no-bare-kings",
            fourfold_board::shown(&self.word)
        )
    }
}

impl std::error::Error for UnknownRule {}
