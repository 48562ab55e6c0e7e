//! The arena: a web server for playing in a browser.
//!
//! It is one process with one port and one database file, started with [`start`]. The messages
//! between pages and server are documented in `docs/arena/protocol.md`. The rules are not in this
//! crate: every turn-based game is played on a [`Table`](fourfold_table::Table). Kung fu chess has
//! no turns and therefore its own kind of room, driven by ticks; seats, sockets and storage are
//! shared.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let config = fourfold_arena::Config { port: 0, ..fourfold_arena::Config::default() };
//! let server = fourfold_arena::start(config).await?;
//! println!("open http://{}", server.address());
//! server.stop().await;
//! # Ok::<(), fourfold_arena::StartError>(())
//! # }).unwrap();
//! ```

mod assets;
mod bot_jobs;
mod bot_pool;
mod chat;
mod clock;
mod evaluation;
mod files;
mod game;
mod guest;
mod http;
mod hub;
mod inspector;
mod invitation;
mod journal;
mod limits;
mod listen;
mod lobby;
mod metrics;
mod network;
mod play;
mod protocol;
mod proxy;
mod rating;
mod realtime;
mod requests;
mod room;
mod seating;
mod settlement;
mod socket;
mod store;
mod study;
mod upkeep;
mod viewer;

#[cfg(test)]
#[path = "../tests/it/json_shape.rs"]
mod json_shape;
#[cfg(test)]
#[path = "../../learned/tests/it/random_model.rs"]
#[allow(dead_code, reason = "a part is for other tests")]
mod random_model;
#[cfg(test)]
mod tests;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::interval;

use hub::Hub;
use network::{Listener, Network, Signal};
pub use proxy::{ParseProxiesError, Proxies};
pub use store::{DataError, StoreError, export, import};
use store::{PendingFile, Store};

/// How to start the server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on. On loopback, only this computer can reach the server until
    /// a user at this computer opens it to the local network.
    pub bind: IpAddr,
    /// The port; 0 picks a free one.
    pub port: u16,
    /// The database file. Without one, games are lost when the server stops.
    pub data: Option<PathBuf>,
    /// The reverse proxies through which clients connect, if any.
    pub proxies: Proxies,
    /// Limits and timeouts.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        let bind = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Config {
            bind,
            port: PORT,
            data: None,
            proxies: Proxies::default(),
            limits: Limits::default(),
        }
    }
}

/// The default port.
pub const PORT: u16 = 4444;

/// Limits on load, and how long things may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Games in memory.
    pub games: usize,
    /// Unfinished games created by one guest, in memory or not.
    pub games_per_guest: usize,
    /// Unfinished games created from one address, in memory or not.
    pub games_per_address: usize,
    /// Games created per second from one address, with bursts of up to four seconds' worth.
    pub games_per_second: u32,
    /// Open WebSockets.
    pub connections: usize,
    /// Open WebSockets from one address.
    pub connections_per_address: usize,
    /// Open WebSockets of one guest.
    pub connections_per_guest: usize,
    /// WebSockets opened per second from one address, with bursts of up to four seconds' worth.
    pub connections_per_second: u32,
    /// Messages per second over one WebSocket, with bursts of up to four seconds' worth.
    pub messages_per_second: u32,
    /// HTTP requests per second from the study and inspector pages of one address, with bursts of
    /// up to four seconds' worth.
    pub requests_per_second: u32,
    /// Analysis jobs that may be queued, including the one that is running.
    pub analysis_jobs: usize,
    /// Analysis jobs from one address, queued or running.
    pub analysis_jobs_per_address: usize,
    /// Search nodes of an analysis job, unless it is a deep one.
    pub analysis_nodes: u64,
    /// Search nodes of a deep analysis job, of which one runs at a time. The same job again continues
    /// the search.
    pub deep_analysis_nodes: u64,
    /// Threads on which bots think in turn-based games, and as many for real-time games. They have a
    /// low priority.
    pub bot_threads: usize,
    /// How long a connection may take to send the head of a request, or stay idle between two
    /// requests.
    pub head_timeout: Duration,
    /// How long to wait before retrying a disk that failed.
    pub retry: Duration,
    /// How long a game that nobody watches stays in memory.
    pub unload_after: Duration,
    /// After how many days without a move unfinished games are deleted; `None` keeps them.
    pub keep_unfinished: Option<u32>,
    /// The same for finished games.
    pub keep_finished: Option<u32>,
    /// The minimum time a bot takes for a move, so that people can follow.
    pub bot_pace: Duration,
    /// The same for the game on the landing page.
    pub live_game_pace: Duration,
    /// The countdown before time starts to run in real-time games.
    pub countdown: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            games: 10_000,
            games_per_guest: 50,
            games_per_address: 1_000,
            games_per_second: 5,
            connections: 5_000,
            connections_per_address: 200,
            connections_per_guest: 40,
            connections_per_second: 20,
            messages_per_second: 30,
            requests_per_second: 60,
            analysis_jobs: 32,
            analysis_jobs_per_address: 4,
            analysis_nodes: 400_000,
            deep_analysis_nodes: 32_000_000,
            bot_threads: std::thread::available_parallelism()
                .map_or(1, |cores| cores.get().div_ceil(2)),
            head_timeout: Duration::from_secs(20),
            retry: Duration::from_secs(5),
            unload_after: Duration::from_secs(60),
            keep_unfinished: Some(90),
            keep_finished: None,
            bot_pace: Duration::from_millis(500),
            live_game_pace: Duration::from_millis(1500),
            countdown: Duration::from_secs(3),
        }
    }
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    storage_error: Option<StoreError>,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Server {
    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Why games are not saved to disk although a database file was given.
    pub fn storage_error(&self) -> Option<&StoreError> {
        self.storage_error.as_ref()
    }

    /// Shuts the server down: notifies all clients, then waits until everything is saved.
    pub async fn stop(self) {
        // The server may already have stopped by itself.
        let _ = self.stop.send(true);
        let _ = self.serving.await;
    }
}

