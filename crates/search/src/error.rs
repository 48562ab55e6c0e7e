//! Errors of a search.

use std::fmt;

/// The reason why a search cannot do what was asked.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum SearchError {
    /// An option is out of range.
    Option {
        /// The name of the option.
        what: &'static str,
        /// The value given.
        value: f64,
        /// The smallest and largest values accepted.
        range: (f64, f64),
    },
    /// Trees of this size would overflow their 32-bit indices.
    TooLarge {
        /// The maximum number of nodes of a tree.
        nodes: usize,
        /// The maximum number of legal actions of a node.
        legal: usize,
    },
    /// The batch has another game, other rules or another size.
    OtherBatch {
        /// What the search was made for.
        expected: String,
        /// What the batch is.
        found: String,
    },
    /// The call is not allowed while leaves are awaiting evaluation.
    LeavesWait {
        /// The number of leaves.
        leaves: usize,
    },
    /// There are values but no leaves awaiting evaluation.
    NoLeaves,
    /// A buffer or list has the wrong length.
    Length {
        /// What it contains.
        what: &'static str,
        /// The length it should have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// The evaluation of a leaf contains a value that is not finite.
    NotFinite {
        /// `logits` or `values`.
        what: &'static str,
        /// The index of the leaf.
        leaf: usize,
    },
    /// A game has not been searched yet.
    NotSearched {
        /// The index of the game.
        game: usize,
    },
    /// An action is illegal in the current position.
    Illegal {
        /// The index of the game.
        game: usize,
        /// The action.
        action: i64,
    },
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Option { what, value, range: (least, most) } => {
                write!(f, "expected {what} from {least} to {most}, got {value}")
            }
            SearchError::TooLarge { nodes, legal } => write!(
                f,
                "trees of {nodes} nodes with up to {legal} actions are too large: lower max_nodes"
            ),
            SearchError::OtherBatch { expected, found } => {
                write!(f, "expected a batch of {expected}, got {found}")
            }
            SearchError::LeavesWait { leaves } => {
                write!(f, "{leaves} leaves are awaiting evaluation: call backup first")
            }
            SearchError::NoLeaves => {
                write!(f, "no leaves are awaiting evaluation: call leaves first")
            }
            SearchError::Length { what, expected, found } => {
                write!(f, "expected {expected} {what}, got {found}")
            }
            SearchError::NotFinite { what, leaf } => {
                write!(f, "the {what} of leaf {leaf} are not all finite")
            }
            SearchError::NotSearched { game } => write!(f, "game {game} has not been searched yet"),
            SearchError::Illegal { game, action } => {
                write!(f, "action {action} is not legal in game {game}")
            }
        }
    }
}

impl std::error::Error for SearchError {}
