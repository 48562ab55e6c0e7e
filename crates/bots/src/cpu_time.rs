//! The CPU time of a thread or of another process, so that players can be given the same amount of it on a
//! machine with other work to do.

use std::path::PathBuf;
use std::time::Duration;

/// The kernel counts the time of processes in these.
const TICK: Duration = Duration::from_millis(10);

/// A clock that advances while a thread or a process is running on a CPU. Only Linux has it.
///
/// ```
/// # #[cfg(target_os = "linux")] {
/// use fourfold_bots::CpuClock;
///
/// let clock = CpuClock::of_this_thread()?;
/// let before = clock.read()?;
/// assert!(clock.read()? >= before);
/// # }
/// # Ok::<(), fourfold_bots::CpuTimeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CpuClock {
    path: PathBuf,
    parse: fn(&str) -> Option<Duration>,
}

impl CpuClock {
    /// Returns the clock of the thread that calls this. Any thread of this process may read it, in
    /// nanoseconds.
    ///
    /// # Errors
    /// Returns an error where the system does not have it.
    pub fn of_this_thread() -> Result<CpuClock, CpuTimeError> {
        let link = "/proc/thread-self";
        let thread = std::fs::read_link(link)
            .map_err(|error| CpuTimeError { path: link.into(), reason: error.to_string() })?;
        let path = PathBuf::from("/proc").join(thread).join("schedstat");
        Ok(CpuClock { path, parse: schedstat })
    }

    /// Returns the clock of a process with all its threads, but without its children, in steps of 10
    /// milliseconds.
    pub fn of_process(id: u32) -> CpuClock {
        CpuClock { path: format!("/proc/{id}/stat").into(), parse: stat }
    }

    /// Returns the CPU time used so far.
    ///
    /// # Errors
    /// Returns an error if the thread or the process has ended, or where the system does not have the
    /// clock.
    pub fn read(&self) -> Result<Duration, CpuTimeError> {
        let error = |reason| CpuTimeError { path: self.path.clone(), reason };
        let text = std::fs::read_to_string(&self.path).map_err(|why| error(why.to_string()))?;
        (self.parse)(&text).ok_or_else(|| error("its format is unknown".to_owned()))
    }
}

/// Parses `/proc/PID/task/TID/schedstat`, which begins with nanoseconds.
fn schedstat(text: &str) -> Option<Duration> {
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// Parses `/proc/PID/stat`. The name of the program, in parentheses, may contain anything.
fn stat(text: &str) -> Option<Duration> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut words = rest.split_whitespace().skip(11);
    let mut next = || words.next()?.parse::<u32>().ok();
    let (user, system) = (next()?, next()?);
    TICK.checked_mul(user)?.checked_add(TICK.checked_mul(system)?)
}

/// The CPU time could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot read the CPU time from {}, which only Linux has: {reason}", .path.display())]
#[non_exhaustive]
pub struct CpuTimeError {
    /// The file that has it on Linux.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_kernel_are_parsed() {
        assert_eq!(schedstat("266436 55823 1\n"), Some(Duration::from_nanos(266_436)));
        let line = "7 (a) b (c) S 1 7 7 0 -1 4194304 100 0 0 0 12 30 5 6 20 0 1 0 99 0 0";
        assert_eq!(stat(line), Some(Duration::from_millis(420)));
        for text in ["", "7 (a", "7 (a) S 1", "x y", ") -1 -1"] {
            assert_eq!(
                (schedstat(text.trim_start_matches('7')), stat(text)),
                (None, None),
                "{text}"
            );
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn clocks_advance_only_with_work() {
        let clock = CpuClock::of_this_thread().expect("a clock");
        let [process, before] = [&CpuClock::of_process(std::process::id()), &clock]
            .map(|clock| clock.read().expect("a time"));
        std::thread::sleep(Duration::from_millis(50));
        let slept = clock.read().expect("a time") - before;
        assert!(slept < Duration::from_millis(40), "{slept:?}");
        let mut sum = 0_u64;
        while clock.read().expect("a time") - before < Duration::from_millis(50) {
            sum = (0..10_000).fold(sum, |sum, number| std::hint::black_box(sum ^ number));
        }
        let now = CpuClock::of_process(std::process::id()).read().expect("a time");
        assert!(now - process >= Duration::from_millis(30), "{now:?}");
        assert!(CpuClock::of_process(u32::MAX).read().is_err());
    }
}
