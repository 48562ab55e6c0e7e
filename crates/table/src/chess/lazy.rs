//! A cache for the analysis of the current position, filled on first use and cleared when the
//! position changes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use fourfold_analysis::Analysis;
use fourfold_chess::Position;

#[derive(Default, Debug)]
pub(super) struct Lazy {
    analysis: OnceLock<Analysis>,
    computed: AtomicU32,
}

impl Lazy {
    pub(super) fn get(&self, position: &Position) -> &Analysis {
        self.analysis.get_or_init(|| {
            self.computed.fetch_add(1, Ordering::Relaxed);
            Analysis::of(position)
        })
    }

    /// Clears the cache. Must be called whenever the position changes.
    pub(super) fn forget(&mut self) {
        self.analysis.take();
    }

    /// Returns how many analyses have been computed.
    pub(super) fn computed(&self) -> u32 {
        self.computed.load(Ordering::Relaxed)
    }
}

impl Clone for Lazy {
    fn clone(&self) -> Lazy {
        Lazy { analysis: self.analysis.clone(), computed: AtomicU32::new(self.computed()) }
    }
}

/// All caches are equal, so that they do not affect the comparison of tables.
impl PartialEq for Lazy {
    fn eq(&self, _: &Lazy) -> bool {
        true
    }
}

impl Eq for Lazy {}
