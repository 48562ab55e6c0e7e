//! How long calls are stopped from another thread.

/// Returns whether a call should stop. Long calls ask often, from all of their threads, and return
/// an error soon after the answer becomes true. It must then stay true.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// A [`Stop`] for calls that run to the end.
pub fn never() -> bool {
    false
}
