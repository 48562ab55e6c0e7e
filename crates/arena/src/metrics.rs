//! Metrics in Prometheus' text format.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use fourfold_kung_fu::TICKS_PER_SECOND;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry};

/// The content type of the metrics.
pub(crate) const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The name of the limit that was exceeded when something was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Excess(&'static str);

impl Excess {
    /// The size of a message.
    pub(crate) const SIZE: Excess = Excess("size");
    /// Messages per second, or study and inspector requests per second.
    pub(crate) const MESSAGES: Excess = Excess("messages");
    /// WebSockets or games created per second.
    pub(crate) const RATE: Excess = Excess("rate");
    pub(crate) const CONNECTIONS: Excess = Excess("connections");
    pub(crate) const ADDRESS_CONNECTIONS: Excess = Excess("connections_per_address");
    pub(crate) const GUEST_CONNECTIONS: Excess = Excess("connections_per_guest");
    pub(crate) const GAMES: Excess = Excess("games");
    pub(crate) const ADDRESS_GAMES: Excess = Excess("games_per_address");
    pub(crate) const GUEST_GAMES: Excess = Excess("games_per_guest");
    /// A page that does not read fast enough.
    pub(crate) const SLOW: Excess = Excess("slow");
}

type Label = [(&'static str, &'static str); 1];

/// All metrics.
pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) connections: Gauge,
    pub(crate) messages: Counter,
    pub(crate) sent: Counter,
    pub(crate) commands: Counter,
    pub(crate) refused: Counter,
    pub(crate) unread: Counter,
    pub(crate) store_errors: Counter,
    excesses: Family<Label, Counter>,
    lateness: Histogram,
    late: Counter,
    pub(crate) games: Family<Label, Gauge>,
    pub(crate) loaded: Gauge,
    pub(crate) jobs: Gauge,
    pub(crate) bots: Gauge,
    pub(crate) stored: Gauge,
    pub(crate) uptime: Gauge,
    pub(crate) next_connection: AtomicU64,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut all = Registry::with_prefix("fourfold");
        // Up to four seconds, with four buckets for each doubling.
        let bounds = exponential_buckets(16e-6, 2f64.powf(0.25), 72);
        Metrics {
            connections: add(&mut all, "connections", "Open sockets"),
            games: add(&mut all, "games", "Games in progress, by type"),
            loaded: add(&mut all, "games_loaded", "Games in memory"),
            jobs: add(&mut all, "analysis_jobs", "Analysis jobs that are running or queued"),
            bots: add(&mut all, "bots_waiting", "Bots that wait for a thread to think on"),
            messages: add(&mut all, "messages", "Messages received over sockets"),
            sent: add(&mut all, "messages_sent", "Messages sent over sockets"),
            unread: add(&mut all, "messages_invalid", "Messages that are not valid commands"),
            commands: add(&mut all, "commands", "Commands and requests received"),
            refused: add(&mut all, "commands_refused", "Commands and requests refused"),
            excesses: add(&mut all, "limit_exceeded", "Refusals by exceeded limit"),
            lateness: {
                let lateness = Histogram::new(bounds);
                let help = "Lateness of ticks on which something happens";
                all.register("tick_lateness_seconds", help, lateness.clone());
                lateness
            },
            late: add(&mut all, "ticks_late", "Ticks that ran after the next one was due"),
            store_errors: add(&mut all, "store_errors", "Disk errors"),
            stored: add(&mut all, "store_up", "1 if games are saved to disk, else 0"),
            uptime: add(&mut all, "uptime_seconds", "Seconds since the server started"),
            next_connection: AtomicU64::new(0),
            registry: all,
        }
    }
}

/// Registers a new metric.
fn add<M: Metric + Clone + Default>(all: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    all.register(name, help, metric.clone());
    metric
}

impl Metrics {
    /// Records how late a tick was.
    pub(crate) fn note_tick(&self, late: Duration) {
        self.lateness.observe(late.as_secs_f64());
        if late * TICKS_PER_SECOND > Duration::from_secs(1) {
            self.late.inc();
        }
    }

    /// Records that a limit was exceeded.
    pub(crate) fn note_excess(&self, excess: Excess) {
        self.excesses.get_or_create(&[("limit", excess.0)]).inc();
    }

    /// Encodes all metrics as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tick_lateness_histogram() {
        let metrics = Metrics::default();
        for micros in [0, 16, 17, 1_000, 10_000_000] {
            metrics.note_tick(Duration::from_micros(micros));
        }
        metrics.note_excess(Excess::SIZE);
        metrics.games.get_or_create(&[("game", "chess")]).set(2);
        metrics.store_errors.inc_by(4);
        metrics.uptime.set(2);
        let text = metrics.text();
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("{name} in {text}"))
        };
        assert_eq!(value("fourfold_tick_lateness_seconds_bucket{le=\"0.000016\"}"), "2");
        assert_eq!(value("fourfold_tick_lateness_seconds_bucket{le=\"+Inf\"}"), "5");
        assert_eq!(value("fourfold_tick_lateness_seconds_count"), "5");
        assert_eq!(value("fourfold_ticks_late_total"), "1");
        assert_eq!(value("fourfold_limit_exceeded_total{limit=\"size\"}"), "1");
        assert_eq!(value("fourfold_games{game=\"chess\"}"), "2");
        assert_eq!(value("fourfold_store_errors_total"), "4");
        assert_eq!(value("fourfold_uptime_seconds"), "2");
        assert!(text.ends_with("# EOF\n"));
    }
}
