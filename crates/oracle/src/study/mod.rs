//! What can be said about a chess position, as `docs/analysis.md` has it.
//!
//! Every fact is worked out by itself, square by square, from its definition. Nothing here is
//! quick; everything is meant to be checked by reading it.
//!
//! ```
//! use fourfold_oracle::study::analyse;
//!
//! let facts = analyse("4k3/8/8/3n4/8/1p1B4/P7/3RK3 w - - 0 1")?;
//! assert_eq!(facts.white.attacked, ["a2"]);
//! assert_eq!(facts.white.see, [("a2b3".to_string(), 1)]);
//! assert_eq!(facts.black.en_prise, ["b3"]);
//! # Ok::<(), fourfold_oracle::Error>(())
//! ```

mod board;
mod lines;
mod men;
mod pawns;
mod turns;

use crate::Error;
use crate::chess::Variant;
use board::{Board, Colour, Square};
use turns::Turns;

/// All facts of a position. Squares are sorted a1, b1, …, h1, a2, …, h8, moves as strings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Facts {
    /// What there is to say about White.
    pub white: SideFacts,
    /// What there is to say about Black.
    pub black: SideFacts,
    /// For each occupied square, who attacks and who defends the man on it.
    pub attack_map: Vec<(String, Contact)>,
}

/// The men that attack the square of a man.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Contact {
    /// Those of the other colour.
    pub attackers: Vec<String>,
    /// Those of its own colour.
    pub defenders: Vec<String>,
}

/// The facts of one colour.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SideFacts {
    /// All men, pawns and king included.
    pub pieces: Vec<String>,
    /// Men with an attacker.
    pub attacked: Vec<String>,
    /// Men with more attackers than defenders.
    pub hanging: Vec<String>,
    /// Men but pawns that are pinned to the king.
    pub pinned: Vec<String>,
    /// Pawns that are pinned to the king.
    pub pinned_pawns: Vec<String>,
    /// Men but pawns in front of an own man that is worth no more.
    pub skewered: Vec<String>,
    /// Knights and bishops off the first rank.
    pub developed: Vec<String>,
    /// The pawns.
    pub pawns: PawnFacts,
    /// Knights and bishops that no enemy pawn will drive away.
    pub outposts: Vec<String>,
    /// Men that the other side wins something by capturing.
    pub en_prise: Vec<String>,
    /// Moves that attack two men or more at once.
    pub forks: Vec<String>,
    /// What each capture wins, in pawns.
    pub see: Vec<(String, i32)>,
    /// How many squares each man attacks that hold no man of its own colour.
    pub mobility: Vec<(String, usize)>,
    /// The value of all men, in pawns.
    pub material: i32,
    /// How often the enemy attacks a square of the king's ring.
    pub king_ring: usize,
    /// What each slider would attack as well if the men in its way were lifted.
    pub x_rays: Vec<(String, XRays)>,
}

/// The pawns of one colour.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PawnFacts {
    /// All of them.
    pub all: Vec<String>,
    /// Those that share their file.
    pub doubled: Vec<String>,
    /// Those without own pawns on the neighbouring files.
    pub isolated: Vec<String>,
    /// Those whose neighbours are all ahead.
    pub backward: Vec<String>,
    /// Backward ones that an enemy pawn stops.
    pub backward_held: Vec<String>,
    /// Those that no enemy pawn can stop.
    pub passed: Vec<String>,
}

/// The squares that a slider gains when the first man on each of its lines is lifted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct XRays {
    /// Where that man is of its own colour.
    pub own: Vec<String>,
    /// Where that man is of the other colour.
    pub enemy: Vec<String>,
    /// Whoever it is.
    pub any: Vec<String>,
}

/// All facts of a position of standard chess.
///
/// # Errors
///
/// When the FEN is refused.
pub fn analyse(fen: &str) -> Result<Facts, Error> {
    analyse_in(fen, Variant::Standard)
}

/// All facts of a position; the variant says how castling is written.
///
/// # Errors
///
/// When the FEN is refused.
pub fn analyse_in(fen: &str, variant: Variant) -> Result<Facts, Error> {
    let turns = Turns::of(fen, variant)?;
    let board = Board::of_fen(fen);
    Ok(Facts {
        white: side_facts(&board, &turns, Colour::White),
        black: side_facts(&board, &turns, Colour::Black),
        attack_map: men::attack_map(&board),
    })
}

fn side_facts(board: &Board, turns: &Turns, colour: Colour) -> SideFacts {
    let (pinned_pawns, pinned) = lines::pinned(board, colour);
    SideFacts {
        pieces: names(men::pieces(board, colour)),
        attacked: names(men::attacked(board, colour)),
        hanging: names(men::hanging(board, colour)),
        pinned: names(pinned),
        pinned_pawns: names(pinned_pawns),
        skewered: names(lines::skewered(board, colour)),
        developed: names(men::developed(board, colour)),
        pawns: PawnFacts {
            all: names(pawns::all(board, colour)),
            doubled: names(pawns::doubled(board, colour)),
            isolated: names(pawns::isolated(board, colour)),
            backward: names(pawns::backward(board, colour)),
            backward_held: names(pawns::backward_held(board, colour)),
            passed: names(pawns::passed(board, colour)),
        },
        outposts: names(pawns::outposts(board, colour)),
        en_prise: names(turns.en_prise(board, colour)),
        forks: turns.forks(board, colour),
        see: turns.exchanges(colour).to_vec(),
        mobility: men::mobility(board, colour),
        material: men::material(board, colour),
        king_ring: men::king_ring(board, colour),
        x_rays: lines::x_rays(board, colour),
    }
}

/// The names of squares, sorted as the squares are.
fn names(mut squares: Vec<Square>) -> Vec<String> {
    squares.sort();
    squares.iter().map(Square::to_string).collect()
}
