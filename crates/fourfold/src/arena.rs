//! `fourfold arena`: play in a browser.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use etcetera::BaseStrategy;
use fourfold_arena::{Config, Limits, PORT, Proxies, Server, StartError};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::eprint_line;

/// The log target of the arena.
const ARENA: &str = "fourfold_arena";

pub(crate) const EXAMPLES: &str = "\
Examples:
  fourfold                          this computer only, games in your data directory
  fourfold --port 5000 --data g.db  another port and another file
  fourfold --bind 0.0.0.0           accept connections from other computers
  fourfold --behind-proxy 127.0.0.1 take client addresses from a proxy on this computer
  fourfold --log debug              log more";

// No doc comment here: it would become part of the help of the program, which flattens these
// arguments.
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct Arguments {
    /// The port to listen on; 0 picks any free port.
    ///
    /// By default 4444 or, if that is in use, any free port.
    #[arg(long)]
    port: Option<u16>,
    /// The address to listen on; 0.0.0.0 accepts connections from other computers.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The database file, created if it does not exist [default: arena.db in your data directory].
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Trust the X-Forwarded-* headers of the reverse proxies at these addresses, such as 127.0.0.1
    /// or 10.0.0.0/8; separate several by commas.
    #[arg(long, value_name = "ADDRESS,…")]
    behind_proxy: Option<Proxies>,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
    /// The log level on standard error: error, warn, info, debug or trace, or a filter as in
    /// RUST_LOG.
    ///
    /// By default RUST_LOG or, if that is not set, warnings and informational messages of the
    /// arena.
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Limits. Requests beyond a limit are refused with a reason and do not affect other clients.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
#[group(skip)]
struct LimitArguments {
    /// Games in memory.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games)]
    max_games: usize,
    /// Unfinished games created by one guest.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_guest)]
    max_games_per_guest: usize,
    /// Unfinished games created from one address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_address)]
    max_games_per_address: usize,
    /// Games created per second from one address, with bursts of up to four seconds' worth.
    #[arg(long, value_name = "N", default_value_t = Limits::default().games_per_second)]
    max_games_per_second: u32,
    /// Open WebSockets.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,
    /// Open WebSockets from one address; behind a proxy, use --behind-proxy, or all clients share
    /// one address.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_address)]
    max_connections_per_address: usize,
    /// Open WebSockets of one guest.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_guest)]
    max_connections_per_guest: usize,
    /// New connections per second from one address, with bursts of up to four seconds' worth.
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_second)]
    max_connections_per_second: u32,
    /// Messages per second over one connection, with bursts of up to four seconds' worth.
    #[arg(long, value_name = "N", default_value_t = Limits::default().messages_per_second)]
    max_messages_per_second: u32,
    /// Requests per second from the study and inspector pages of one address, with bursts of up to
    /// four seconds' worth.
    #[arg(long, value_name = "N", default_value_t = Limits::default().requests_per_second)]
    #[arg(alias = "max-questions-per-second")]
    max_requests_per_second: u32,
    /// Threads on which bots think in turn-based games, and as many for real-time games; by default
    /// half the number of cores.
    #[arg(long, value_name = "N", default_value_t = Limits::default().bot_threads)]
    #[arg(hide_default_value = true)]
    bot_threads: usize,
    /// Delete unfinished games after this many days without a move; 0 keeps them.
    #[arg(long, value_name = "DAYS")]
    #[arg(default_value_t = Limits::default().keep_unfinished.unwrap_or(0))]
    keep_unfinished: u32,
    /// Delete finished games after this many days; 0 keeps them.
    #[arg(long, value_name = "DAYS")]
    #[arg(default_value_t = Limits::default().keep_finished.unwrap_or(0))]
    keep_finished: u32,
}

