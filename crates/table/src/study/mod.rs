//! Chess studies: trees of moves, and the facts about their positions.
//!
//! This module has no state; the caller keeps the tree. [`position_after`] returns the position
//! after some moves with all its facts, [`series`] how facts change over a game. [`read`] parses a
//! PGN or FEN, [`write()`] writes a tree as PGN, and [`check_position`] checks a position that was
//! set up by hand. To analyze many positions, [`Source`] reads them from lists of FENs and PGN
//! files, and [`parallel_map()`] distributes them over threads.
//!
//! ```
//! use fourfold_table::study;
//!
//! let tree = study::read("1. e4 e5 (1... c5 {sharp}) 2. Nf3 *")?.tree;
//! let moves = ["e2e4", "c7c5"].map(str::to_owned);
//! let position = study::position_after(&tree.start, &moves)?;
//! assert_eq!(position.moves[1].text, "c5");
//! assert!(study::write(&tree)?.ends_with("1. e4 e5 ( 1... c5 { sharp } ) 2. Nf3 *\n"));
//! # Ok::<(), study::StudyError>(())
//! ```

mod facts;
mod overlays;
mod parallel;
mod positions;
mod source;
mod tree;

use fourfold_chess::{ParseFenError, Position, Variant};
use thiserror::Error;

use crate::{PlayError, ReadError, TagError, quote_short};
pub use facts::{
    ATTACK_MAP, AttackMap, FACT_NAMES, FactSelection, Report, SETS, UnknownFact, Value, captures,
    forks, sets, sets_of, squares, value,
};
pub use overlays::{Arrow, FACTS, Fact, MarkedSquare, Marks, Overlay, overlays};
pub use parallel::parallel_map;
pub use positions::{
    CheckedPosition, EditedPosition, Series, SeriesLine, StudyPosition, check_position,
    position_after, series, through,
};
pub use source::{Fault, Found, Item, ItemLocation, Source, SourceKind};
pub use tree::{
    ColoredShape, MOST_TITLES, MoveCommands, ReadTree, Tree, TreeNode, read, read_fen, read_game,
    write,
};

/// The maximum number of moves in a line.
pub const LONGEST_LINE: usize = 2_000;
/// The maximum number of moves in a tree.
pub const LARGEST_TREE: usize = 10_000;

/// Parses a FEN of chess or, if it is not valid there, of Chess960.
///
/// # Errors
/// Returns the error for chess if the FEN is valid in neither.
pub fn position(fen: &str) -> Result<Position, ParseFenError> {
    Position::from_fen(fen)
        .or_else(|error| Position::from_fen_in(fen, Variant::Chess960).map_err(|_| error))
}

/// Why a request about a study failed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The text is not a position or not a game.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] PlayError),
    /// A tag cannot be written.
    #[error(transparent)]
    Tag(#[from] TagError),
    /// There are more moves than this maximum.
    #[error("there are more than {0} moves")]
    TooLong(usize),
    /// Variations are nested deeper than this maximum and cannot be written.
    #[error("variations are nested deeper than {0}")]
    TooDeep(usize),
    /// The parent of a move in a tree, with this index, is not before it in the list.
    #[error("a move has parent {0}, which does not come before it in the list")]
    NoSuchMove(usize),
    /// There is no such piece on a square, or no such seat.
    #[error("invalid piece, square or seat '{}'", quote_short(.0))]
    NoSuchPiece(String),
}

impl From<ParseFenError> for StudyError {
    fn from(error: ParseFenError) -> StudyError {
        StudyError::Read(ReadError::position(error))
    }
}
