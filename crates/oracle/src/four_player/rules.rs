//! The rule options.

use crate::Error;
use crate::error::bail;

/// Who plays against whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Every player for themselves, for points.
    FreeForAll,
    /// Red and Yellow against Blue and Green.
    Teams,
}

/// Whether the king of a living player may be captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingCapture {
    /// It may be captured, if its owner has not had a turn to save it.
    Allow,
    /// No move may capture it.
    Forbid,
}

/// When a player without a legal move is eliminated in a free-for-all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateTiming {
    /// When the turn reaches the player.
    OnTurn,
    /// A mated player is eliminated right after the mating move, a stalemated one on their turn.
    Immediate,
    /// Never: the move sequence just ends there. Only for perft.
    Off,
}

/// Who wins a free-for-all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// The players with the most points, living or eliminated.
    Points,
    /// The living players.
    Survivor,
}

/// The points for captures, checks, mates and draws in a free-for-all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Points {
    /// For capturing a piece of a living player: a pawn, knight, bishop, rook, queen, king or
    /// promoted pawn (`D`). A king also counts if its owner has withdrawn.
    pub captures: [u32; 7],
    /// A checkmate, for the player who gave it.
    pub mate: u32,
    /// A stalemate, for the stalemated player.
    pub stalemate: u32,
    /// A draw, for every living player.
    pub draw: u32,
    /// New checks to two and to three kings by a move of a queen.
    pub checks_by_queen: [u32; 2],
    /// New checks to two and to three kings by a move of another piece.
    pub checks: [u32; 2],
}

impl Default for Points {
    fn default() -> Points {
        Points {
            captures: [1, 3, 5, 5, 9, 20, 1],
            mate: 20,
            stalemate: 20,
            draw: 10,
            checks_by_queen: [1, 5],
            checks: [5, 20],
        }
    }
}

impl Points {
    /// The points of the legacy interface: bishops are worth 3, and checks to several kings
    /// nothing.
    #[must_use]
    pub fn legacy() -> Points {
        Points {
            captures: [1, 3, 3, 5, 9, 20, 1],
            checks_by_queen: [0; 2],
            checks: [0; 2],
            ..Points::default()
        }
    }
}

/// All rule options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Who plays against whom.
    pub mode: Mode,
    /// Whether the king of a living player may be captured.
    pub king_capture: KingCapture,
    /// When a player without a legal move is eliminated; ignored in teams games.
    pub mate_timing: MateTiming,
    /// The points; ignored in teams games.
    pub points: Points,
    /// Who wins a free-for-all.
    pub winner: Winner,
    /// Whether the king of a player who has withdrawn keeps moving.
    pub walking_king: bool,
    /// Whether the last survivor of a free-for-all gets the points of every king that is still on
    /// the board and whose owner has withdrawn.
    pub award_kings: bool,
    /// How often a position must occur to end the game; 0 disables the rule.
    pub repetition: u32,
    /// How many plies without a pawn move or capture end the game; 0 disables the rule.
    pub quiet: u32,
    /// Whether the game ends when the living players have only kings left.
    pub bare_kings: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            mode: Mode::FreeForAll,
            king_capture: KingCapture::Allow,
            mate_timing: MateTiming::OnTurn,
            points: Points::default(),
            winner: Winner::Points,
            walking_king: false,
            award_kings: false,
            repetition: 3,
            quiet: 200,
            bare_kings: true,
        }
    }
}

impl Rules {
    /// Parses space-separated words that change the default rules.
    ///
    /// `teams`, `forbid-king-capture`, `immediate`, `off`, `survivor`, `walking-king`,
    /// `award-kings`, `chess.com` (`immediate` and `award-kings`), `legacy-points`, `repetition=5`, `quiet=50` and `no-bare-kings` change a default; `ffa`,
    /// `allow-king-capture`, `on-turn` and `points` name the defaults.
    ///
    /// # Errors
    ///
    /// Returns an error if a word is not one of these.
    pub fn parse(words: &str) -> Result<Rules, Error> {
        let mut rules = Rules::default();
        for word in words.split_whitespace() {
            match word {
                "ffa" => rules.mode = Mode::FreeForAll,
                "teams" => rules.mode = Mode::Teams,
                "allow-king-capture" => rules.king_capture = KingCapture::Allow,
                "forbid-king-capture" => rules.king_capture = KingCapture::Forbid,
                "on-turn" => rules.mate_timing = MateTiming::OnTurn,
                "immediate" => rules.mate_timing = MateTiming::Immediate,
                "off" => rules.mate_timing = MateTiming::Off,
                "points" => rules.winner = Winner::Points,
                "survivor" => rules.winner = Winner::Survivor,
                "walking-king" => rules.walking_king = true,
                "award-kings" => rules.award_kings = true,
                "chess.com" => {
                    rules.mate_timing = MateTiming::Immediate;
                    rules.award_kings = true;
                }
                "legacy-points" | "seed-points" => rules.points = Points::legacy(),
                "no-bare-kings" => rules.bare_kings = false,
                _ => {
                    let (name, number) = word.split_once('=').unwrap_or((word, ""));
                    let number = number.parse().ok();
                    match (name, number) {
                        ("repetition", Some(times)) => rules.repetition = times,
                        ("quiet", Some(plies)) => rules.quiet = plies,
                        _ => bail!("unknown rule '{word}'"),
                    }
                }
            }
        }
        Ok(rules)
    }
}
