//! Player clocks. The caller passes the current time, in milliseconds; clocks never read it.

use fourfold_table::Seat;
use serde::{Deserialize, Serialize};

/// A time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimeControl {
    /// Milliseconds for the whole game.
    pub(crate) initial: u64,
    /// Milliseconds added after each move.
    pub(crate) increment: u64,
}

const SECOND: u64 = 1000;
const LONGEST: u64 = 24 * 3600 * SECOND;
const LONGEST_INCREMENT: u64 = 600 * SECOND;

impl TimeControl {
    /// Returns the value of the PGN tag `TimeControl`: seconds, and seconds per move.
    pub(crate) fn tag(self) -> String {
        let seconds = |time: u64| (time as f64 / SECOND as f64).to_string();
        match self.increment {
            0 => seconds(self.initial),
            increment => format!("{}+{}", seconds(self.initial), seconds(increment)),
        }
    }

    /// Checks that the time control is within the accepted range. The error is a message for the
    /// guest.
    pub(crate) fn check(self) -> Result<(), String> {
        if !(SECOND..=LONGEST).contains(&self.initial) {
            return Err("expected an initial time from one second to 24 hours".to_owned());
        }
        if self.increment > LONGEST_INCREMENT {
            return Err("expected an increment of at most ten minutes".to_owned());
        }
        Ok(())
    }
}

/// The clocks of one game, at most one of which is running.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    control: TimeControl,
    left: Vec<u64>,
    /// The seat whose clock is running, and since when.
    running: Option<(Seat, u64)>,
}

/// The state of the clocks as sent to pages.
#[derive(Serialize)]
pub(crate) struct ClockState {
    initial: u64,
    increment: u64,
    left: Vec<u64>,
    running: Option<Seat>,
}

impl Clock {
    pub(crate) fn new(control: TimeControl, seats: usize) -> Clock {
        Clock { control, left: vec![control.initial; seats], running: None }
    }

    /// Records a move: adds the increment for `seat` and starts the clock of `next`.
    pub(crate) fn moved(&mut self, seat: Seat, next: Option<Seat>, now: u64) {
        let was_running = self.running.is_some_and(|(running, _)| running == seat);
        self.stop(now);
        if was_running {
            self.left[seat.index()] += self.control.increment;
        }
        self.run(next, now);
    }

    /// Starts the clock of one seat, or stops all of them.
    pub(crate) fn run(&mut self, seat: Option<Seat>, now: u64) {
        self.stop(now);
        self.running = seat.map(|seat| (seat, now));
    }

    /// Stops the running clock, if any.
    pub(crate) fn stop(&mut self, now: u64) {
        if let Some((seat, _)) = self.running {
            self.left[seat.index()] = self.left(seat, now);
            self.running = None;
        }
    }

    /// Returns each seat's remaining time as of when its clock last stopped.
    pub(crate) fn times(&self) -> &[u64] {
        &self.left
    }

    /// Resets the clocks to earlier times and starts one of them.
    pub(crate) fn restore(&mut self, times: &[u64], seat: Option<Seat>, now: u64) {
        self.running = None;
        self.left.copy_from_slice(times);
        self.run(seat, now);
    }

    /// Resumes after a pause from `stopped` to `now`, which does not count against any clock.
    pub(crate) fn resume(&mut self, stopped: u64, now: u64) {
        if let Some((seat, _)) = self.running {
            self.stop(stopped);
            self.run(Some(seat), now);
        }
    }

    /// Returns a seat's remaining time.
    pub(crate) fn left(&self, seat: Seat, now: u64) -> u64 {
        let left = self.left[seat.index()];
        match self.running {
            Some((running, since)) if running == seat => {
                left.saturating_sub(now.saturating_sub(since))
            }
            _ => left,
        }
    }

    /// Returns the seat whose clock is running and when its time will run out.
    pub(crate) fn deadline(&self) -> Option<(Seat, u64)> {
        self.running.map(|(seat, since)| (seat, since + self.left[seat.index()]))
    }

    pub(crate) fn face(&self, now: u64) -> ClockState {
        let TimeControl { initial, increment } = self.control;
        let seats = (0..self.left.len()).map(|seat| Seat::new(seat as u8));
        let left = seats.map(|seat| self.left(seat, now)).collect();
        ClockState { initial, increment, left, running: self.running.map(|(seat, _)| seat) }
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
    fn first_move_is_free_and_later_moves_get_the_increment() {
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
    fn time_stops_at_zero_and_pauses_are_free() {
        let mut clock = clock();
        clock.run(Some(WHITE), 0);
        assert_eq!(clock.left(WHITE, 1_000_000), 0);
        clock.resume(10_000, 500_000);
        assert_eq!(clock.left(WHITE, 500_000), 50_000);
        assert_eq!(clock.deadline(), Some((WHITE, 550_000)));
        // An earlier time does not give any time back.
        assert_eq!(clock.left(WHITE, 400_000), 50_000);
        clock.restore(&[7_000, 8_000], Some(BLACK), 600_000);
        assert_eq!(clock.face(601_000).left, [7_000, 7_000]);
    }

    #[test]
    fn invalid_time_controls_are_refused() {
        let control = |initial, increment| TimeControl { initial, increment };
        assert!(control(60_000, 0).check().is_ok());
        for bad in [control(0, 0), control(u64::MAX, 0), control(60_000, u64::MAX)] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
