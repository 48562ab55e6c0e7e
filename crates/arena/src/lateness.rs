//! How late the ticks of games come, counted in buckets that grow by a quarter of an octave.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const PER_OCTAVE: usize = 4;
/// The first bucket's bound, in microseconds.
const FIRST: f64 = 16.0;
/// Up to four seconds; what is later is counted in none but the total.
const BUCKETS: usize = 18 * PER_OCTAVE;

/// A histogram of late ticks.
pub(crate) struct Lateness {
    buckets: [AtomicU64; BUCKETS],
    count: AtomicU64,
    /// Microseconds.
    sum: AtomicU64,
}

impl Default for Lateness {
    fn default() -> Lateness {
        let buckets = std::array::from_fn(|_| AtomicU64::new(0));
        Lateness { buckets, count: AtomicU64::new(0), sum: AtomicU64::new(0) }
    }
}

impl Lateness {
    /// A tick has come so late.
    pub(crate) fn note(&self, late: Duration) {
        let micros = late.as_micros() as u64;
        let octaves = (micros as f64 / FIRST).max(1.0).log2();
        if let Some(bucket) = self.buckets.get((octaves * PER_OCTAVE as f64).ceil() as usize) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(micros, Ordering::Relaxed);
    }

    /// The histogram in Prometheus' text form.
    pub(crate) fn metrics(&self) -> String {
        const NAME: &str = "fourfold_tick_lateness_seconds";
        let mut text = format!(
            "# HELP {NAME} How late ticks on which something happens are played.\n# TYPE {NAME} histogram\n"
        );
        let mut below = 0;
        for (index, bucket) in self.buckets.iter().enumerate() {
            below += bucket.load(Ordering::Relaxed);
            let bound = FIRST * (index as f64 / PER_OCTAVE as f64).exp2() / 1e6;
            // Writing to a text does not fail.
            let _ = writeln!(text, "{NAME}_bucket{{le=\"{bound:.6}\"}} {below}");
        }
        let (count, sum) = (self.count.load(Ordering::Relaxed), self.sum.load(Ordering::Relaxed));
        let _ = writeln!(text, "{NAME}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(text, "{NAME}_sum {}\n{NAME}_count {count}", sum as f64 / 1e6);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_counted_below_the_next_bound() {
        let lateness = Lateness::default();
        for micros in [0, 16, 17, 1_000, 10_000_000] {
            lateness.note(Duration::from_micros(micros));
        }
        let text = lateness.metrics();
        let below = |bound: &str| {
            let line = format!("fourfold_tick_lateness_seconds_bucket{{le=\"{bound}\"}} ");
            let line = text.lines().find_map(|text| text.strip_prefix(&line));
            line.expect("such a bucket").parse::<u64>().expect("a number")
        };
        assert_eq!((below("0.000016"), below("0.000019"), below("0.000861")), (2, 3, 3));
        assert_eq!((below("0.001024"), below("+Inf")), (4, 5));
        assert!(text.ends_with("_count 5\n"));
    }
}
