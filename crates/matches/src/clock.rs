//! How the time of a player is measured.

use std::time::{Duration, Instant};

use fourfold_bots::CpuClock;

/// A kind of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clock {
    /// The time that passes.
    Wall,
    /// The CPU time of the thread that starts the measurement.
    Thread,
    /// The CPU time of a process.
    Process(u32),
}

impl Clock {
    /// Starts a measurement.
    pub(crate) fn start(self) -> anyhow::Result<Stopwatch> {
        let cpu = match self {
            Clock::Wall => None,
            Clock::Thread => Some(CpuClock::of_this_thread()?),
            Clock::Process(id) => Some(CpuClock::of_process(id)),
        };
        let cpu = cpu.map(|clock| clock.read().map(|before| (clock, before))).transpose()?;
        Ok(Stopwatch { began: Instant::now(), cpu })
    }
}

/// A measurement that has begun.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    began: Instant,
    /// A CPU clock, and its time at the beginning.
    cpu: Option<(CpuClock, Duration)>,
}

impl Stopwatch {
    /// Returns the time since the beginning.
    pub(crate) fn elapsed(&self) -> anyhow::Result<Duration> {
        match &self.cpu {
            None => Ok(self.began.elapsed()),
            Some((clock, before)) => Ok(clock.read()?.saturating_sub(*before)),
        }
    }
}
