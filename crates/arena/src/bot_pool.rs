//! The threads on which bots think: a fixed number, at a low priority, shared fairly by all games.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::guest::GuestId;
use crate::hub::lock;

/// The longest that a newly queued bot should wait for a thread. With many bots waiting, each thinks
/// for a shorter time.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The minimum time a bot may think, whatever the number of bots waiting.
const SHORTEST_THOUGHT: Duration = Duration::from_millis(5);

/// A flag that is set on drop, when nobody is waiting for the result anymore.
#[derive(Default)]
pub(crate) struct StopOnDrop(pub(crate) Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A fixed number of threads with one queue. Owners of games take turns, however many games each of
/// them has. Dropping the pool ends its threads.
pub(crate) struct BotPool {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    ready: Condvar,
    threads: usize,
}

#[derive(Default)]
struct Queue {
    /// The jobs of each owner who has any, oldest first.
    jobs: HashMap<GuestId, VecDeque<Job>>,
    /// The same owners, next one first.
    turns: VecDeque<GuestId>,
    count: usize,
    closed: bool,
}

struct Job {
    /// Set if nobody is waiting for the result anymore.
    stop: Arc<AtomicBool>,
    /// Runs the job, given how long it may take.
    work: Box<dyn FnOnce(Duration) + Send>,
}

impl BotPool {
    /// Starts the threads; at least one.
    pub(crate) fn new(threads: usize) -> BotPool {
        let threads = threads.max(1);
        let (queue, ready) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { queue, ready, threads });
        for _ in 0..threads {
            let shared = shared.clone();
            let started = std::thread::Builder::new()
                .name("bots".to_owned())
                .spawn(move || shared.work_loop());
            if let Err(error) = started {
                tracing::error!(%error, "cannot start a thread for bots");
            }
        }
        BotPool { shared }
    }

    /// Returns the number of jobs that wait for a thread.
    pub(crate) fn waiting(&self) -> usize {
        lock(&self.shared.queue).count
    }

    /// Runs `work` once it is this owner's turn, and sets its flag after `time` at the latest.
    /// Dropping the future cancels the job. Returns `None` if the job panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        owner: GuestId,
        time: Duration,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Option<T> {
        let stop = StopOnDrop::default();
        let flag = stop.0.clone();
        let (start, started) = oneshot::channel();
        let (finish, mut finished) = oneshot::channel();
        let work = Box::new(move |share| {
            // Sending fails if the job has just been canceled; then the flag is set.
            let _ = start.send(share);
            let _ = finish.send(work(&flag));
        });
        self.shared.push(owner, Job { stop: stop.0.clone(), work });
        let share: Duration = started.await.ok()?;
        match timeout(share.min(time), &mut finished).await {
            Ok(result) => result.ok(),
            Err(_) => {
                drop(stop);
                finished.await.ok()
            }
        }
    }
}

impl Drop for BotPool {
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.ready.notify_all();
    }
}

impl Shared {
    fn push(&self, owner: GuestId, job: Job) {
        lock(&self.queue).push(owner, job);
        self.ready.notify_one();
    }

    fn work_loop(&self) {
        lower_priority();
        while let Some((job, waiting)) = self.next() {
            let share = share(self.threads, waiting);
            // The job has no state that could be left inconsistent.
            if catch_unwind(AssertUnwindSafe(|| (job.work)(share))).is_err() {
                tracing::error!("a bot failed");
            }
        }
    }

    /// Waits for a job. Also returns how many were waiting, including this one, or `None` once the
    /// pool is closed.
    fn next(&self) -> Option<(Job, usize)> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            let waiting = queue.count;
            if let Some(job) = queue.pop() {
                return Some((job, waiting));
            }
            queue = self.ready.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Queue {
    fn push(&mut self, owner: GuestId, job: Job) {
        let jobs = self.jobs.entry(owner).or_default();
        if jobs.is_empty() {
            self.turns.push_back(owner);
        }
        self.count -= jobs.len();
        jobs.retain(Job::is_needed);
        jobs.push_back(job);
        self.count += jobs.len();
    }

    /// Removes and returns the next job that is still needed.
    fn pop(&mut self) -> Option<Job> {
        while let Some(owner) = self.turns.pop_front() {
            let Some(jobs) = self.jobs.get_mut(&owner) else { continue };
            self.count -= jobs.len();
            jobs.retain(Job::is_needed);
            let job = jobs.pop_front();
            self.count += jobs.len();
            if jobs.is_empty() {
                self.jobs.remove(&owner);
            } else {
                self.turns.push_back(owner);
            }
            if job.is_some() {
                return job;
            }
        }
        None
    }
}

impl Job {
    fn is_needed(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }
}

/// Runs `work` on a thread of its own with a low priority. The thread ends with the work: unlike those
/// of the runtime, it leaves its memory to the next one.
///
/// # Errors
/// Fails if there can be no more threads, or if the work panics.
pub(crate) async fn run_apart<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let (finish, finished) = oneshot::channel();
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        lower_priority();
        // Nobody is waiting anymore if the page is gone.
        let _ = finish.send(work());
    });
    thread.map_err(|error| format!("cannot start a thread for the {name}: {error}"))?;
    finished.await.map_err(|_| format!("the {name} failed"))
}

/// Returns how long each of the `waiting` jobs may take on this many threads.
fn share(threads: usize, waiting: usize) -> Duration {
    let share = LONGEST_WAIT * threads as u32 / waiting.max(1) as u32;
    share.max(SHORTEST_THOUGHT)
}

