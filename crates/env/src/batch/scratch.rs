//! Room for one observation and one game's legal actions, which each thread keeps.

use std::cell::Cell;

use crate::layout::Layout;

/// Room for one observation and one game's legal actions.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) planes: Vec<u8>,
    pub(crate) scalars: Vec<f32>,
    /// The unpacked values, each of at most 32 bits.
    pub(crate) values: Vec<u32>,
    /// The legal actions of a game that has no place for them.
    pub(crate) lists: Vec<u32>,
}

thread_local! {
    /// Each thread keeps its scratch, so that steps do not allocate.
    static SCRATCH: Cell<Scratch> = Cell::default();
}

impl Scratch {
    /// Takes the thread's scratch, with room for an observation of a layout, until it is dropped.
    // Not a function that takes a closure, which would not be compiled for the CPU at hand.
    pub(crate) fn take(layout: &Layout) -> TakenScratch {
        let mut scratch = SCRATCH.take();
        scratch.planes.resize(layout.packed_bytes(), 0);
        scratch.scalars.resize(layout.scalars, 0.0);
        scratch.values.resize(layout.values(), 0);
        TakenScratch(scratch)
    }
}

pub(crate) struct TakenScratch(pub(crate) Scratch);

impl Drop for TakenScratch {
    fn drop(&mut self) {
        SCRATCH.set(core::mem::take(&mut self.0));
    }
}
