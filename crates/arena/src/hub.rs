//! All games of a server, and what its connections share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use fourfold_table::shown;
use tokio::sync::{Notify, mpsc, watch};

use crate::Limits;
use crate::allowance::{Crowd, Full, Inside};
use crate::guest::{Guest, GuestId, is_game_id};
use crate::lateness::Lateness;
use crate::ledger::to_text;
use crate::lobby::Lobby;
use crate::party::{Player, Setup};
use crate::play::Play;
use crate::realtime;
use crate::room::{Act, Entry, Room};
use crate::store::{Kept, Record, Store};
use crate::study::Desk;
use crate::viewer::Input;

/// The id of the game that the landing page shows: bots that play for whoever looks.
pub(crate) const LIVE: &str = "live";

/// Inputs that may wait for a game.
const QUEUE: usize = 256;

/// All games of a server, and what its connections share.
pub(crate) struct Hub {
    pub(crate) store: Store,
    pub(crate) limits: Limits,
    pub(crate) counts: Counts,
    /// Becomes true when the server goes down.
    stop: watch::Receiver<bool>,
    pub(crate) scope: Scope,
    games: tokio::sync::Mutex<HashMap<String, Handle>>,
    reviving: tokio::sync::Mutex<()>,
    sockets: Arc<Crowd>,
    pub(crate) desk: Desk,
    pub(crate) lobby: Arc<Lobby>,
    /// Told when a game is over and kept.
    pub(crate) ended: Notify,
    /// Guests that could not be kept, by their secrets' hashes.
    forgotten: Mutex<HashMap<[u8; 32], Guest>>,
    started: (Instant, u64),
}

/// Who can reach a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// This computer.
    Loopback,
    /// Whoever reaches this computer.
    Network,
}

impl Scope {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Scope::Loopback => "loopback",
            Scope::Network => "network",
        }
    }
}

/// Numbers for those who look after the server.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) connections: AtomicU64,
    pub(crate) commands: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) unread: AtomicU64,
    pub(crate) lateness: Lateness,
    next_connection: AtomicU64,
}

/// A game that runs.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) inputs: mpsc::Sender<Input>,
    pub(crate) over: Arc<AtomicBool>,
    creator: GuestId,
}

impl Hub {
    /// A hub without games yet.
    pub(crate) fn new(
        store: Store,
        limits: Limits,
        scope: Scope,
        stop: watch::Receiver<bool>,
    ) -> Hub {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // The computer's clock may have been put back; what is kept never lies in the future.
        let unix = (unix.as_millis() as u64).max(store.last_alive());
        Hub {
            sockets: Crowd::new(limits.connections, limits.connections_per_address),
            desk: Desk::new(&limits),
            lobby: Arc::default(),
            ended: Notify::new(),
            store,
            limits,
            counts: Counts::default(),
            stop,
            scope,
            games: tokio::sync::Mutex::default(),
            reviving: tokio::sync::Mutex::default(),
            forgotten: Mutex::default(),
            started: (Instant::now(), unix),
        }
    }

    /// Milliseconds since 1970; while the server runs they never jump.
    pub(crate) fn now(&self) -> u64 {
        self.started.1 + self.started.0.elapsed().as_millis() as u64
    }

    /// The instant of a time that [`Hub::now`] gives.
    pub(crate) fn instant(&self, time: u64) -> tokio::time::Instant {
        let since = Duration::from_millis(time.saturating_sub(self.started.1));
        tokio::time::Instant::from_std(self.started.0 + since)
    }

    /// Waits until the server goes down.
    pub(crate) async fn stopped(&self) {
        // An error means that nobody is left to stop it, which is the end as well.
        let _ = self.stop.clone().wait_for(|stop| *stop).await;
    }

    /// Brings back the games whose clocks were running when the server went down, and starts the one
    /// that the landing page shows. All other games come back when somebody looks at them.
    pub(crate) async fn wake(self: &Arc<Hub>) {
        match self.store.timed().await {
            Ok(games) => {
                let mut count = 0;
                for kept in games {
                    let id = kept.id.clone();
                    match self.revive(kept).await {
                        Ok(handle) => {
                            self.games.lock().await.insert(id, handle);
                            count += 1;
                        }
                        Err(error) => tracing::error!(game = id, error, "a game cannot come back"),
                    }
                }
                if count > 0 {
                    tracing::info!(count, "games with clocks are back");
                }
            }
            Err(error) => tracing::error!(%error, "the games with clocks cannot be read"),
        }
        if let Some(setup) = show() {
            match Room::new(LIVE.to_owned(), setup) {
                Ok(room) => {
                    let handle = Play::show(self, room);
                    self.games.lock().await.insert(LIVE.to_owned(), handle);
                }
                Err(error) => tracing::error!(error, "there is no live game"),
            }
        }
    }

