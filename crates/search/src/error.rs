//! Errors of a search.

/// Why a search rejected a call.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// An option is out of range.
    #[error("expected {what} from {} to {}, got {value}", .range.0, .range.1)]
    Option {
        /// The name of the option.
        what: &'static str,
        /// The value given.
        value: f64,
        /// The smallest and largest values accepted.
        range: (f64, f64),
    },
    /// Trees of this size would overflow their 32-bit indices.
    #[error("trees of {nodes} nodes with up to {legal} actions are too large: lower max_nodes")]
    TooLarge {
        /// The maximum number of nodes of a tree.
        nodes: usize,
        /// The maximum number of legal actions of a node.
        legal: usize,
    },
    /// The batch has another game, other rules or another size.
    #[error("expected a batch of {expected}, got {found}")]
    OtherBatch {
        /// What the search was made for.
        expected: String,
        /// What the batch is.
        found: String,
    },
    /// The call is not allowed while leaves are awaiting evaluation.
    #[error("{leaves} leaves are awaiting evaluation: call backup first")]
    LeavesPending {
        /// The number of leaves.
        leaves: usize,
    },
    /// There are values but no leaves awaiting evaluation.
    #[error("no leaves are awaiting evaluation: call leaves first")]
    NoLeaves,
    /// The call was stopped; see [`Stop`](fourfold_env::Stop).
    #[error("the call was stopped")]
    Stopped,
    /// A buffer or list has the wrong length.
    #[error("expected {expected} {what}, got {found}")]
    Length {
        /// What it contains.
        what: &'static str,
        /// The length it should have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// The evaluation of a leaf contains a value that is not finite.
    #[error("the {what} of leaf {leaf} are not all finite")]
    NotFinite {
        /// `logits` or `values`.
        what: &'static str,
        /// The index of the leaf.
        leaf: usize,
    },
    /// A game has not been searched yet.
    #[error("game {game} has not been searched yet")]
    NotSearched {
        /// The index of the game.
        game: usize,
    },
    /// An action is illegal in the current position.
    #[error("action {action} is not legal in game {game}")]
    Illegal {
        /// The index of the game.
        game: usize,
        /// The action.
        action: i64,
    },
}
