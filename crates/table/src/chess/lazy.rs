//! The analysis of the position in effect: computed when it is first asked for, and forgotten when the
//! position changes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use fourfold_chess::Position;
use fourfold_study::Analysis;

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

    /// The position is another one now.
    pub(super) fn forget(&mut self) {
        self.analysis.take();
    }

    /// How often something was computed.
    pub(super) fn computed(&self) -> u32 {
        self.computed.load(Ordering::Relaxed)
    }
}

impl Clone for Lazy {
    fn clone(&self) -> Lazy {
        Lazy { analysis: self.analysis.clone(), computed: AtomicU32::new(self.computed()) }
    }
}

/// What is known about a game does not make it another one.
impl PartialEq for Lazy {
    fn eq(&self, _: &Lazy) -> bool {
        true
    }
}

impl Eq for Lazy {}