/// Starts the server. If the database cannot be used, the server still starts and keeps games in
/// memory; [`Server::storage_error`] says why.
///
/// # Errors
/// Fails if the address cannot be bound, or if another server has the database open.
pub async fn start(config: Config) -> Result<Server, StartError> {
    let Config { bind, port, data, proxies, limits } = config;
    let address = SocketAddr::new(bind, port);
    let cannot_listen = |error| StartError::Listen { address, error };
    let listener = TcpListener::bind(address).await.map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(cannot_listen)?;
    let opened = match data {
        None => None,
        // Waits for a server that is shutting down, which may be on this thread.
        Some(path) => {
            let opening = spawn_blocking(move || (Store::open(&path), path));
            Some(opening.await.expect("opening the database does not panic"))
        }
    };
    let (store, storage_error) = match opened {
        None => (Store::in_memory(None), None),
        Some((Ok(store), _)) => (Ok(store), None),
        Some((Err(error), _)) if error.is_in_use() => return Err(StartError::Data(error)),
        Some((Err(storage_error), path)) => {
            tracing::error!(%storage_error, "games are kept in memory until the database can be used");
            let awaited = PendingFile::new(path, &storage_error, limits.retry);
            (Store::in_memory(Some(awaited)), Some(storage_error))
        }
    };
    let store = store.map_err(StartError::Data)?;
    let (stop, stopped) = watch::channel(false);
    let (listeners, opened) = mpsc::unbounded_channel();
    let stopped = Signal(stopped);
    let first = Listener { listener, closed: stopped.clone() };
    let hub = Arc::new(Hub::new(
        store,
        limits,
        Network::new(address, listeners).behind(proxies),
        stopped,
    ));
    hub.start_live_game().await;
    tokio::spawn(mark_alive(hub.clone()));
    tokio::spawn(settlement::settle_games(hub.clone()));
    tokio::spawn(upkeep::wake_timed_games(hub.clone()));
    tokio::spawn(upkeep::expire_games(hub.clone()));
    let serving = tokio::spawn(listen::serve(first, opened, hub));
    Ok(Server { address, storage_error, stop, serving })
}

/// Saves a timestamp every second. After a crash, clocks continue from the last one.
async fn mark_alive(hub: Arc<Hub>) {
    let mut every_second = interval(Duration::from_secs(1));
    let mut storage_error = hub.store.storage_error();
    loop {
        tokio::select! {
            () = hub.stopped() => return,
            _ = every_second.tick() => {
                if let Err(error) = hub.store.mark_alive(hub.now()).await {
                    tracing::debug!(%error, "cannot record that the server is running");
                }
            }
            // The store lives as long as the hub.
            _ = storage_error.changed() => {
                // Games that could not be settled may be settled now.
                hub.ended.notify_one();
            }
        }
    }
}

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The address cannot be bound.
    #[error("{}", listen_message(*address, error))]
    Listen {
        /// The requested address.
        address: SocketAddr,
        /// The underlying error.
        error: std::io::Error,
    },
    /// Another server has the database open, or not even an in-memory database could be created.
    #[error("{0}")]
    Data(StoreError),
}

impl StartError {
    /// Whether another program is already listening on the address.
    pub fn is_port_in_use(&self) -> bool {
        match self {
            StartError::Listen { error, .. } => error.kind() == std::io::ErrorKind::AddrInUse,
            StartError::Data(_) => false,
        }
    }
}

/// Returns the message for an address that cannot be bound.
fn listen_message(address: SocketAddr, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!("another program is already listening on {address}: choose another port")
        }
        std::io::ErrorKind::AddrNotAvailable => {
            format!("this computer does not have the address {}", address.ip())
        }
        std::io::ErrorKind::PermissionDenied => {
            format!("no permission to listen on {address}: choose a port above 1023")
        }
        _ => format!("cannot listen on {address}: {error}"),
    }
}
