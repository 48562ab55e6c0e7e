//! The threads of a batch.

/// Helpers of the thread that calls, made when they are first needed, and again after a fork.
pub(crate) struct Pool {
    /// How many threads work together, the caller included.
    threads: usize,
    made: Option<(u32, rayon::ThreadPool)>,
}

/// Work on games in a row that several threads can share.
pub(crate) trait Shared: Sized + Send {
    /// What comes out of it.
    type Output: Send;

    /// The work on the first of so many equal parts, and that on the others.
    fn split(self, parts: usize) -> (Self, Self);

    /// Does all of it on this thread.
    fn run(self) -> Self::Output;

    /// What comes out of both parts.
    fn join(first: Self::Output, rest: Self::Output) -> Self::Output;
}

impl Pool {
    pub(crate) fn new(threads: usize) -> Pool {
        Pool { threads, made: None }
    }

    /// Does some work in so many parts: the first here, the others on the helpers.
    pub(crate) fn share<S: Shared>(&mut self, work: S, parts: usize) -> S::Output {
        let Some(helpers) = self.helpers(parts) else { return work.run() };
        let (here, there) = work.split(parts);
        let mut rest = None;
        let first = helpers.in_place_scope(|scope| {
            scope.spawn(|_| rest = Some(share_within(there, parts - 1)));
            here.run()
        });
        match rest {
            Some(rest) => S::join(first, rest),
            None => first,
        }
    }

    /// The helpers, if there is more than one part.
    fn helpers(&mut self, parts: usize) -> Option<&rayon::ThreadPool> {
        if parts <= 1 || self.threads <= 1 {
            return None;
        }
        let process = std::process::id();
        if self.made.as_ref().is_some_and(|(owner, _)| *owner != process) {
            // The threads are in the parent: there is nothing here to shut down.
            std::mem::forget(self.made.take());
        }
        if self.made.is_none() {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads - 1);
            self.made = Some((process, builder.build().ok()?));
        }
        self.made.as_ref().map(|(_, pool)| pool)
    }
}

/// Does some work in so many parts on the threads of the pool that it is called in.
fn share_within<S: Shared>(work: S, parts: usize) -> S::Output {
    if parts <= 1 {
        return work.run();
    }
    let (first, rest) = work.split(parts);
    let (first, rest) = rayon::join(|| first.run(), || share_within(rest, parts - 1));
    S::join(first, rest)
}