    /// A game as it was kept, playing on. A clock that ran stood still while the server was away; so
    /// did time that ran, and it stands still until a player is back.
    async fn revive(self: &Arc<Hub>, kept: Kept) -> Result<Handle, String> {
        let Kept { id, creator, setup, .. } = kept.clone();
        let mut room = AnyRoom::new(id.clone(), setup.clone())?;
        let alive = self.store.last_alive();
        let mut count = kept.entries.len() as u64;
        if let Some(entry) = room.revive(&kept, alive, self.now())? {
            let entries = vec![(count, entry)];
            let record = Record { id, creator, setup, over: room.is_over(), entries };
            self.store.put(record).await.map_err(|error| error.to_string())?;
            count += 1;
        }
        Ok(room.play(self, creator, count, true))
    }

    /// A new game.
    ///
    /// # Errors
    /// If there are too many.
    pub(crate) async fn open(
        self: &Arc<Hub>,
        id: String,
        setup: Setup,
        creator: GuestId,
    ) -> Result<String, String> {
        {
            let games = self.games.lock().await;
            self.check_room(&games)?;
            let running = |handle: &&Handle| !handle.over.load(Ordering::Relaxed);
            let own = games.values().filter(|handle| handle.creator == creator);
            let most = self.limits.games_per_guest;
            if own.filter(running).count() >= most {
                return Err(format!("you have {most} unfinished games: finish or leave one first"));
            }
        }
        let room = AnyRoom::new(id.clone(), setup.clone())?;
        let record = Record { id: id.clone(), creator, setup, over: false, entries: Vec::new() };
        let kept = self.store.put(record).await;
        if let Err(error) = &kept {
            tracing::error!(%error, game = id, "a new game cannot be kept");
        }
        let handle = room.play(self, creator, 0, kept.is_ok());
        self.games.lock().await.insert(id.clone(), handle);
        Ok(id)
    }

    fn check_room(&self, games: &HashMap<String, Handle>) -> Result<(), String> {
        if games.len() >= self.limits.games {
            return Err("the server has as many games as it can take: try again later".to_owned());
        }
        Ok(())
    }

    /// Sends something to a game, which is read from the store if it is not running.
    ///
    /// # Errors
    /// If there is no such game, or it is too busy; in words for the guest.
    pub(crate) async fn send(self: &Arc<Hub>, id: &str, input: Input) -> Result<Handle, String> {
        let missing = || format!("there is no game '{}'", shown(id));
        if id != LIVE && !is_game_id(id) {
            return Err(missing());
        }
        // Games end under this lock too, so none ends with the input in its queue.
        let mut games = self.games.lock().await;
        if !is_running(&games, id) {
            drop(games);
            // Two may come at once: one of them brings the game back.
            let _reviving = self.reviving.lock().await;
            games = self.games.lock().await;
            if !is_running(&games, id) {
                self.check_room(&games)?;
                drop(games);
                let kept = match self.store.game(id.to_owned()).await {
                    Ok(kept) => kept.ok_or_else(missing)?,
                    Err(error) => {
                        tracing::error!(%error, game = id, "a game cannot be read");
                        return Err("the game cannot be read from the database".to_owned());
                    }
                };
                let handle = self.revive(kept).await?;
                games = self.games.lock().await;
                games.insert(id.to_owned(), handle);
            }
        }
        let handle = games.get(id).cloned().ok_or_else(missing)?;
        let busy = |_| "the game is too busy: try again".to_owned();
        handle.inputs.try_send(input).map_err(busy)?;
        Ok(handle)
    }

    /// Forgets a game that nobody looks at, unless somebody has just come.
    pub(crate) async fn retire(&self, id: &str, inputs: &mpsc::Receiver<Input>) -> bool {
        let mut games = self.games.lock().await;
        if inputs.is_empty() {
            games.remove(id);
        }
        inputs.is_empty()
    }

    /// The guest with a secret, who may be new.
    pub(crate) async fn guest(&self, secret: [u8; 32]) -> Guest {
        if let Some(guest) = lock(&self.forgotten).get(&secret) {
            return guest.clone();
        }
        let stranger = Guest::stranger();
        match self.store.guest(secret, stranger.clone()).await {
            Ok(guest) => guest,
            Err(error) => {
                tracing::error!(%error, "a guest cannot be kept");
                lock(&self.forgotten).entry(secret).or_insert(stranger).clone()
            }
        }
    }

    /// Keeps a guest's new name, in memory if it must be.
    pub(crate) async fn rename(&self, secret: [u8; 32], guest: &Guest) {
        if let Some(forgotten) = lock(&self.forgotten).get_mut(&secret) {
            forgotten.name.clone_from(&guest.name);
            return;
        }
        if let Err(error) = self.store.rename(secret, guest.name.clone()).await {
            tracing::error!(%error, "a name cannot be kept");
            lock(&self.forgotten).insert(secret, guest.clone());
        }
    }

    /// Lets a connection in.
    ///
    /// # Errors
    /// If there are too many, in words for the guest.
    pub(crate) fn admit(self: &Arc<Hub>, address: IpAddr) -> Result<Admission, String> {
        let inside = self.sockets.enter(address).map_err(|full| match full {
            Full::All => "the server has as many connections as it can take".to_owned(),
            Full::Own => "there are too many connections from your address".to_owned(),
        })?;
        self.counts.connections.fetch_add(1, Ordering::Relaxed);
        let number = self.counts.next_connection.fetch_add(1, Ordering::Relaxed);
        Ok(Admission { hub: self.clone(), _inside: inside, number })
    }