impl LimitArguments {
    fn limits(&self) -> Limits {
        Limits {
            games: self.max_games,
            games_per_guest: self.max_games_per_guest,
            games_per_address: self.max_games_per_address,
            games_per_second: self.max_games_per_second,
            connections: self.max_connections,
            connections_per_address: self.max_connections_per_address,
            connections_per_guest: self.max_connections_per_guest,
            connections_per_second: self.max_connections_per_second,
            messages_per_second: self.max_messages_per_second,
            requests_per_second: self.max_requests_per_second,
            bot_threads: self.bot_threads,
            keep_unfinished: Some(self.keep_unfinished).filter(|days| *days > 0),
            keep_finished: Some(self.keep_finished).filter(|days| *days > 0),
            ..Limits::default()
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    tracing_subscriber::registry().with(lines).with(filter(arguments.log.as_deref())?).init();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(serve(arguments))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the log filter from `--log` or, if that is not given, from RUST_LOG.
fn filter(log: Option<&str>) -> anyhow::Result<Targets> {
    let standard = || Targets::new().with_default(LevelFilter::WARN);
    let Some(log) = log else {
        let asked = std::env::var("RUST_LOG").ok().and_then(|asked| asked.parse().ok());
        return Ok(asked.unwrap_or_else(|| standard().with_target(ARENA, LevelFilter::INFO)));
    };
    // A plain level applies to the arena only, because other crates log little that helps.
    if let Ok(level) = log.parse::<LevelFilter>() {
        return Ok(standard().with_target(ARENA, level));
    }
    log.parse().with_context(|| {
        format!(
            "invalid --log '{log}': expected error, warn, info, debug, trace, or TARGET=LEVEL,…"
        )
    })
}

async fn serve(arguments: &Arguments) -> anyhow::Result<()> {
    let data = match &arguments.data {
        Some(path) => path.clone(),
        None => default_data().context("no home directory found: pass a file with --data")?,
    };
    let config = Config {
        bind: arguments.bind,
        port: arguments.port.unwrap_or(PORT),
        data: Some(data.clone()),
        proxies: arguments.behind_proxy.clone().unwrap_or_default(),
        limits: arguments.limits.limits(),
    };
    let server = open(config, arguments.port.is_none()).await?;
    let address = address_to_open(server.address());
    if let Some(error) = server.storage_error() {
        eprint_line(&format!(
            "fourfold: {error}\nfourfold: games will be lost when the server stops"
        ));
    } else {
        eprint_line(&format!("storing games in {}", data.display()));
    }
    writeln!(io::stdout(), "Fourfold is running at {address} (press Ctrl+C to stop)")?;
    if !arguments.no_open && has_desktop() {
        // Without a browser, the address above can still be used.
        let _ = open::that_detached(&address);
    }
    wait_for_end().await;
    eprint_line("shutting down");
    server.stop().await;
    Ok(())
}

/// Starts the server. If `flexible`, uses any free port if the usual one is in use.
async fn open(config: Config, flexible: bool) -> Result<Server, StartError> {
    match fourfold_arena::start(config.clone()).await {
        Err(error) if flexible && error.is_port_in_use() => {
            eprint_line(&format!("port {} is in use, using another one", config.port));
            fourfold_arena::start(Config { port: 0, ..config }).await
        }
        other => other,
    }
}

pub(crate) fn default_data() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.data_dir().join("fourfold").join("arena.db"))
}

/// Returns the URL to open in a browser on this computer.
fn address_to_open(address: SocketAddr) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() => "127.0.0.1".to_owned(),
        IpAddr::V6(ip) => format!("[{ip}]"),
        ip => ip.to_string(),
    };
    format!("http://{host}:{}", address.port())
}

/// Returns whether a user is likely to see a browser open on this computer.
fn has_desktop() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let display = !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY");
    display && io::stdout().is_terminal() && !set("CI") && !set("SSH_CONNECTION")
}

/// Waits for Ctrl+C or SIGTERM.
async fn wait_for_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_levels_apply_to_the_arena() {
        let text = |log| filter(log).map(|filter| filter.to_string());
        let debug = text(Some("debug")).expect("a level");
        assert!(debug.contains("fourfold_arena=debug") && debug.contains("warn"), "{debug}");
        assert_eq!(text(Some("hyper=trace")).expect("a part"), "hyper=trace");
        assert!(text(Some("fourfold=loud")).is_err());
    }

    #[test]
    fn addresses_can_be_typed_into_a_browser() {
        let open = |text: &str| address_to_open(text.parse().expect("an address"));
        assert_eq!(open("127.0.0.1:4444"), "http://127.0.0.1:4444");
        assert_eq!(open("0.0.0.0:80"), "http://127.0.0.1:80");
        assert_eq!(open("[::1]:4444"), "http://[::1]:4444");
    }
}
