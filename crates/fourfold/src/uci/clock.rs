//! Time management: the time for a move, and the watchdog that enforces it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use super::command::Limits;

/// The time for a move: no new iteration begins after `soft`, and the search is stopped at `hard`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeBudget {
    pub(super) soft: Option<Duration>,
    pub(super) hard: Option<Duration>,
}

/// The time lost in communication and startup, in milliseconds.
const OVERHEAD: u64 = 15;

/// Returns the time that a side may use. Side 0 is White or Red.
pub(super) fn time_budget(limits: &Limits, side: usize) -> TimeBudget {
    let millis = |time: u64| Some(Duration::from_millis(time.max(1)));
    if let Some(time) = limits.movetime {
        let time = millis(time.saturating_sub(2));
        return TimeBudget { soft: None, hard: time };
    }
    let Some(left) = limits.time[side] else { return TimeBudget { soft: None, hard: None } };
    let left = left.saturating_sub(OVERHEAD);
    let moves = limits.moves_to_go.unwrap_or(30).clamp(1, 30);
    // Clocks can be so long that sums and products must not overflow.
    let increment = limits.increment[side] / 4 * 3 + limits.increment[side] % 4 * 3 / 4;
    let share = (left / moves).saturating_add(increment);
    // An iteration that has begun may exceed the share. Later moves then get less time.
    let hard = share.saturating_mul(4).min(if moves == 1 { left } else { left / 3 + left / 10 });
    TimeBudget {
        soft: millis((share / 10 * 6 + share % 10 * 6 / 10).min(hard)),
        hard: millis(hard),
    }
}

/// The state shared by the thread that reads commands and the thread that searches.
pub(super) struct SearchControl {
    pub(super) stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Whether the answer is held back, as it is while pondering or searching infinitely.
    held: bool,
    began: Instant,
    time_budget: TimeBudget,
    done: bool,
}

impl SearchControl {
    pub(super) fn new(time_budget: TimeBudget, held: bool) -> SearchControl {
        let state = State { held, began: Instant::now(), time_budget, done: false };
        SearchControl {
            stop: AtomicBool::new(false),
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state stays consistent even if a thread panics while holding the lock.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether the answer has to wait for `stop` or `ponderhit`.
    pub(super) fn is_held(&self) -> bool {
        self.state().held
    }

    /// Stops the search.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.state().held = false;
        self.changed.notify_all();
    }

    /// Handles `ponderhit`: the expected move was played, and the clock starts now.
    pub(super) fn ponder_hit(&self) {
        let mut state = self.state();
        state.began = Instant::now();
        state.held = false;
        self.changed.notify_all();
    }

    /// Returns whether no new iteration should begin.
    pub(super) fn is_late(&self) -> bool {
        let state = self.state();
        !state.held && state.time_budget.soft.is_some_and(|soft| state.began.elapsed() >= soft)
    }

    /// Marks the search as done, and waits until the answer may be given.
    pub(super) fn finish(&self) {
        let mut state = self.state();
        state.done = true;
        self.changed.notify_all();
        while state.held {
            state = self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// Stops the search when its time is up. Returns when the search is done or has been stopped.
    pub(super) fn watch(&self) {
        let mut state = self.state();
        while !state.done {
            let left = match state.time_budget.hard {
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

    fn hard(limits: &Limits, side: usize) -> Option<u128> {
        time_budget(limits, side).hard.map(|time| time.as_millis())
    }

    #[test]
    fn time_budget_does_not_exceed_the_clock() {
        assert_eq!(hard(&Limits::default(), 0), None);
        assert_eq!(hard(&Limits { movetime: Some(100), ..Limits::default() }, 1), Some(98));
        for left in [0, 1, 10, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 50, 2000] {
                for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                    let time = [None, Some(left), None, None];
                    let increment = [0, increment, 0, 0];
                    let limits = Limits { time, increment, moves_to_go, ..Limits::default() };
                    let TimeBudget { soft, hard } = time_budget(&limits, 1);
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
    fn the_longest_clocks_do_not_overflow() {
        let most = i64::MAX as u64;
        for moves_to_go in [None, Some(1), Some(most)] {
            let limits = Limits {
                time: [Some(most); 4],
                increment: [most; 4],
                moves_to_go,
                ..Limits::default()
            };
            let TimeBudget { soft, hard } = time_budget(&limits, 0);
            assert!(soft <= hard && hard <= Some(Duration::from_millis(most)), "{limits:?}");
        }
        let one = Limits {
            time: [Some(1015), None, None, None],
            moves_to_go: Some(1),
            ..Limits::default()
        };
        let soft = Some(Duration::from_millis(600));
        assert_eq!(time_budget(&one, 0), TimeBudget { soft, hard: Some(Duration::from_secs(1)) });
    }

    #[test]
    fn held_answers_wait_for_stop_or_ponderhit() {
        for hit in [false, true] {
            let control = SearchControl::new(TimeBudget { soft: None, hard: None }, true);
            std::thread::scope(|scope| {
                let running = scope.spawn(|| control.finish());
                assert!(!running.is_finished());
                if hit {
                    control.ponder_hit()
                } else {
                    control.stop()
                }
                running.join().expect("it ends");
            });
            assert_eq!(control.stop.load(Ordering::Relaxed), !hit);
        }
        let control = SearchControl::new(
            TimeBudget { soft: None, hard: Some(Duration::from_millis(1)) },
            false,
        );
        control.watch();
        assert!(control.stop.load(Ordering::Relaxed));
    }
}
