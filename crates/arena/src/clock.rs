//! Players' clocks. They are told the time, in milliseconds; they never look it up.

use fourfold_table::Seat;
use serde::{Deserialize, Serialize};

/// How much time players have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimeControl {
    /// Milliseconds for the whole game.
    pub(crate) initial: u64,
    /// Milliseconds that each move adds.
    pub(crate) increment: u64,
}

const SECOND: u64 = 1000;
const LONGEST: u64 = 24 * 3600 * SECOND;
const LONGEST_INCREMENT: u64 = 600 * SECOND;

impl TimeControl {
    /// Whether people can play with it; if not, why.
    pub(crate) fn check(self) -> Result<(), String> {
        if !(SECOND..=LONGEST).contains(&self.initial) {
            return Err("a clock starts with one second to 24 hours".to_owned());
        }
        if self.increment > LONGEST_INCREMENT {
            return Err("a move adds ten minutes at most".to_owned());
        }
        Ok(())
    }
}

/// The clocks of one game, of which at most one runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    control: TimeControl,
    left: Vec<u64>,
    running: Option<Running>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Running {
    seat: Seat,
    since: u64,
}

/// How the clocks stand, for those who show them.
#[derive(Serialize)]
pub(crate) struct Face {
    initial: u64,
    increment: u64,
    left: Vec<u64>,
    running: Option<Seat>,
}

impl Clock {
    pub(crate) fn new(control: TimeControl, seats: usize) -> Clock {
        Clock { control, left: vec![control.initial; seats], running: None }
    }

    /// A seat has moved: it gets its increment, and the next one's time runs.
    pub(crate) fn moved(&mut self, seat: Seat, next: Option<Seat>, now: u64) {
        let was_running = self.running.is_some_and(|running| running.seat == seat);
        self.stop(now);
        if was_running {
            self.left[seat.index()] += self.control.increment;
        }
        self.run(next, now);
    }

    /// Lets one seat's time run, or none.
    pub(crate) fn run(&mut self, seat: Option<Seat>, now: u64) {
        self.stop(now);
        self.running = seat.map(|seat| Running { seat, since: now });
    }

    /// Stops whichever runs.
    pub(crate) fn stop(&mut self, now: u64) {
        if let Some(Running { seat, .. }) = self.running {
            self.left[seat.index()] = self.left(seat, now);
            self.running = None;
        }
    }

    /// The seats' times when none of them runs.
    pub(crate) fn times(&self) -> &[u64] {
        &self.left
    }

    /// Puts the clocks back to earlier times, and lets one run.
    pub(crate) fn restore(&mut self, times: &[u64], seat: Option<Seat>, now: u64) {
        self.running = None;
        self.left.copy_from_slice(times);
        self.run(seat, now);
    }

    /// Goes on after a pause from `stopped` to `now`, which costs nobody anything.
    pub(crate) fn resume(&mut self, stopped: u64, now: u64) {
        if let Some(Running { seat, .. }) = self.running {
            self.stop(stopped);
            self.run(Some(seat), now);
        }
    }

    /// A seat's time.
    pub(crate) fn left(&self, seat: Seat, now: u64) -> u64 {
        let left = self.left[seat.index()];
        match self.running {
            Some(running) if running.seat == seat => {
                left.saturating_sub(now.saturating_sub(running.since))
            }
            _ => left,
        }
    }

    /// Whose time will be up, and when, if nothing happens.
    pub(crate) fn deadline(&self) -> Option<(Seat, u64)> {
        self.running.map(|Running { seat, since }| (seat, since + self.left[seat.index()]))
    }

    pub(crate) fn face(&self, now: u64) -> Face {
        let TimeControl { initial, increment } = self.control;
        let seats = (0..self.left.len()).map(|seat| Seat::new(seat as u8));
        let left = seats.map(|seat| self.left(seat, now)).collect();
        Face { initial, increment, left, running: self.running.map(|running| running.seat) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Seat = Seat::new(0);
    const BLACK: Seat = Seat::new(1);

    fn clock() -> Clock {
        Clock::new(TimeControl { initial: 60_000, increment: 2_000 }, 2)
    }

    #[test]
    fn the_first_move_is_free_and_later_ones_cost_time_and_earn_the_increment() {
        let mut clock = clock();
        assert_eq!(clock.deadline(), None);
        clock.moved(WHITE, Some(BLACK), 5_000);
        assert_eq!(clock.face(5_000).left, [60_000, 60_000]);
        assert_eq!(clock.deadline(), Some((BLACK, 65_000)));
        clock.moved(BLACK, Some(WHITE), 15_000);
        assert_eq!(clock.face(15_000).left, [60_000, 52_000]);
        clock.moved(WHITE, None, 16_000);
        assert_eq!(clock.face(99_000).left, [61_000, 52_000]);
        assert_eq!(clock.deadline(), None);
    }

    #[test]
    fn time_never_falls_below_zero_and_a_pause_costs_nothing() {
        let mut clock = clock();
        clock.run(Some(WHITE), 0);
        assert_eq!(clock.left(WHITE, 1_000_000), 0);
        clock.resume(10_000, 500_000);
        assert_eq!(clock.left(WHITE, 500_000), 50_000);
        assert_eq!(clock.deadline(), Some((WHITE, 550_000)));
        // A clock that is told an earlier time gives nothing back.
        assert_eq!(clock.left(WHITE, 400_000), 50_000);
        clock.restore(&[7_000, 8_000], Some(BLACK), 600_000);
        assert_eq!(clock.face(601_000).left, [7_000, 7_000]);
    }

    #[test]
    fn odd_time_controls_are_refused() {
        let control = |initial, increment| TimeControl { initial, increment };
        assert!(control(60_000, 0).check().is_ok());
        for bad in [control(0, 0), control(u64::MAX, 0), control(60_000, u64::MAX)] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
