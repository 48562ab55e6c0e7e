//! The threads of a batch.

/// Threads of the batch's own, made when they are first needed, and again after a fork.
pub(crate) struct Pool {
    threads: usize,
    made: Option<(u32, rayon::ThreadPool)>,
}

impl Pool {
    pub(crate) fn new(threads: usize) -> Pool {
        Pool { threads, made: None }
    }

    /// The threads, if the work has several parts.
    pub(crate) fn get(&mut self, parts: usize) -> Option<&rayon::ThreadPool> {
        if parts <= 1 || self.threads <= 1 {
            return None;
        }
        let process = std::process::id();
        if self.made.as_ref().is_some_and(|(owner, _)| *owner != process) {
            // The threads are in the parent: there is nothing here to shut down.
            std::mem::forget(self.made.take());
        }
        if self.made.is_none() {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().ok()?;
            self.made = Some((process, pool));
        }
        self.made.as_ref().map(|(_, pool)| pool)
    }
}
