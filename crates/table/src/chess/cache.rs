//! A cache for the analysis of the current position, filled on first use and cleared when the
//! position changes.

use std::sync::OnceLock;

use fourfold_analysis::Analysis;
use fourfold_chess::Position;

#[derive(Clone, Default, Debug)]
pub struct AnalysisCache {
    analysis: OnceLock<Analysis>,
    /// How many analyses were cleared.
    cleared: u32,
}

impl AnalysisCache {
    pub(super) fn get(&self, position: &Position) -> &Analysis {
        self.analysis.get_or_init(|| Analysis::of(position))
    }

    /// Clears the cache. Must be called whenever the position changes.
    pub(super) fn forget(&mut self) {
        self.cleared += u32::from(self.analysis.take().is_some());
    }

    /// Returns how many analyses have been computed.
    pub(super) fn computed(&self) -> u32 {
        self.cleared + u32::from(self.analysis.get().is_some())
    }
}

/// All caches are equal, so that they do not affect the comparison of tables.
impl PartialEq for AnalysisCache {
    fn eq(&self, _: &AnalysisCache) -> bool {
        true
    }
}

impl Eq for AnalysisCache {}
