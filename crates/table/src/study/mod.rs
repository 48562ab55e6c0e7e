//! Studying chess: a position anywhere in a tree of moves, with all that can be said about it.
//!
//! Nothing is kept here. Who studies holds the tree and asks: what stands on the board after these moves
//! ([`look`]), how did the facts go through the game ([`series`]), what is in this text ([`read`]), how is
//! this tree written ([`write()`]), can this arrangement be played ([`arrange`]). And positions by the
//! million: from lists, files of FENs and PGN ([`Source`]), on several threads ([`spread()`]).
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
pub use look::{Arranged, Arrangement, Look, Series, SeriesLine, Standing, arrange, look, series};
pub use overlays::{Arrow, FACTS, Fact, MarkedSquare, Marks, Overlay, overlays};
pub use source::{At, Fault, Found, Holds, Item, Source, Unreadable};
pub use spread::spread;
pub use tree::{Branch, Tree, read, write};

/// The longest line of moves.
pub const LONGEST_LINE: usize = 2_000;
/// The most moves in a tree.
pub const LARGEST_TREE: usize = 10_000;

/// A position of chess or, where castling is written so, of Chess960.
///
/// # Errors
/// If it is neither; the error is that of chess.
pub fn position(fen: &str) -> Result<Position, ParseFenError> {
    Position::from_fen(fen)
        .or_else(|error| Position::from_fen_in(fen, Variant::Chess960).map_err(|_| error))
}

/// Why a question about a study has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StudyError {
    /// The text is no position or no game.
    Read(ReadError),
    /// A move is not legal.
    Move(PlayError),
    /// A tag cannot be written.
    Tag(TagError),
    /// There are too many moves.
    TooLong {
        /// How many there may be.
        most: usize,
    },
    /// Variations in variations, too deep to be written.
    TooDeep {
        /// How deep they may be.
        most: usize,
    },
    /// A move in a tree comes after one that is not before it in the list.
    NoSuchMove {
        /// The place in the list that it names.
        after: usize,
    },
    /// No man is called so, or there is no such square.
    NoMan {
        /// What was asked for.
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
                write!(f, "a move comes after move {after}, which is not before it in the list")
            }
            StudyError::NoMan { text } => {
                write!(f, "'{}' is no man on a square of the board", crate::shown(text))
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
