//! The arena: play in a browser.
//!
//! One process, one port, one database file. [`start`] opens it; what pages and server say to each
//! other is in `docs/arena/protocol.md`. The arena knows no rules: it holds a
//! [`Table`](fourfold_table::Table), asks it, and shows what it says. Kung fu chess has no turns, and
//! rooms of its own, in which time runs; seats, sockets and storage are the same.
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

mod allowance;
mod annals;
mod assets;
mod clock;
mod files;
mod guest;
mod http;
mod hub;
mod invitation;
mod ledger;
mod listen;
mod lobby;
mod metrics;
mod network;
mod outlook;
mod party;
mod play;
mod protocol;
mod questions;
mod rating;
mod realtime;
mod room;
mod senses;
mod socket;
mod store;
mod study;
mod thinking;
mod viewer;

#[cfg(test)]
#[path = "../tests/it/forms.rs"]
mod forms;
#[cfg(test)]
mod tests;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::interval;

use hub::Hub;
use network::{Entrance, Network};
pub use store::StoreError;
use store::{Awaited, Store};

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on; on loopback only this computer reaches the server, until somebody there
    /// opens it to the local network.
    pub bind: IpAddr,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// The database file; without one, games are gone when the server ends.
    pub data: Option<PathBuf>,
    /// What is too much.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        let bind = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Config { bind, port: PORT, data: None, limits: Limits::default() }
    }
}

/// The port that is used if none is asked for.
pub const PORT: u16 = 4444;

/// What is too much, and how long things take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Games in memory.
    pub games: usize,
    /// Unfinished games that one guest has made.
    pub games_per_guest: usize,
    /// Unfinished games that were made from one address.
    pub games_per_address: usize,
    /// Games that may be made from one address; four seconds' worth at once.
    pub games_per_second: u32,
    /// Open sockets.
    pub connections: usize,
    /// Open sockets from one address.
    pub connections_per_address: usize,
    /// Open sockets of one guest.
    pub connections_per_guest: usize,
    /// Sockets that may be opened from one address; four seconds' worth at once.
    pub connections_per_second: u32,
    /// Messages that a page may send; four seconds' worth at once.
    pub messages_per_second: u32,
    /// Questions about studies that may come from one address; four seconds' worth at once.
    pub questions_per_second: u32,
    /// Questions that need thought and may wait for it, with the one that is thought about.
    pub thoughts: usize,
    /// The same from one address.
    pub thoughts_per_address: usize,
    /// Positions that are looked at for one of them.
    pub thought_nodes: u64,
    /// How long a connection may take for the head of a request, or be quiet between two.
    pub head: Duration,
    /// How long to wait before a disk that failed is tried again.
    pub retry: Duration,
    /// How long a finished game stays in memory when nobody looks at it.
    pub linger: Duration,
    /// How long bots take for a move at least, so that people can follow.
    pub bot_pace: Duration,
    /// The same for the game on the landing page.
    pub show_pace: Duration,
    /// How long people have to get ready before time runs, in games without turns.
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
            questions_per_second: 60,
            thoughts: 32,
            thoughts_per_address: 4,
            thought_nodes: 400_000,
            head: Duration::from_secs(20),
            retry: Duration::from_secs(5),
            linger: Duration::from_secs(60),
            bot_pace: Duration::from_millis(500),
            show_pace: Duration::from_millis(1500),
            countdown: Duration::from_secs(3),
        }
    }
}

/// A server that runs.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    trouble: Option<StoreError>,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
}

impl Server {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Why games are not kept on disk, though a database was asked for.
    pub fn trouble(&self) -> Option<&StoreError> {
        self.trouble.as_ref()
    }

    /// Tells everybody, and ends when all is kept.
    pub async fn stop(self) {
        // It may have ended by itself.
        let _ = self.stop.send(true);
        let _ = self.serving.await;
    }
}

/// Opens the arena. If the database cannot be used it opens all the same, with games in memory:
/// [`Server::trouble`] says why.
///
/// # Errors
/// If it cannot listen, or another server has the database.
pub async fn start(config: Config) -> Result<Server, StartError> {
    let Config { bind, port, data, limits } = config;
    let asked = SocketAddr::new(bind, port);
    let deaf = |error| StartError::Listen { asked, error };
    let listener = TcpListener::bind(asked).await.map_err(deaf)?;
    let address = listener.local_addr().map_err(deaf)?;
    let (store, trouble) = match data.map(|path| (Store::open(&path), path)) {
        None => (Store::in_memory(), None),
        Some((Ok(store), _)) => (Ok(store), None),
        Some((Err(error), _)) if error.is_in_use() => return Err(StartError::Data(error)),
        Some((Err(trouble), path)) => {
            tracing::error!(%trouble, "games are kept in memory until it can be used");
            let awaited = Awaited::new(path, &trouble, limits.retry);
            (Store::in_memory_until(Some(awaited)), Some(trouble))
        }
    };
    let store = store.map_err(StartError::Data)?;
    let (stop, stopped) = watch::channel(false);
    let (entrances, opened) = mpsc::unbounded_channel();
    let first = Entrance::new(listener, stopped.clone());
    let hub = Arc::new(Hub::new(store, limits, Network::new(address, entrances), stopped));
    hub.wake().await;
    tokio::spawn(mark_alive(hub.clone()));
    tokio::spawn(annals::keep(hub.clone()));
    let serving = tokio::spawn(listen::serve(first, opened, hub));
    Ok(Server { address, trouble, stop, serving })
}

/// Notes every second that the server runs: after a crash, clocks go on from there.
async fn mark_alive(hub: Arc<Hub>) {
    let mut every_second = interval(Duration::from_secs(1));
    let mut trouble = hub.store.trouble();
    let mut on_disk = hub.store.is_on_disk();
    loop {
        tokio::select! {
            () = hub.stopped() => return,
            _ = every_second.tick() => {
                if let Err(error) = hub.store.mark_alive(hub.now()).await {
                    tracing::debug!(%error, "that the server runs cannot be kept");
                }
            }
            // The store lives as long as the hub.
            _ = trouble.changed() => {
                // A file that could not be used at the start may have games of its own.
                if !std::mem::replace(&mut on_disk, hub.store.is_on_disk()) && on_disk {
                    hub.wake_timed().await;
                }
                // What could not be settled may be now.
                hub.ended.notify_one();
            }
        }
    }
}

/// Why the arena does not open.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// It cannot listen.
    Listen {
        /// Where it was to.
        asked: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// Another server has the database, or there is not even memory for one.
    Data(StoreError),
}

impl StartError {
    /// Whether somebody else listens there.
    pub fn is_port_in_use(&self) -> bool {
        match self {
            StartError::Listen { error, .. } => error.kind() == std::io::ErrorKind::AddrInUse,
            StartError::Data(_) => false,
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (asked, error) = match self {
            StartError::Listen { asked, error } => (asked, error),
            StartError::Data(error) => return error.fmt(f),
        };
        match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                write!(f, "another program listens on {asked}: choose another port")
            }
            std::io::ErrorKind::AddrNotAvailable => {
                write!(f, "this computer does not have the address {}", asked.ip())
            }
            std::io::ErrorKind::PermissionDenied => {
                write!(f, "this user may not listen on {asked}: choose a port above 1023")
            }
            _ => write!(f, "cannot listen on {asked}: {error}"),
        }
    }
}

impl std::error::Error for StartError {}
