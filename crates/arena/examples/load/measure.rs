//! Measurements: lateness, memory, and whether refusals were justified.

use std::time::{Duration, Instant};

use fourfold_kung_fu::{PieceId, Replay, TICKS_PER_SECOND};
use fourfold_table::kung_fu::{read_square, read_text};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Failure;
use crate::client::Refused;

/// Sends a GET request and returns the body.
pub(crate) async fn get(address: &str, path: &str) -> Result<String, Failure> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut text = String::new();
    stream.read_to_string(&mut text).await?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or("no answer")?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("{path}: {head}").into());
    }
    Ok(body.to_owned())
}

/// Returns the resident memory of a process in kB, on systems with `/proc`.
pub(crate) fn memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Measures how late a thread wakes up that only sleeps until each tick, in seconds.
pub(crate) fn bare_timer(end: Instant) -> Vec<f64> {
    let start = Instant::now();
    let mut late = Vec::new();
    for tick in 1.. {
        let due = start + Duration::from_secs(1) * tick / TICKS_PER_SECOND;
        if due >= end {
            break;
        }
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        late.push(due.elapsed().as_secs_f64());
    }
    late
}

/// Returns a quantile of the values.
pub(crate) fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = (share * values.len() as f64) as usize;
    values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

/// The server's histogram of late ticks: upper bounds in seconds, with cumulative counts.
pub(crate) struct Lateness(Vec<(f64, u64)>);

impl Lateness {
    pub(crate) fn read(metrics: &str) -> Lateness {
        const NAME: &str = "fourfold_tick_lateness_seconds_bucket{le=\"";
        let bucket = |line: &str| {
            let (bound, count) = line.strip_prefix(NAME)?.split_once("\"} ")?;
            let bound = if bound == "+Inf" { f64::INFINITY } else { bound.parse().ok()? };
            Some((bound, count.parse().ok()?))
        };
        Lateness(metrics.lines().filter_map(bucket).collect())
    }

    /// Returns what was counted since an earlier reading.
    pub(crate) fn since(&self, before: &Lateness) -> Lateness {
        let pairs = self.0.iter().zip(&before.0);
        Lateness(pairs.map(|((bound, now), (_, then))| (*bound, now - then)).collect())
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.last().map_or(0, |(_, count)| *count)
    }

    /// Returns the upper bound of the bucket that contains a quantile.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let wanted = (share * self.count() as f64).ceil() as u64;
        let bucket = self.0.iter().find(|(_, below)| *below >= wanted);
        bucket.map_or(f64::NAN, |(bound, _)| *bound)
    }
}

/// The goals that a run has missed, in words.
#[derive(Default)]
pub(crate) struct Goals(Vec<String>);

impl Goals {
    /// Until when 99% of the moves should be answered, in milliseconds.
    const ANSWERED: f64 = 100.0;
    /// How much later than a bare timer 99% of the ticks may be, in milliseconds.
    const LATER: f64 = 5.0;

    /// Checks the p99 of answers, in milliseconds; not a number if there were none.
    pub(crate) fn check_answers(&mut self, what: &str, answered: f64) {
        if answered > Goals::ANSWERED {
            let most = Goals::ANSWERED;
            self.0.push(format!("{what} were answered after {answered:.1} ms, at most {most} ms"));
        }
    }

    /// Checks the p99 of late ticks against that of a bare timer, in milliseconds.
    pub(crate) fn check_ticks(&mut self, late: f64, timer: f64) {
        if late - timer > Goals::LATER {
            let (later, most) = (late - timer, Goals::LATER);
            let why =
                format!("ticks were {later:.1} ms later than a bare timer, at most {most} ms");
            self.0.push(why);
        }
    }

    /// # Errors
    /// Fails if a goal was missed.
    pub(crate) fn result(self) -> Result<(), Failure> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(format!("missed goals (p99): {}", self.0.join("; ")).into()),
        }
    }
}

/// Whether an order was legal on its tick according to the replay, both before and after all other
/// orders of that tick. Such an order should not have been refused.
pub(crate) fn was_legal(replay: &str, refused: &Refused) -> Result<bool, Failure> {
    let replay = read_text(replay)?;
    let to = read_square(replay.rules.board, &refused.to).ok_or("there is no such square")?;
    let actions = replay.actions.iter().filter(|(tick, _)| *tick < refused.tick).cloned().collect();
    let first = Replay { actions, end: refused.tick, ..replay.clone() };
    let states = [*first.seeker()?.last(), replay.seeker()?.seek(refused.tick)];
    let legal = |game: &fourfold_kung_fu::Game| {
        game.refusal(refused.player, PieceId(refused.piece), to).is_none()
    };
    Ok(states.iter().all(legal))
}

/// Whether a server keeps growing, given its memory in kB before and after each wave of load. In the
/// first third of the waves, it may take what it needs. After that, single waves may need more, but
/// if it levels off, the last third never stays above the middle third by more than 2 MB.
pub(crate) fn keeps_growing(sizes: &[u64]) -> bool {
    const MOST_GROWTH: u64 = 2 * 1024;
    let third = sizes.len().saturating_sub(1) / 3;
    let last = &sizes[sizes.len() - third..];
    let middle = &sizes[sizes.len() - 2 * third..sizes.len() - third];
    match (last.iter().min(), middle.iter().max()) {
        (Some(last), Some(middle)) => *last > middle + MOST_GROWTH,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_goals_are_named() {
        let mut goals = Goals::default();
        goals.check_answers("moves", 99.9);
        goals.check_answers("moves", f64::NAN);
        goals.check_ticks(6.0, 1.5);
        assert!(goals.result().is_ok());
        let mut goals = Goals::default();
        goals.check_answers("moves", 120.0);
        goals.check_ticks(10.0, 1.0);
        assert_eq!(
            goals.result().unwrap_err().to_string(),
            "missed goals (p99): moves were answered after 120.0 ms, at most 100 ms; \
             ticks were 9.0 ms later than a bare timer, at most 5 ms"
        );
    }

    #[test]
    fn growth_is_judged_over_many_waves() {
        let level = [9_000, 30_000, 38_000, 41_000, 40_000, 52_000, 44_000, 41_000, 50_000, 47_000];
        assert!(!keeps_growing(&level));
        let steady: Vec<u64> = (0..10).map(|wave| 9_000 + 4_000 * wave).collect();
        assert!(keeps_growing(&steady));
        assert!(!keeps_growing(&[]) && !keeps_growing(&[1, 100_000]));
    }
}
