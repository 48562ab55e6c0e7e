//! Analysis of a chess position, as specified in `docs/analysis.md`.
//!
//! Every fact is computed separately, square by square, from its definition. Nothing here is
//! optimized; the code is meant to be verified by reading it.
//!
//! ```
//! use fourfold_oracle::analysis::analyze;
//!
//! let facts = analyze("4k3/8/8/3n4/8/1p1B4/P7/3RK3 w - - 0 1")?;
//! assert_eq!(facts.white.attacked, ["a2"]);
//! assert_eq!(facts.white.see, [("a2b3".to_string(), 1)]);
//! assert_eq!(facts.black.en_prise, ["b3"]);
//! # Ok::<(), fourfold_oracle::Error>(())
//! ```

mod lines;
mod moves;
mod pawns;
mod pieces;

use crate::Error;
use crate::board::{Role, Square};
use crate::chess::Variant;
use crate::chess::board::{Board, Color, value};
use crate::chess::fen;
use moves::Moves;

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
    pub backward_blocked: Vec<String>,
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
pub fn analyze(fen: &str) -> Result<Facts, Error> {
    analyze_in(fen, Variant::Standard)
}

/// Analyzes a position; the variant determines how castling is written.
///
/// # Errors
///
/// Returns an error if the FEN is invalid.
pub fn analyze_in(fen: &str, variant: Variant) -> Result<Facts, Error> {
    let position = fen::read(fen, variant)?;
    let [white, black] = Color::ALL.map(|color| Moves::of(&position, color, variant));
    let board = &position.board;
    Ok(Facts {
        white: side_facts(board, Color::White, &white, &black),
        black: side_facts(board, Color::Black, &black, &white),
        attack_map: pieces::attack_map(board),
    })
}

fn side_facts(board: &Board, color: Color, own: &Moves, enemy: &Moves) -> SideFacts {
    let (pinned_pawns, pinned) = lines::pinned(board, color);
    SideFacts {
        pieces: names(pieces::all(board, color)),
        attacked: names(pieces::attacked(board, color)),
        hanging: names(pieces::hanging(board, color)),
        pinned: names(pinned),
        pinned_pawns: names(pinned_pawns),
        skewered: names(lines::skewered(board, color)),
        developed: names(pieces::developed(board, color)),
        pawns: PawnFacts {
            all: names(pawns::all(board, color)),
            doubled: names(pawns::doubled(board, color)),
            isolated: names(pawns::isolated(board, color)),
            backward: names(pawns::backward(board, color)),
            backward_blocked: names(pawns::backward_blocked(board, color)),
            passed: names(pawns::passed(board, color)),
        },
        outposts: names(pawns::outposts(board, color)),
        en_prise: names(enemy.profitable()),
        forks: own.forks(),
        see: own.exchanges(),
        mobility: pieces::mobility(board, color),
        material: pieces::material(board, color),
        king_ring: pieces::king_ring(board, color),
        x_rays: lines::x_rays(board, color),
    }
}

/// Whether the first role is worth more than the second; the king is worth more than all others.
fn is_worth_more(role: Role, other: Role) -> bool {
    other != Role::King && (role == Role::King || value(role) > value(other))
}

/// Returns the names of the squares, in order and without repetition.
fn names(mut squares: Vec<Square>) -> Vec<String> {
    squares.sort();
    squares.dedup();
    squares.iter().map(Square::to_string).collect()
}