    /// Counts in Prometheus' text form.
    pub(crate) async fn metrics(&self) -> String {
        let games = self.games.lock().await;
        let over = games.values().filter(|handle| handle.over.load(Ordering::Relaxed)).count();
        let running = games.len() - over;
        let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
        let Counts { connections, commands, refused, unread, .. } = &self.counts;
        let rows = [
            ("games", "gauge", "Games that are not over.", running as u64),
            ("games_loaded", "gauge", "Games in memory.", games.len() as u64),
            ("connections", "gauge", "Open sockets.", count(connections)),
            (
                "thoughts",
                "gauge",
                "Studied positions that wait for thought, or have it.",
                self.desk.thoughts(),
            ),
            ("commands_total", "counter", "Commands received.", count(commands)),
            ("commands_refused_total", "counter", "Commands refused.", count(refused)),
            ("messages_unread_total", "counter", "Messages that are no commands.", count(unread)),
        ];
        let row = |(name, kind, help, value): &(&str, &str, &str, u64)| {
            format!(
                "# HELP fourfold_{name} {help}\n# TYPE fourfold_{name} {kind}\nfourfold_{name} {value}\n"
            )
        };
        rows.iter().map(row).collect::<String>() + &self.counts.lateness.metrics()
    }
}

/// A room of either kind.
enum AnyRoom {
    Turns(Box<Room>),
    RealTime(Box<realtime::Room>),
}

impl AnyRoom {
    fn new(id: String, setup: Setup) -> Result<AnyRoom, String> {
        match realtime::find(&setup.game) {
            Some(_) => realtime::Room::new(id, setup).map(|room| AnyRoom::RealTime(Box::new(room))),
            None => Room::new(id, setup).map(|room| AnyRoom::Turns(Box::new(room))),
        }
    }

    fn is_over(&self) -> bool {
        match self {
            AnyRoom::Turns(room) => room.is_over(),
            AnyRoom::RealTime(room) => room.is_over(),
        }
    }

    /// Does again what was kept. If time ran when the server was last known to run, comes back with
    /// an entry that says so.
    fn revive(&mut self, kept: &Kept, alive: u64, now: u64) -> Result<Option<String>, String> {
        match self {
            AnyRoom::Turns(room) => {
                let entries: Vec<Entry> = kept.entries()?;
                for entry in &entries {
                    room.act(entry)?;
                }
                if room.deadline().is_none() {
                    return Ok(None);
                }
                let stopped = alive.max(entries.last().map_or(0, |entry| entry.at));
                let entry = Entry { at: now.max(stopped), act: Act::Resume { stopped } };
                room.act(&entry)?;
                Ok(Some(to_text(&entry)))
            }
            AnyRoom::RealTime(room) => {
                for entry in kept.entries::<realtime::Entry>()? {
                    room.act(&entry)?;
                }
                let Some(tick) = room.stopped_at(alive) else { return Ok(None) };
                let entry = realtime::Entry { at: now, act: realtime::Act::Stop { tick } };
                room.act(&entry)?;
                Ok(Some(to_text(&entry)))
            }
        }
    }

    /// Starts its task.
    fn play(self, hub: &Arc<Hub>, creator: GuestId, count: u64, known: bool) -> Handle {
        match self {
            AnyRoom::Turns(room) => Play::resume(hub, *room, creator, count, known),
            AnyRoom::RealTime(room) => realtime::Play::resume(hub, *room, creator, count, known),
        }
    }
}

/// A connection that was let in; dropped when it ends.
pub(crate) struct Admission {
    hub: Arc<Hub>,
    _inside: Inside,
    pub(crate) number: u64,
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.hub.counts.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Handle {
    pub(crate) fn new(
        inputs: mpsc::Sender<Input>,
        over: Arc<AtomicBool>,
        creator: GuestId,
    ) -> Handle {
        Handle { inputs, over, creator }
    }

    pub(crate) fn queue() -> (mpsc::Sender<Input>, mpsc::Receiver<Input>) {
        mpsc::channel(QUEUE)
    }
}

/// Whether a game's task is there; one that broke down is not.
fn is_running(games: &HashMap<String, Handle>, id: &str) -> bool {
    games.get(id).is_some_and(|handle| !handle.inputs.is_closed())
}

/// What the landing page shows: the first game, with its best bots.
fn show() -> Option<Setup> {
    let game = fourfold_table::GAMES.first()?;
    let level = fourfold_bots::levels(game.id).last()?;
    let player = Player::bot(game.id, level.id).ok()?;
    let players = vec![player; game.seats.len()];
    Some(Setup { game: game.id.to_owned(), clock: None, rules: None, players, listed: false })
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // The maps behind these locks are whole after every statement.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
