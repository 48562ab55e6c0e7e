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
    /// Milliseconds at the beginning of each turn that do not count.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) delay: u64,
}

fn is_zero(time: &u64) -> bool {
    *time == 0
}

const SECOND: u64 = 1000;
const LONGEST: u64 = 24 * 3600 * SECOND;
const LONGEST_INCREMENT: u64 = 600 * SECOND;
const LONGEST_DELAY: u64 = 600 * SECOND;

impl TimeControl {
    /// Returns the value of the PGN tag `TimeControl`: seconds, and seconds per move. PGN has no
    /// notation for a delay; `300+5d` is what python-chess reads.
    pub(crate) fn tag(self) -> String {
        let seconds = |time: u64| (time as f64 / SECOND as f64).to_string();
        let mut tag = seconds(self.initial);
        if self.increment > 0 {
            tag += &format!("+{}", seconds(self.increment));
        }
        if self.delay > 0 {
            tag += &format!("+{}d", seconds(self.delay));
        }
        tag
    }

    /// Reads the value of the PGN tag `TimeControl`. `None` if it has another form.
    pub(crate) fn from_tag(text: &str) -> Option<TimeControl> {
        let milliseconds = |seconds: &str| {
            let seconds: f64 = seconds.trim().parse().ok()?;
            (0.0..=1e9).contains(&seconds).then(|| (seconds * SECOND as f64).round() as u64)
        };
        let mut parts = text.split('+');
        let initial = milliseconds(parts.next()?)?;
        let mut control = TimeControl { initial, increment: 0, delay: 0 };
        for part in parts {
            match part.strip_suffix('d') {
                Some(delay) => control.delay = milliseconds(delay)?,
                None => control.increment = milliseconds(part)?,
            }
        }
        Some(control)
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
        if self.delay > LONGEST_DELAY {
            return Err("expected a delay of at most ten minutes".to_owned());
        }
        Ok(())
    }
}

/// The clocks of one game, at most one of which is running.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    control: TimeControl,
    left: Vec<u64>,
    running: Option<Running>,
}

/// A running clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Running {
    seat: Seat,
    since: u64,
    /// How much of the turn's delay was left then.
    delay: u64,
}

impl Running {
    /// Returns how much of the delay is left.
    fn delay_left(self, now: u64) -> u64 {
        self.delay.saturating_sub(now.saturating_sub(self.since))
    }
}

/// The state of the clocks as sent to pages.
#[derive(Serialize)]
pub(crate) struct ClockState {
    initial: u64,
    increment: u64,
    delay: u64,
    left: Vec<u64>,
    running: Option<Seat>,
    /// How long the running clock still stands still.
    delay_left: u64,
}

impl Clock {
    pub(crate) fn new(control: TimeControl, seats: usize) -> Clock {
        Clock { control, left: vec![control.initial; seats], running: None }
    }

    /// Records a move: adds the increment for `seat` and starts the clock of `next`.
    pub(crate) fn moved(&mut self, seat: Seat, next: Option<Seat>, now: u64) {
        let was_running = self.running.is_some_and(|running| running.seat == seat);
        self.stop(now);
        if was_running {
            self.left[seat.index()] += self.control.increment;
        }
        self.run(next, now);
    }

    /// Starts the clock of one seat, or stops all of them. A clock that is running already keeps
    /// running, with what is left of its delay.
    pub(crate) fn run(&mut self, seat: Option<Seat>, now: u64) {
        if self.running.map(|running| running.seat) == seat {
            return;
        }
        self.stop(now);
        let delay = self.control.delay;
        self.running = seat.map(|seat| Running { seat, since: now, delay });
    }