/// Lets everything else run before this thread: connections and ticks do not wait for bots. Other
/// systems than Linux have no priority of single threads that any user may lower.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        const NICE: i32 = 15;
        // On Linux, "this process" means this thread only.
        if let Err(error) = rustix::process::setpriority_process(None, NICE) {
            tracing::debug!(%error, "cannot lower the priority of the bots");
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::mpsc;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// Occupies the only thread of a pool until the returned sender is dropped.
    pub(crate) async fn block(pool: &BotPool) -> mpsc::Sender<()> {
        let (release, blocked) = mpsc::channel::<()>();
        let (running, is_running) = oneshot::channel();
        let work = Box::new(move |_| {
            let _ = running.send(());
            let _ = blocked.recv();
        });
        pool.shared.push(GuestId(0), Job { stop: Arc::default(), work });
        is_running.await.expect("it starts");
        release
    }

    /// Queues a job that reports its number. The job is canceled if the returned task is aborted.
    async fn queue(
        pool: &Arc<BotPool>,
        owner: i64,
        number: usize,
        report: &mpsc::Sender<usize>,
    ) -> tokio::task::JoinHandle<Option<()>> {
        let (before, report) = (pool.waiting(), report.clone());
        let own = pool.clone();
        let task = tokio::spawn(async move {
            let work = move |_: &AtomicBool| report.send(number).expect("somebody listens");
            own.run(GuestId(owner), LONG, work).await
        });
        while pool.waiting() == before {
            tokio::task::yield_now().await;
        }
        task
    }

    #[tokio::test]
    async fn owners_take_turns() {
        let pool = Arc::new(BotPool::new(1));
        let release = block(&pool).await;
        let (report, order) = mpsc::channel();
        let mut tasks = Vec::new();
        // The first owner has many games, and asked first.
        for (number, owner) in [1, 1, 1, 1, 2, 3, 3].into_iter().enumerate() {
            tasks.push(queue(&pool, owner, number, &report).await);
        }
        assert_eq!(pool.waiting(), 7);
        drop(release);
        for task in tasks {
            assert_eq!(task.await.expect("no panic"), Some(()));
        }
        drop(report);
        assert_eq!(order.iter().collect::<Vec<_>>(), [0, 4, 5, 1, 6, 2, 3]);
        assert_eq!(pool.waiting(), 0);
    }

    #[tokio::test]
    async fn canceled_jobs_do_not_run() {
        let pool = Arc::new(BotPool::new(1));
        let release = block(&pool).await;
        let (report, order) = mpsc::channel();
        let canceled = queue(&pool, 1, 0, &report).await;
        canceled.abort();
        assert!(canceled.await.is_err_and(|error| error.is_cancelled()));
        // Asking again replaces the job that is no longer needed.
        let own = pool.clone();
        let again = report.clone();
        let kept = tokio::spawn(async move {
            let work = move |_: &AtomicBool| again.send(1).expect("somebody listens");
            own.run(GuestId(1), LONG, work).await
        });
        tokio::task::yield_now().await;
        assert_eq!(pool.waiting(), 1);
        drop(release);
        kept.await.expect("no panic");
        drop(report);
        assert_eq!(order.iter().collect::<Vec<_>>(), [1]);
    }

    #[tokio::test]
    async fn a_panic_does_not_end_the_thread() {
        let pool = BotPool::new(1);
        let failed = pool.run(GuestId(1), LONG, |_| assert_eq!(1, 2, "on purpose")).await;
        assert_eq!(failed, None);
        assert_eq!(pool.run(GuestId(1), LONG, |_| 7).await, Some(7));
    }

    #[tokio::test]
    async fn jobs_are_stopped_in_time() {
        let pool = BotPool::new(1);
        let until_stopped = |stop: &AtomicBool| {
            while !stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            "stopped"
        };
        let stopped = pool.run(GuestId(1), Duration::from_millis(1), until_stopped).await;
        assert_eq!(stopped, Some("stopped"));
    }

    #[test]
    fn time_is_shared_by_all_that_wait() {
        assert_eq!(share(1, 1), Duration::from_secs(2));
        assert_eq!(share(1, 20), Duration::from_millis(100));
        assert_eq!(share(4, 20), Duration::from_millis(400));
        assert_eq!(share(1, 100_000), SHORTEST_THOUGHT);
    }

    /// Waits until this process has a thread of this name that runs, and returns its priority.
    #[cfg(target_os = "linux")]
    pub(crate) async fn priority_of(name: &str) -> i32 {
        let look = || -> Option<i32> {
            let mut tasks = std::fs::read_dir("/proc/self/task").ok()?.flatten();
            tasks.find_map(|task| {
                let stat = std::fs::read_to_string(task.path().join("stat")).ok()?;
                let (head, fields) = stat.rsplit_once(") ")?;
                // After the name: the state, and 15 more fields before the priority.
                let nice = fields.split(' ').nth(16)?.parse().ok()?;
                // A new thread lowers its priority at once.
                (head.ends_with(&format!("({name}")) && nice > 0).then_some(nice)
            })
        };
        let found = async {
            loop {
                match look() {
                    Some(nice) => return nice,
                    None => tokio::time::sleep(Duration::from_millis(1)).await,
                }
            }
        };
        timeout(LONG, found).await.expect("a thread with a low priority")
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn only_the_threads_of_bots_have_a_low_priority() {
        let nice = || rustix::process::getpriority_process(None).expect("Linux has priorities");
        let before = nice();
        let pool = BotPool::new(1);
        let low = pool.run(GuestId(1), LONG, move |_| nice()).await.expect("no panic");
        assert!(low >= 15, "{low}");
        assert_eq!(nice(), before);
    }
}
