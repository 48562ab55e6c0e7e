//! Analysis of a chess position, as specified in `docs/analysis.md`.
//!
//! Every fact is computed separately, square by square, from its definition. Nothing here is
//! optimized; the code is meant to be verified by reading it.
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

/// All facts about a position. Squares are sorted a1, b1, …, h1, a2, …, h8; moves are sorted as
/// strings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Facts {
    /// The facts about White.
    pub white: SideFacts,
    /// The facts about Black.
    pub black: SideFacts,
    /// For each occupied square, the attackers and defenders of the piece on it.
    pub attack_map: Vec<(String, Contact)>,
}

/// The squares of the pieces that attack or defend a piece.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Contact {
    /// Pieces of the other color that attack the square.
    pub attackers: Vec<String>,
    /// Pieces of the same color that attack the square.
    pub defenders: Vec<String>,
}

/// The facts about one color.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SideFacts {
    /// All pieces, including pawns and the king.
    pub pieces: Vec<String>,
    /// Pieces with at least one attacker.
    pub attacked: Vec<String>,
    /// Pieces with more attackers than defenders.
    pub hanging: Vec<String>,
    /// Pieces other than pawns that are pinned to the king.
    pub pinned: Vec<String>,
    /// Pawns that are pinned to the king.
    pub pinned_pawns: Vec<String>,
    /// Pieces other than pawns that a slider attacks, in front of a piece of the same color worth
    /// no more.
    pub skewered: Vec<String>,
    /// Knights and bishops that are not on their first rank.
    pub developed: Vec<String>,
    /// The pawn structure.
    pub pawns: PawnFacts,
    /// Knights and bishops that no enemy pawn can drive away.
    pub outposts: Vec<String>,
    /// Pieces that the other side can capture at a profit.
    pub en_prise: Vec<String>,
    /// Moves that attack at least two pieces, each the king, undefended, or worth more than the
    /// moved piece.
    pub forks: Vec<String>,
    /// What each capture wins, in pawns.
    pub see: Vec<(String, i32)>,
    /// The number of squares each piece attacks, not counting those occupied by its own color.
    pub mobility: Vec<(String, usize)>,
    /// The value of all pieces, in pawns.
    pub material: i32,
    /// The number of enemy attacks on the king ring: pairs of an attacker and a square.
    pub king_ring: usize,
    /// The squares that each slider would also attack if the pieces that block it were removed.
    pub x_rays: Vec<(String, XRays)>,
}

/// The pawn structure of one color.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PawnFacts {
    /// All pawns.
    pub all: Vec<String>,
    /// Pawns with another pawn of their color on the same file.
    pub doubled: Vec<String>,
    /// Pawns without pawns of their color on the adjacent files.
    pub isolated: Vec<String>,
    /// Pawns that are not isolated and whose neighbors on the adjacent files are all ahead.
    pub backward: Vec<String>,
    /// Backward pawns whose next square is occupied or attacked by an enemy pawn.
    pub backward_held: Vec<String>,
    /// Pawns without an enemy pawn ahead on the same or an adjacent file.
    pub passed: Vec<String>,
}

/// The squares that a slider gains if the first piece on each of its lines is removed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct XRays {
    /// Gained by removing only pieces of the slider's color.
    pub own: Vec<String>,
    /// Gained by removing only pieces of the other color.
    pub enemy: Vec<String>,
    /// Gained by removing pieces of either color.
    pub any: Vec<String>,
}

/// Analyzes a position of standard chess.
///
/// # Errors
///
/// Returns an error if the FEN is invalid.
pub fn analyse(fen: &str) -> Result<Facts, Error> {
    analyse_in(fen, Variant::Standard)
}

/// Analyzes a position; the variant determines how castling is written.
///
/// # Errors
///
/// Returns an error if the FEN is invalid.
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

/// Returns the names of the squares, sorted in square order.
fn names(mut squares: Vec<Square>) -> Vec<String> {
    squares.sort();
    squares.iter().map(Square::to_string).collect()
}
