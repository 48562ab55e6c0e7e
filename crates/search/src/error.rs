//! Why a search cannot do what it was asked to.

use std::fmt;

/// Why a search cannot do what it was asked to.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum SearchError {
    /// An option out of its range.
    Option {
        /// Which.
        what: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        range: (f64, f64),
    },
    /// Trees of so many nodes cannot be numbered.
    TooLarge {
        /// How many nodes a tree may have.
        nodes: usize,
        /// How many actions a node may have.
        legal: usize,
    },
    /// A batch of another kind, or of another size.
    OtherBatch {
        /// What this search was made for.
        expected: String,
        /// What the batch is.
        found: String,
    },
    /// Leaves were asked for while others wait for their values.
    LeavesWait {
        /// How many.
        leaves: usize,
    },
    /// Values came and no leaf waits for them.
    NoLeaves,
    /// Too few or too many of something.
    Length {
        /// Of what.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A number of a leaf that is none.
    NotFinite {
        /// Logits or values.
        what: &'static str,
        /// The row of the leaf.
        leaf: usize,
    },
    /// A game that was not searched yet.
    NotSearched {
        /// Which.
        game: usize,
    },
    /// An action that is not legal where the game stands.
    Illegal {
        /// The game.
        game: usize,
        /// The action.
        action: i64,
    },
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Option { what, value, range: (least, most) } => {
                write!(f, "{what} {value} is not from {least} to {most}")
            }
            SearchError::TooLarge { nodes, legal } => write!(
                f,
                "trees of {nodes} nodes with up to {legal} actions are too large; lower max_nodes"
            ),
            SearchError::OtherBatch { expected, found } => {
                write!(f, "the search was made for {expected}, this is {found}")
            }
            SearchError::LeavesWait { leaves } => {
                write!(f, "{leaves} leaves wait for their values: call backup first")
            }
            SearchError::NoLeaves => write!(f, "no leaf waits for values: call leaves first"),
            SearchError::Length { what, expected, found } => {
                write!(f, "expected {expected} {what}, found {found}")
            }
            SearchError::NotFinite { what, leaf } => {
                write!(f, "the {what} of leaf {leaf} are not all numbers")
            }
            SearchError::NotSearched { game } => write!(f, "game {game} was not searched yet"),
            SearchError::Illegal { game, action } => {
                write!(f, "action {action} is not legal in game {game}")
            }
        }
    }
}

impl std::error::Error for SearchError {}