    /// Stops the running clock, if any.
    pub(crate) fn stop(&mut self, now: u64) {
        if let Some(Running { seat, .. }) = self.running {
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

    /// Resumes after a pause from `stopped` to `now`, which does not count against any clock. The
    /// turn goes on, so its delay does not begin again.
    pub(crate) fn resume(&mut self, stopped: u64, now: u64) {
        if let Some(running) = self.running {
            self.stop(stopped);
            let delay = running.delay_left(stopped);
            self.running = Some(Running { since: now, delay, ..running });
        }
    }

    /// Returns a seat's remaining time.
    pub(crate) fn left(&self, seat: Seat, now: u64) -> u64 {
        let left = self.left[seat.index()];
        match self.running {
            Some(running) if running.seat == seat => {
                let elapsed = now.saturating_sub(running.since);
                left.saturating_sub(elapsed.saturating_sub(running.delay))
            }
            _ => left,
        }
    }

    /// Returns the seat whose clock is running and when its time will run out.
    pub(crate) fn deadline(&self) -> Option<(Seat, u64)> {
        let Running { seat, since, delay } = self.running?;
        Some((seat, since + delay + self.left[seat.index()]))
    }

    pub(crate) fn face(&self, now: u64) -> ClockState {
        let TimeControl { initial, increment, delay } = self.control;
        let seats = (0..self.left.len()).map(|seat| Seat::new(seat as u8));
        let left = seats.map(|seat| self.left(seat, now)).collect();
        let running = self.running.map(|running| running.seat);
        let delay_left = self.running.map_or(0, |running| running.delay_left(now));
        ClockState { initial, increment, delay, left, running, delay_left }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Seat = Seat::new(0);
    const BLACK: Seat = Seat::new(1);

    fn clock() -> Clock {
        Clock::new(TimeControl { initial: 60_000, increment: 2_000, delay: 0 }, 2)
    }

    fn with_delay() -> Clock {
        Clock::new(TimeControl { initial: 60_000, increment: 0, delay: 5_000 }, 2)
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
    fn the_first_seconds_of_each_turn_do_not_count() {
        let mut clock = with_delay();
        clock.moved(WHITE, Some(BLACK), 0);
        assert_eq!(clock.deadline(), Some((BLACK, 65_000)));
        assert_eq!((clock.left(BLACK, 5_000), clock.left(BLACK, 6_000)), (60_000, 59_000));
        assert_eq!((clock.face(2_000).delay_left, clock.face(6_000).delay_left), (3_000, 0));
        // A quick move takes no time, and what is left of the delay is lost.
        clock.moved(BLACK, Some(WHITE), 2_000);
        assert_eq!(clock.face(2_000).left, [60_000, 60_000]);
        assert_eq!(clock.face(2_000).delay_left, 5_000);
        clock.moved(WHITE, Some(BLACK), 10_000);
        assert_eq!(clock.face(10_000).left, [57_000, 60_000]);
        assert_eq!(clock.left(BLACK, 1_000_000), 0);
        // The next turn of the same player has a delay of its own.
        clock.moved(BLACK, Some(BLACK), 17_000);
        assert_eq!(clock.deadline(), Some((BLACK, 17_000 + 5_000 + 58_000)));
        clock.stop(18_000);
        assert_eq!(clock.face(18_000).delay_left, 0);
    }

    #[test]
    fn a_delay_is_granted_once_per_turn() {
        let mut clock = with_delay();
        clock.run(Some(WHITE), 0);
        // A pause after two seconds of the delay, and one after three seconds of thinking.
        clock.resume(2_000, 100_000);
        assert_eq!(clock.face(100_000).delay_left, 3_000);
        assert_eq!(clock.deadline(), Some((WHITE, 163_000)));
        clock.resume(106_000, 200_000);
        assert_eq!(clock.left(WHITE, 200_000), 57_000);
        assert_eq!(clock.deadline(), Some((WHITE, 257_000)));
        // Another player has left the game, and it is still White's turn.
        clock.run(Some(WHITE), 201_000);
        assert_eq!(clock.deadline(), Some((WHITE, 257_000)));
        clock.restore(&[30_000, 30_000], Some(WHITE), 300_000);
        assert_eq!(clock.deadline(), Some((WHITE, 335_000)));
    }

    #[test]
    fn time_controls_without_a_delay_are_stored_as_before() {
        let before = r#"{"initial":60000,"increment":2000}"#;
        let control: TimeControl = serde_json::from_str(before).expect("a time control");
        assert_eq!(control, TimeControl { initial: 60_000, increment: 2_000, delay: 0 });
        assert_eq!(serde_json::to_string(&control).expect("plain data"), before);
        let delayed = TimeControl { delay: 3_000, ..control };
        let text = serde_json::to_string(&delayed).expect("plain data");
        assert_eq!(serde_json::from_str::<TimeControl>(&text).expect("as written"), delayed);
    }

    #[test]
    fn tags_have_seconds_increment_and_delay() {
        let tag = |initial, increment, delay| TimeControl { initial, increment, delay }.tag();
        assert_eq!(tag(300_000, 0, 0), "300");
        assert_eq!(tag(90_500, 3_000, 0), "90.5+3");
        assert_eq!(tag(300_000, 0, 5_000), "300+5d");
        assert_eq!(tag(300_000, 3_000, 5_000), "300+3+5d");
        for (initial, increment, delay) in
            [(300_000, 0, 0), (90_500, 3_000, 0), (60_000, 1_000, 2_500)]
        {
            let control = TimeControl { initial, increment, delay };
            assert_eq!(TimeControl::from_tag(&control.tag()), Some(control));
        }
        assert_eq!(TimeControl::from_tag("40/5400:1800"), None);
    }

    #[test]
    fn invalid_time_controls_are_refused() {
        let check = |initial, increment, delay| TimeControl { initial, increment, delay }.check();
        assert_eq!(check(60_000, 600_000, 600_000), Ok(()));
        for (initial, increment, delay, part) in [
            (0, 0, 0, "initial time"),
            (u64::MAX, 0, 0, "initial time"),
            (60_000, u64::MAX, 0, "increment"),
            (60_000, 0, 600_001, "delay"),
        ] {
            let why = check(initial, increment, delay).expect_err("out of range");
            assert!(why.contains(part), "{why}");
        }
    }
}
