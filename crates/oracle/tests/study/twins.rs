//! One interface to every implementation: a FEN in, all facts out.

use fourfold_oracle::chess::Variant;
use fourfold_oracle::study::{self, Facts};

/// An implementation of the analysis.
pub(crate) trait Twin {
    /// All facts of a position.
    fn analyse(fen: &str, variant: Variant) -> Result<Facts, String>;
}

/// The reference.
pub(crate) struct Oracle;

impl Twin for Oracle {
    fn analyse(fen: &str, variant: Variant) -> Result<Facts, String> {
        study::analyse_in(fen, variant).map_err(|error| error.to_string())
    }
}
