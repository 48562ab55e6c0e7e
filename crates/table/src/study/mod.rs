//! Chess studies: trees of moves, and the facts about their positions.
//!
//! This module has no state; the caller keeps the tree. [`look`] returns the position after some
//! moves with all its facts, [`series`] how facts change over a game. [`read`] parses a PGN or FEN,
//! [`write()`] writes a tree as PGN, and [`arrange`] checks a position that was set up by hand. To
//! analyze many positions, [`Source`] reads them from lists of FENs and PGN files, and [`spread()`]
//! distributes them over threads.
//!
//! ```
//! use fourfold_table::study;
//!
//! let (tree, _) = study::read("1. e4 e5 (1... c5 {sharp}) 2. Nf3 *")?;
//! let moves = ["e2e4", "c7c5"].map(str::to_owned);
//! let look = study::look(&tree.start, &moves)?;
//! assert_eq!(look.moves[1].text, "c5");
//! assert!(study::write(&tree)?.ends_with("1. e4 e5 ( 1... c5 { sharp } ) 2. Nf3 *\n"));
//! # Ok::<(), study::StudyError>(())
//! ```

mod facts;
mod look;
mod overlays;
mod source;
mod spread;
mod tree;

use std::fmt;

use fourfold_chess::{ParseFenError, Position, Variant};

use crate::{PlayError, ReadError, TagError};
pub use facts::{
    ATTACK_MAP, AttackMap, Chosen, NAMES, Report, SETS, UnknownFact, Value, captures, forks, sets,
    sets_of, squares, value,
};
pub use look::{
    Arranged, Arrangement, Look, Series, SeriesLine, Standing, arrange, look, series, through,
};
pub use overlays::{Arrow, FACTS, Fact, MarkedSquare, Marks, Overlay, overlays};
pub use source::{At, Fault, Found, Holds, Item, Source, Unreadable};
pub use spread::spread;
pub use tree::{Branch, Tree, read, write};

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
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StudyError {
    /// The text is not a position or not a game.
    Read(ReadError),
    /// A move is not legal.
    Move(PlayError),
    /// A tag cannot be written.
    Tag(TagError),
    /// There are too many moves.
    TooLong {
        /// The maximum number of moves.
        most: usize,
    },
    /// Variations are nested too deeply to be written.
    TooDeep {
        /// The maximum depth.
        most: usize,
    },
    /// The parent of a move in a tree is not before it in the list.
    NoSuchMove {
        /// The index given for the parent.
        after: usize,
    },
    /// There is no such piece, square or seat.
    NoMan {
        /// The piece and square, or the seat, that was given.
        text: String,
    },
}

impl fmt::Display for StudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StudyError::Read(error) => error.fmt(f),
            StudyError::Move(error) => error.fmt(f),
            StudyError::Tag(error) => error.fmt(f),
            StudyError::TooLong { most } => write!(f, "there are more than {most} moves"),
            StudyError::TooDeep { most } => {
                write!(f, "variations are nested deeper than {most}")
            }
            StudyError::NoSuchMove { after } => {
                write!(f, "a move has parent {after}, which does not come before it in the list")
            }
            StudyError::NoMan { text } => {
                write!(f, "invalid piece, square or seat '{}'", crate::quote_short(text))
            }
        }
    }
}

impl std::error::Error for StudyError {}

impl From<ReadError> for StudyError {
    fn from(error: ReadError) -> StudyError {
        StudyError::Read(error)
    }
}

impl From<ParseFenError> for StudyError {
    fn from(error: ParseFenError) -> StudyError {
        StudyError::Read(ReadError::Position { reason: error.to_string() })
    }
}

impl From<PlayError> for StudyError {
    fn from(error: PlayError) -> StudyError {
        StudyError::Move(error)
    }
}

impl From<TagError> for StudyError {
    fn from(error: TagError) -> StudyError {
        StudyError::Tag(error)
    }
}
