//! The threads of a batch.

use std::sync::{Mutex, PoisonError};

/// Parts for each thread: several, so that a thread that is held up leaves some to the others.
const PARTS_PER_THREAD: usize = 8;

/// Helpers of the thread that calls, made when they are first needed, and again after a fork.
#[derive(Debug)]
pub struct Pool {
    /// How many threads work together, the caller included.
    threads: usize,
    made: Option<(u32, rayon::ThreadPool)>,
}

/// Work on games in a row that several threads can share.
pub(crate) trait Shared: Sized + Send {
    /// What comes out of it.
    type Output: Send;

    /// Of so many equal parts, the work on the first few, and that on the others.
    fn split(self, parts: usize, first: usize) -> (Self, Self);

    /// Does all of it on this thread.
    fn run(self) -> Self::Output;

    /// What comes out of two parts, in whichever order they were done.
    fn join(one: Self::Output, other: Self::Output) -> Self::Output;
}

impl Pool {
    /// So many threads, the caller included.
    pub const fn new(threads: usize) -> Pool {
        Pool { threads, made: None }
    }

    /// How many threads work together, the caller included.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Does something with each of some items, in whatever order; `work` has its index too.
    pub fn each<T: Send>(&mut self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let parts = self.parts(items.len());
        self.share(Each { first: 0, items, work: &work }, parts);
    }

    /// In how many parts work is shared that can have at most so many.
    pub(crate) fn parts(&self, most: usize) -> usize {
        let wanted = if self.threads <= 1 { 1 } else { self.threads * PARTS_PER_THREAD };
        wanted.min(most).max(1)
    }

    /// Does some work in so many parts. Each thread has its own games, the same in every call, so
    /// that they stay in its cache; one that is done early helps the others, for the system may hold
    /// any of them up.
    pub(crate) fn share<S: Shared>(&mut self, work: S, parts: usize) -> S::Output {
        let threads = self.threads.min(parts);
        let Some(helpers) = self.helpers(parts) else { return work.run() };
        let shares = Shares::new(work, parts, threads);
        let done = Mutex::new(None);
        helpers.in_place_scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|_| {
                    let thread = rayon::current_thread_index().map_or(0, |index| index + 1);
                    labour(&shares, thread, &done);
                });
            }
            labour(&shares, 0, &done);
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.expect("somebody has done the first part")
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

/// The same work for each of some items in a row.
struct Each<'a, T, F> {
    /// The index of the first of them.
    first: usize,
    items: &'a mut [T],
    work: &'a F,
}

impl<T: Send, F: Fn(usize, &mut T) + Sync> Shared for Each<'_, T, F> {
    type Output = ();

    fn split(self, parts: usize, few: usize) -> (Self, Self) {
        let Each { first, items, work } = self;
        let at = items.len() * few / parts;
        let (left, right) = items.split_at_mut(at);
        (Each { first, items: left, work }, Each { first: first + at, items: right, work })
    }

    fn run(self) {
        for (index, item) in self.items.iter_mut().enumerate() {
            (self.work)(self.first + index, item);
        }
    }

    fn join((): (), (): ()) {}
}

/// No more shares than this are made; where there are more threads, some begin with the same one.
const MAX_SHARES: usize = 16;

/// The work of each thread, with the number of parts that are left of it.
struct Shares<S> {
    shares: [Mutex<Option<(S, usize)>>; MAX_SHARES],
    count: usize,
}

impl<S: Shared> Shares<S> {
    fn new(work: S, parts: usize, threads: usize) -> Shares<S> {
        let count = threads.clamp(1, MAX_SHARES);
        let mut shares = [const { Mutex::new(None) }; MAX_SHARES];
        let mut rest = Some((work, parts));
        for (index, share) in shares[..count].iter_mut().enumerate() {
            let others = count - index;
            let Some((work, parts)) = rest.take() else { break };
            let own = parts / others;
            *share = Mutex::new(if others == 1 {
                Some((work, parts))
            } else {
                let (first, left) = work.split(parts, own);
                rest = Some((left, parts - own));
                Some((first, own))
            });
        }
        Shares { shares, count }
    }

    /// The next part for a thread: of its own share, or of another's.
    fn take(&self, thread: usize) -> Option<S> {
        (0..self.count).find_map(|step| {
            let share = &self.shares[(thread + step) % self.count];
            let mut share = share.lock().unwrap_or_else(PoisonError::into_inner);
            let (work, parts) = share.take()?;
            if parts == 1 {
                return Some(work);
            }
            let (first, rest) = work.split(parts, 1);
            *share = Some((rest, parts - 1));
            Some(first)
        })
    }
}

/// Takes parts while there are any, and adds what comes out of them to what is done.
///
/// A part that panics ends the whole call, so nobody sees what it left behind.
fn labour<S: Shared>(shares: &Shares<S>, thread: usize, done: &Mutex<Option<S::Output>>) {
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

    /// Adds to each number once.
    struct Add<'a>(&'a mut [u32]);

    impl Shared for Add<'_> {
        type Output = usize;

        fn split(self, parts: usize, first: usize) -> (Self, Self) {
            let at = self.0.len() * first / parts;
            let (left, right) = self.0.split_at_mut(at);
            (Add(left), Add(right))
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
    fn every_item_is_met_once_with_its_index() {
        for (threads, count) in [(1, 5), (2, 0), (2, 1), (3, 100), (16, 7)] {
            let mut numbers = vec![0; count];
            Pool::new(threads).each(&mut numbers, |index, number| *number += 1 + index);
            assert!(numbers.into_iter().eq(1..=count), "{threads} threads, {count} items");
        }
    }

    #[test]
    fn every_part_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 3, 7, 16, 20] {
            let mut pool = Pool::new(threads);
            for parts in [0, 1, 2, 5, 16, 40, 160] {
                let mut numbers = vec![0; 1000];
                assert_eq!(pool.share(Add(&mut numbers), parts), 1000);
                assert!(
                    numbers.iter().all(|&number| number == 1),
                    "{threads} threads, {parts} parts"
                );
            }
        }
    }
}
