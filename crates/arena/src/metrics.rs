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

/// The limit that was exceeded when something was refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Excess {
    /// The size of a message.
    Size,
    /// Messages per second, or study and inspector requests per second.
    Messages,
    /// WebSockets or games created per second.
    Rate,
    /// Connections: in total, per address, per guest.
    Connections,
    AddressConnections,
    GuestConnections,
    /// Games: in total, per address, per guest.
    Games,
    AddressGames,
    GuestGames,
    /// A page that does not read fast enough.
    Slow,
}

impl Excess {
    const fn name(self) -> &'static str {
        match self {
            Excess::Size => "size",
            Excess::Messages => "messages",
            Excess::Rate => "rate",
            Excess::Connections => "connections",
            Excess::AddressConnections => "connections_per_address",
            Excess::GuestConnections => "connections_per_guest",
            Excess::Games => "games",
            Excess::AddressGames => "games_per_address",
            Excess::GuestGames => "games_per_guest",
            Excess::Slow => "slow",
        }
    }
}

type Label = [(&'static str, &'static str); 1];

/// All metrics.
pub(crate) struct Counts {
    registry: Registry,
    pub(crate) connections: Gauge,
    pub(crate) messages: Counter,
    pub(crate) sent: Counter,
    pub(crate) commands: Counter,
    pub(crate) refused: Counter,
    pub(crate) unread: Counter,
    store_errors: Counter,
    excesses: Family<Label, Counter>,
    lateness: Histogram,
    late: Counter,
    games: Family<Label, Gauge>,
    loaded: Gauge,
    jobs: Gauge,
    stored: Gauge,
    uptime: Gauge,
    pub(crate) next_connection: AtomicU64,
}

/// Values that are looked up when the metrics are requested.
pub(crate) struct Now {
    /// The number of unfinished games of each type.
    pub(crate) games: Vec<(&'static str, i64)>,
    pub(crate) loaded: usize,
    pub(crate) jobs: u64,
    pub(crate) stored: bool,
    pub(crate) store_errors: u64,
    pub(crate) uptime: Duration,
}

impl Default for Counts {
    fn default() -> Counts {
        let mut all = Registry::with_prefix("fourfold");
        // Up to four seconds, with four buckets for each doubling.
        let bounds = exponential_buckets(16e-6, 2f64.powf(0.25), 72);
        Counts {
            connections: add(&mut all, "connections", "Open sockets"),
            games: add(&mut all, "games", "Games in progress, by kind"),
            loaded: add(&mut all, "games_loaded", "Games in memory"),
            jobs: add(&mut all, "thoughts", "Analysis jobs that are running or queued"),
            messages: add(&mut all, "messages", "Messages received over sockets"),
            sent: add(&mut all, "messages_sent", "Messages sent over sockets"),
            unread: add(&mut all, "messages_unread", "Messages that are not valid commands"),
            commands: add(&mut all, "commands", "Commands and requests received"),
            refused: add(&mut all, "commands_refused", "Commands and requests refused"),
            excesses: add(&mut all, "turned_away", "Refusals by exceeded limit"),
            lateness: {
                let lateness = Histogram::new(bounds);
                let help = "Lateness of ticks on which something happens";
                all.register("tick_lateness_seconds", help, lateness.clone());
                lateness
            },
            late: add(&mut all, "ticks_late", "Ticks that ran after the next one was due"),
            store_errors: add(&mut all, "store_errors", "Disk errors"),
            stored: add(&mut all, "store_works", "1 if games are saved to disk, else 0"),
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

impl Counts {
    /// Records how late a tick was.
    pub(crate) fn note_tick(&self, late: Duration) {
        self.lateness.observe(late.as_secs_f64());
        if late * TICKS_PER_SECOND > Duration::from_secs(1) {
            self.late.inc();
        }
    }

    /// Records that a limit was exceeded.
    pub(crate) fn note_excess(&self, excess: Excess) {
        self.excesses.get_or_create(&[("limit", excess.name())]).inc();
    }

    /// Encodes all metrics as text.
    pub(crate) fn text(&self, now: &Now) -> String {
        for (game, count) in &now.games {
            self.games.get_or_create(&[("game", game)]).set(*count);
        }
        self.loaded.set(now.loaded as i64);
        self.jobs.set(now.jobs as i64);
        self.store_errors.inc_by(now.store_errors.saturating_sub(self.store_errors.get()));
        self.stored.set(i64::from(now.stored));
        self.uptime.set(now.uptime.as_secs() as i64);
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
    fn ticks_are_counted_below_the_next_bound_and_late_ones_apart() {
        let counts = Counts::default();
        for micros in [0, 16, 17, 1_000, 10_000_000] {
            counts.note_tick(Duration::from_micros(micros));
        }
        counts.note_excess(Excess::Size);
        let games = vec![("chess", 2)];
        let uptime = Duration::from_millis(2500);
        let now = Now { games, loaded: 3, jobs: 0, stored: true, store_errors: 4, uptime };
        let text = counts.text(&now);
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.unwrap_or_else(|| panic!("{name} in {text}"))
        };
        assert_eq!(value("fourfold_tick_lateness_seconds_bucket{le=\"0.000016\"}"), "2");
        assert_eq!(value("fourfold_tick_lateness_seconds_bucket{le=\"+Inf\"}"), "5");
        assert_eq!(value("fourfold_tick_lateness_seconds_count"), "5");
        assert_eq!(value("fourfold_ticks_late_total"), "1");
        assert_eq!(value("fourfold_turned_away_total{limit=\"size\"}"), "1");
        assert_eq!(value("fourfold_games{game=\"chess\"}"), "2");
        assert_eq!(value("fourfold_store_errors_total"), "4");
        assert_eq!(value("fourfold_uptime_seconds"), "2");
        assert!(text.ends_with("# EOF\n"));
    }
}
