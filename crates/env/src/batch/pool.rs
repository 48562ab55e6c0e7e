//! The thread pool of a batch.

use std::sync::{Mutex, PoisonError};

/// Parts per thread: several, so that others can take over work from a thread that is held up.
const PARTS_PER_THREAD: usize = 8;

/// A thread pool that works together with the calling thread. Its threads are started on first use,
/// and again after a fork.
#[derive(Debug)]
pub struct Pool {
    /// Number of threads, including the caller.
    threads: usize,
    rayon_pool: Option<(u32, rayon::ThreadPool)>,
}

/// Work on a range of games that several threads can share.
pub(crate) trait SplitWork: Sized + Send {
    /// The result of the work.
    type Output: Send;

    /// Keeps the first `first` of the `parts` equal parts of the work, and returns the rest.
    fn split_off(&mut self, parts: usize, first: usize) -> Self;

    /// Does all of the work on this thread.
    fn run(self) -> Self::Output;

    /// Combines the results of two parts, which may come in either order.
    fn join(one: Self::Output, other: Self::Output) -> Self::Output;
}

impl Pool {
    /// Creates a pool of this many threads, including the caller.
    pub const fn new(threads: usize) -> Pool {
        Pool { threads, rayon_pool: None }
    }

    /// Calls `work` with the index and value of each item, in any order.
    pub fn each<T: Send>(&mut self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let parts = self.parts(items.len());
        self.execute(Each { first: 0, items, work: &work }, parts);
    }

    /// Returns the number of parts to split work into, at most `most`.
    pub(crate) fn parts(&self, most: usize) -> usize {
        let wanted = if self.threads <= 1 { 1 } else { self.threads * PARTS_PER_THREAD };
        wanted.min(most).max(1)
    }

    /// Does the work in `parts` parts. Each thread starts with the same games in every call, so
    /// that they stay in its cache. A thread that finishes early takes over parts from the others,
    /// because the system may delay any of them.
    pub(crate) fn execute<S: SplitWork>(&mut self, work: S, parts: usize) -> S::Output {
        let threads = self.threads.min(parts);
        let Some(helpers) = self.helpers(parts) else { return work.run() };
        let shares = Shares::new(work, parts, threads);
        let done = Mutex::new(None);
        helpers.in_place_scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|_| {
                    let thread = rayon::current_thread_index().map_or(0, |index| index + 1);
                    work_loop(&shares, thread, &done);
                });
            }
            work_loop(&shares, 0, &done);
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.expect("a thread has run the first part")
    }

    /// Returns the helper threads, or `None` if the caller works alone.
    fn helpers(&mut self, parts: usize) -> Option<&rayon::ThreadPool> {
        if parts <= 1 || self.threads <= 1 {
            return None;
        }
        let process = std::process::id();
        if self.rayon_pool.as_ref().is_some_and(|(owner, _)| *owner != process) {
            // The threads exist only in the parent process; there is nothing to shut down here.
            std::mem::forget(self.rayon_pool.take());
        }
        if self.rayon_pool.is_none() {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads - 1);
            self.rayon_pool = Some((process, builder.build().ok()?));
        }
        self.rayon_pool.as_ref().map(|(_, pool)| pool)
    }
}

/// The same operation on each item of a slice.
struct Each<'a, T, F> {
    /// The index of the first item.
    first: usize,
    items: &'a mut [T],
    work: &'a F,
}

impl<T: Send, F: Fn(usize, &mut T) + Sync> SplitWork for Each<'_, T, F> {
    type Output = ();

    fn split_off(&mut self, parts: usize, few: usize) -> Self {
        let at = self.items.len() * few / parts;
        let items = self.items.split_off_mut(at..).unwrap_or_default();
        Each { first: self.first + at, items, work: self.work }
    }

    fn run(self) {
        for (index, item) in self.items.iter_mut().enumerate() {
            (self.work)(self.first + index, item);
        }
    }

    fn join((): (), (): ()) {}
}

/// The maximum number of shares. With more threads, several start on the same share.
const MAX_SHARES: usize = 16;

/// The remaining work of each thread, with the number of parts left in it.
struct Shares<S> {
    shares: [Mutex<Option<(S, usize)>>; MAX_SHARES],
    count: usize,
}

impl<S: SplitWork> Shares<S> {
    fn new(work: S, parts: usize, threads: usize) -> Shares<S> {
        let count = threads.clamp(1, MAX_SHARES);
        let mut shares = [const { Mutex::new(None) }; MAX_SHARES];
        let mut rest = Some((work, parts));
        for (index, share) in shares[..count].iter_mut().enumerate() {
            let others = count - index;
            let Some((mut work, parts)) = rest.take() else { break };
            let own = parts / others;
            if others > 1 {
                rest = Some((work.split_off(parts, own), parts - own));
            }
            *share = Mutex::new(Some((work, own)));
        }
        Shares { shares, count }
    }

    /// Takes the next part for a thread, from its own share if possible.
    fn take(&self, thread: usize) -> Option<S> {
        (0..self.count).find_map(|step| {
            let share = &self.shares[(thread + step) % self.count];
            let mut share = share.lock().unwrap_or_else(PoisonError::into_inner);
            let (mut work, parts) = share.take()?;
            if parts > 1 {
                *share = Some((work.split_off(parts, 1), parts - 1));
            }
            Some(work)
        })
    }
}

/// Works on parts until none are left, and merges the results into `done`.
///
/// A panic in one part propagates out of [`Pool::execute`], so poisoned locks can be ignored.
fn work_loop<S: SplitWork>(shares: &Shares<S>, thread: usize, done: &Mutex<Option<S::Output>>) {
    let mut own = None;
    while let Some(work) = shares.take(thread) {
        let output = work.run();
        own = Some(match own {
            None => output,
            Some(before) => S::join(before, output),
        });
    }
    if let Some(own) = own {
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        *done = Some(match done.take() {
            None => own,
            Some(others) => S::join(others, own),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Increments each number.
    struct Add<'a>(&'a mut [u32]);

    impl SplitWork for Add<'_> {
        type Output = usize;

        fn split_off(&mut self, parts: usize, first: usize) -> Self {
            let at = self.0.len() * first / parts;
            Add(self.0.split_off_mut(at..).unwrap_or_default())
        }

        fn run(self) -> usize {
            self.0.iter_mut().for_each(|number| *number += 1);
            self.0.len()
        }

        fn join(one: usize, other: usize) -> usize {
            one + other
        }
    }

    #[test]
    fn each_visits_every_item_once() {
        for (threads, count) in [(1, 5), (2, 0), (2, 1), (3, 100), (16, 7)] {
            let mut numbers = vec![0; count];
            Pool::new(threads).each(&mut numbers, |index, number| *number += 1 + index);
            assert!(numbers.into_iter().eq(1..=count), "{threads} threads, {count} items");
        }
    }

    #[test]
    fn every_part_runs_exactly_once() {
        for threads in [1, 2, 3, 7, 16, 20] {
            let mut pool = Pool::new(threads);
            for parts in [0, 1, 2, 5, 16, 40, 160] {
                let mut numbers = vec![0; 1000];
                assert_eq!(pool.execute(Add(&mut numbers), parts), 1000);
                assert!(
                    numbers.iter().all(|&number| number == 1),
                    "{threads} threads, {parts} parts"
                );
            }
        }
    }
}
