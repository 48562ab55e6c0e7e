//! How long a move may take, and somebody who watches it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::command::Limits;

/// When to stop: no new round after the first, at all events at the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Allowance {
    pub(super) soft: Option<Duration>,
    pub(super) hard: Option<Duration>,
}

/// What talking and starting takes.
const OVERHEAD: u64 = 15;

/// What a side may take, seat 0 being White.
pub(super) fn allowance(limits: &Limits, seat: usize) -> Allowance {
    let millis = |time: u64| Some(Duration::from_millis(time.max(1)));
    if let Some(time) = limits.movetime {
        let time = millis(time.saturating_sub(2));
        return Allowance { soft: None, hard: time };
    }
    let Some(left) = limits.time[seat] else { return Allowance { soft: None, hard: None } };
    let left = left.saturating_sub(OVERHEAD);
    let moves = limits.moves_to_go.unwrap_or(30).clamp(1, 30);
    let share = left / moves + limits.increment[seat] * 3 / 4;
    // A round that has begun may go on for a while: the next ones are shorter then.
    let hard = (4 * share).min(if moves == 1 { left } else { left / 3 + left / 10 });
    Allowance { soft: millis((share * 6 / 10).min(hard)), hard: millis(hard) }
}

/// What the one who listens and the one who thinks share.
pub(super) struct Watch {
    pub(super) stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Whether the answer is held back: while it may think for ever, or ponders.
    held: bool,
    began: Instant,
    allowance: Allowance,
    done: bool,
}

impl Watch {
    pub(super) fn new(allowance: Allowance, held: bool) -> Watch {
        let state = State { held, began: Instant::now(), allowance, done: false };
        Watch { stop: AtomicBool::new(false), state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nobody panics while holding it; if one did, the state would still be whole.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Ends the thinking.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.state().held = false;
        self.changed.notify_all();
    }

    /// The move that was pondered on was played: the clock runs from now.
    pub(super) fn ponder_hit(&self) {
        let mut state = self.state();
        state.began = Instant::now();
        state.held = false;
        self.changed.notify_all();
    }

    /// Whether no new round should begin.
    pub(super) fn is_late(&self) -> bool {
        let state = self.state();
        !state.held && state.allowance.soft.is_some_and(|soft| state.began.elapsed() >= soft)
    }

    /// Says that the thinking is done, and waits until the answer may be given.
    pub(super) fn finish(&self) {
        let mut state = self.state();
        state.done = true;
        self.changed.notify_all();
        while state.held {
            state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// Watches the clock until the thinking is done or has to be.
    pub(super) fn watch(&self) {
        let mut state = self.state();
        while !state.done {
            let left = match state.allowance.hard {
                Some(hard) if !state.held => hard.saturating_sub(state.began.elapsed()),
                _ => Duration::from_secs(3600),
            };
            if left.is_zero() {
                self.stop.store(true, Ordering::Relaxed);
                return;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hard(limits: &Limits, seat: usize) -> Option<u128> {
        allowance(limits, seat).hard.map(|time| time.as_millis())
    }

    #[test]
    fn nobody_takes_more_than_is_there() {
        assert_eq!(hard(&Limits::default(), 0), None);
        assert_eq!(hard(&Limits { movetime: Some(100), ..Limits::default() }, 1), Some(98));
        for left in [0, 1, 10, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 50, 2000] {
                for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                    let time = [None, Some(left)];
                    let increment = [0, increment];
                    let limits = Limits { time, increment, moves_to_go, ..Limits::default() };
                    let Allowance { soft, hard } = allowance(&limits, 1);
                    assert!(soft <= hard, "{limits:?}");
                    assert!(
                        hard.expect("a clock").as_millis() <= u128::from(left.max(1)),
                        "{limits:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_held_answer_waits_for_stop_and_a_pondered_one_for_the_hit() {
        for hit in [false, true] {
            let watch = Watch::new(Allowance { soft: None, hard: None }, true);
            std::thread::scope(|scope| {
                let thinking = scope.spawn(|| watch.finish());
                assert!(!thinking.is_finished());
                if hit {
                    watch.ponder_hit()
                } else {
                    watch.stop()
                }
                thinking.join().expect("it ends");
            });
            assert_eq!(watch.stop.load(Ordering::Relaxed), !hit);
        }
        let watch =
            Watch::new(Allowance { soft: None, hard: Some(Duration::from_millis(1)) }, false);
        watch.watch();
        assert!(watch.stop.load(Ordering::Relaxed));
    }
}
