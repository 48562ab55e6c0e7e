//! The hub: all games of a server, and what its connections share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use fourfold_table::{ensure, quote_short};
use tokio::sync::{MutexGuard, Notify, mpsc, oneshot};

use crate::Limits;
use crate::bot_pool::BotPool;
use crate::game::{GameRoom, GameTask, RunningGame};
use crate::guest::{Guest, GuestId, is_game_id, new_game_id};
use crate::journal::Journal;
use crate::limits::{ConnectionLimiter, Permit, TokenBuckets};
use crate::listen::Rejection;
use crate::lobby::Lobby;
use crate::metrics::{Excess, Metrics};
use crate::network::{Network, Signal};
use crate::realtime;
use crate::room::Room;
use crate::seating::{Player, Setup};
use crate::store::{Store, StoredGame};
use crate::study::AnalysisQueue;
use crate::viewer::Input;

/// The id of the game on the home page, in which bots play for the visitors.
pub(crate) const LIVE: &str = "live";

/// How fast a guest may send chat messages, apart from short bursts.
const CHAT_MESSAGES_PER_SECOND: u32 = 1;

/// The maximum number of guests remembered in memory while the disk fails.
const MAX_UNSAVED_GUESTS: usize = 10_000;

/// All games of a server, and what its connections share.
pub(crate) struct Hub {
    pub(crate) store: Store,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    /// The server shuts down.
    stop: Signal,
    pub(crate) network: Network,
    games: tokio::sync::Mutex<HashMap<String, Handle>>,
    loading: tokio::sync::Mutex<()>,
    sockets: Arc<ConnectionLimiter<IpAddr>>,
    /// The same sockets, counted by the hash of the guest's secret.
    guest_sockets: Arc<ConnectionLimiter<[u8; 32]>>,
    socket_rate: TokenBuckets<IpAddr>,
    game_rate: TokenBuckets<IpAddr>,
    pub(crate) chat_rate: TokenBuckets<GuestId>,
    pub(crate) analysis: AnalysisQueue,
    pub(crate) lobby: Arc<Lobby>,
    /// The threads of bots in turn-based games.
    pub(crate) bots: BotPool,
    /// The threads of bots in real-time games, which answer within milliseconds.
    pub(crate) realtime_bots: BotPool,
    /// Notified when a game is over and saved.
    pub(crate) ended: Notify,
    /// Guests that could not be saved, by the hash of their secret.
    unsaved_guests: Mutex<HashMap<[u8; 32], Guest>>,
    started: (Instant, u64),
}

/// A handle to a running game.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) inputs: mpsc::Sender<Input>,
    pub(crate) over: Arc<AtomicBool>,
    creator: GuestId,
    /// The id of the game type.
    game: &'static str,
    /// The address from which the game was created.
    address: Option<IpAddr>,
}

impl Hub {
    /// Creates a hub without games.
    pub(crate) fn new(store: Store, limits: Limits, network: Network, stop: Signal) -> Hub {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // The system clock may have been set back; stored times must not lie in the future.
        let unix = (unix.as_millis() as u64).max(store.last_alive());
        Hub {
            sockets: ConnectionLimiter::new(limits.connections, limits.connections_per_address),
            guest_sockets: ConnectionLimiter::new(usize::MAX, limits.connections_per_guest),
            socket_rate: TokenBuckets::new(limits.connections_per_second),
            game_rate: TokenBuckets::new(limits.games_per_second),
            chat_rate: TokenBuckets::new(CHAT_MESSAGES_PER_SECOND),
            analysis: AnalysisQueue::new(&limits),
            lobby: Arc::default(),
            bots: BotPool::new(limits.bot_threads),
            realtime_bots: BotPool::new(limits.bot_threads),
            ended: Notify::new(),
            store,
            limits,
            metrics: Metrics::default(),
            stop,
            network,
            games: tokio::sync::Mutex::default(),
            loading: tokio::sync::Mutex::default(),
            unsaved_guests: Mutex::default(),
            started: (Instant::now(), unix),
        }
    }

    /// Milliseconds since 1970. Monotonic while the server runs.
    pub(crate) fn now(&self) -> u64 {
        self.started.1 + self.started.0.elapsed().as_millis() as u64
    }

    /// Converts a time from [`Hub::now`] to an instant.
    pub(crate) fn instant(&self, time: u64) -> tokio::time::Instant {
        let since = Duration::from_millis(time.saturating_sub(self.started.1));
        tokio::time::Instant::from_std(self.started.0 + since)
    }

    /// Waits until the server shuts down.
    pub(crate) async fn stopped(&self) {
        self.stop.wait().await;
    }

    /// Starts the game of the home page. All other games are loaded when they are opened, or before
    /// their clocks run out.
    pub(crate) async fn start_live_game(self: &Arc<Hub>) {
        let Some(setup) = live_setup() else { return };
        match Room::new(LIVE.to_owned(), setup.clone()) {
            Ok(room) => {
                let journal = Journal::unstored(LIVE.to_owned(), setup);
                let handle = Handle { game: "live", ..RunningGame::start(self, room, journal) };
                self.games.lock().await.insert(LIVE.to_owned(), handle);
            }
            Err(error) => tracing::error!(error, "cannot create the live game"),
        }
    }

    /// Restores a game, or creates a new one, and starts its task. Clocks do not run while the server
    /// is down. A real-time game stays paused until one
    /// of its players returns.
    async fn start_game(
        self: &Arc<Hub>,
        game: StoredGame,
        source: Source,
    ) -> Result<Handle, String> {
        match realtime::find(&game.setup.game) {
            Some(_) => self.start_room::<realtime::Room>(game, source).await,
            None => self.start_room::<Room>(game, source).await,
        }
    }

    async fn start_room<R: GameRoom>(
        self: &Arc<Hub>,
        game: StoredGame,
        source: Source,
    ) -> Result<Handle, String>
    where
        RunningGame<R>: GameTask,
    {
        let (mut room, latest) = R::restore(&game)?;
        let now = self.now();
        let entries = room.pause(&game.downtimes, latest, now);
        let mut journal = match source {
            Source::Guest { address_hash } => {
                Journal::new(game, false).with_address_hash(address_hash)
            }
            Source::Store => Journal::new(game, true),
        };
        for entry in entries {
            room.apply(&entry)?;
            journal.push(&entry);
        }
        if source == Source::Store && journal.is_whole() {
            // What the database has may be a guess: see `FORMAT_4`.
            let known = self.store.set_deadline(room.seats().id.clone(), room.time_limit()).await;
            if let Err(error) = known {
                tracing::debug!(%error, "cannot save when a clock runs out");
            }
        }
        journal.save(self, room.progress(now)).await;
        Ok(RunningGame::start(self, room, journal))
    }

    /// Creates a game and returns its id.
    ///
    /// # Errors
    /// Returns a message for the guest if there are too many games, or if the setup is invalid.
    pub(crate) async fn open(
        self: &Arc<Hub>,
        setup: Setup,
        creator: GuestId,
        address: Option<IpAddr>,
    ) -> Result<String, String> {
        if let Some(address) = address
            && !self.game_rate.spend(address, Instant::now().into())
        {
            self.metrics.note_excess(Excess::RATE);
            return Err("too many games created from your address: wait a moment".to_owned());
        }
        let address_hash = match address {
            Some(address) => self.store.address_hash(address).await.ok(),
            None => None,
        };
        self.check_game_limits(creator, address, address_hash).await?;
        let id = new_game_id();
        let game = StoredGame::new(id.clone(), creator, setup);
        let handle =
            Handle { address, ..self.start_game(game, Source::Guest { address_hash }).await? };
        tracing::info!(game = id, kind = handle.game, "game created");
        self.games.lock().await.insert(id.clone(), handle);
        Ok(id)
    }

    /// Checks that the guest and the address may create another game. Stored games count, and so do
    /// those in memory, which cannot be stored while the disk fails.
    async fn check_game_limits(
        &self,
        creator: GuestId,
        address: Option<IpAddr>,
        address_hash: Option<i64>,
    ) -> Result<(), String> {
        let stored = self.store.unfinished(creator, address_hash).await;
        let stored = stored.inspect_err(|error| tracing::debug!(%error, "cannot count games"));
        let (own, near) = stored.unwrap_or_default();
        let games = self.games.lock().await;
        self.check_capacity(&games)?;
        let running = || games.values().filter(|handle| !handle.over.load(Ordering::Relaxed));
        let loaded = running().filter(|handle| handle.creator == creator).count();
        let most = self.limits.games_per_guest;
        if own.max(loaded) >= most {
            self.metrics.note_excess(Excess::GUEST_GAMES);
            return Err(format!("you have {most} unfinished games: finish or leave one first"));
        }
        let of_address = |handle: &&Handle| address.is_some() && handle.address == address;
        let loaded = running().filter(of_address).count();
        let most = self.limits.games_per_address;
        if near.max(loaded) >= most {
            self.metrics.note_excess(Excess::ADDRESS_GAMES);
            return Err(format!("{most} games from your address are unfinished: finish one first"));
        }
        Ok(())
    }

    fn check_capacity(&self, games: &HashMap<String, Handle>) -> Result<(), String> {
        if games.len() >= self.limits.games {
            self.metrics.note_excess(Excess::GAMES);
            return Err("the server has too many games: try again later".to_owned());
        }
        Ok(())
    }

    /// Loads a game from the store if it is not in memory.
    ///
    /// # Errors
    /// Returns a message for the guest if there is no such game, or if it cannot be loaded.
    async fn load(
        self: &Arc<Hub>,
        id: &str,
    ) -> Result<MutexGuard<'_, HashMap<String, Handle>>, String> {
        let games = self.games.lock().await;
        if is_running(&games, id) {
            return Ok(games);
        }
        drop(games);
        // Of two tasks that get here at once, only one loads the game.
        let _loading = self.loading.lock().await;
        let games = self.games.lock().await;
        if is_running(&games, id) {
            return Ok(games);
        }
        self.check_capacity(&games)?;
        drop(games);
        let stored = self.store.game(id.to_owned()).await.map_err(|error| {
            tracing::error!(%error, game = id, "cannot load a game");
            "the game cannot be read from the database"
        })?;
        let stored = stored.ok_or_else(|| missing(id))?;
        let handle = self.start_game(stored, Source::Store).await?;
        let mut games = self.games.lock().await;
        games.insert(id.to_owned(), handle);
        Ok(games)
    }

    /// Loads a game whose clock is about to run out.
    pub(crate) async fn wake(self: &Arc<Hub>, id: &str) -> Result<(), String> {
        self.load(id).await.map(drop)
    }

    /// Whether no more games can be loaded.
    pub(crate) async fn is_full(&self) -> bool {
        self.games.lock().await.len() >= self.limits.games
    }

    /// Whether there is a game with this id. If the disk fails, there may be.
    pub(crate) async fn has_game(&self, id: &str) -> bool {
        id == LIVE
            || (is_game_id(id)
                && (self.is_loaded(id).await
                    || self.store.has_game(id.to_owned()).await.unwrap_or(true)))
    }

    /// Whether a game is in memory.
    pub(crate) async fn is_loaded(&self, id: &str) -> bool {
        is_running(&*self.games.lock().await, id)
    }

    /// Deletes those of the games that are not in memory.
    pub(crate) async fn delete(&self, mut ids: Vec<String>) -> rusqlite::Result<usize> {
        // No game is loaded meanwhile.
        let _loading = self.loading.lock().await;
        let games = self.games.lock().await;
        ids.retain(|id| !games.contains_key(id));
        drop(games);
        let count = ids.len();
        if count > 0 {
            self.store.delete(ids).await?;
        }
        Ok(count)
    }

    /// Sends an input to a game, which is loaded from the store if it is not in memory.
    ///
    /// # Errors
    /// Returns a message for the guest if there is no such game, or if its queue is full.
    pub(crate) async fn send(self: &Arc<Hub>, id: &str, input: Input) -> Result<Handle, String> {
        ensure!(id == LIVE || is_game_id(id), missing(id));
        // Games are unloaded under this lock too, so no input is queued for an unloaded game.
        let games = self.load(id).await?;
        let handle = games.get(id).cloned().ok_or_else(|| missing(id))?;
        let busy = |_| "the game is too busy: try again".to_owned();
        handle.inputs.try_send(input).map_err(busy)?;
        Ok(handle)
    }

    /// Asks a game for something, with an input that carries the answer's channel. Returns `None`
    /// if the server is shutting down.
    ///
    /// # Errors
    /// Fails like [`Hub::send`].
    pub(crate) async fn ask<T>(
        self: &Arc<Hub>,
        id: &str,
        input: fn(oneshot::Sender<T>) -> Input,
    ) -> Result<Option<T>, String> {
        let (sender, answer) = oneshot::channel();
        self.send(id, input(sender)).await?;
        Ok(answer.await.ok())
    }

    /// Tells a game that its ratings have been settled, if it is in memory.
    pub(crate) async fn notify_settled(&self, id: &str) {
        if let Some(handle) = self.games.lock().await.get(id) {
            // If its queue is full, it shows the ratings the next time it is opened.
            let _ = handle.inputs.try_send(Input::Settled);
        }
    }

    /// Removes a game that nobody watches from memory, unless an input has just arrived. Returns
    /// whether it was removed.
    pub(crate) async fn unload(&self, id: &str, inputs: &mpsc::Receiver<Input>) -> bool {
        let mut games = self.games.lock().await;
        if inputs.is_empty() {
            games.remove(id);
        }
        inputs.is_empty()
    }

    /// Returns the guest with this secret, who may be new.
    pub(crate) async fn guest(&self, secret: [u8; 32]) -> Guest {
        if let Some(guest) = lock(&self.unsaved_guests).get(&secret) {
            return guest.clone();
        }
        let guest = self.store.guest(secret).await;
        let guest = guest.inspect_err(|error| tracing::debug!(%error, "cannot load a guest"));
        guest.ok().flatten().unwrap_or_else(|| Guest::unknown(secret))
    }

    /// Like [`Hub::guest`], for a guest who is about to take a seat: saves the guest.
    pub(crate) async fn keep_guest(&self, secret: [u8; 32]) -> Guest {
        let guest = self.guest(secret).await;
        self.rename(secret, &guest).await;
        guest
    }

    /// Saves a guest's name, in memory if the disk fails.
    pub(crate) async fn rename(&self, secret: [u8; 32], guest: &Guest) {
        match self.store.put_guest(secret, guest.clone()).await {
            Ok(()) => drop(lock(&self.unsaved_guests).remove(&secret)),
            Err(error) => {
                tracing::debug!(%error, "cannot save a guest");
                let mut unsaved_guests = lock(&self.unsaved_guests);
                if unsaved_guests.len() < MAX_UNSAVED_GUESTS || unsaved_guests.contains_key(&secret)
                {
                    unsaved_guests.insert(secret, guest.clone());
                }
            }
        }
    }

    /// Admits a WebSocket.
    ///
    /// # Errors
    /// Fails if there are too many.
    pub(crate) fn admit(
        self: &Arc<Hub>,
        address: IpAddr,
        secret: [u8; 32],
    ) -> Result<Admission, Rejection> {
        let permits = || {
            if !self.socket_rate.spend(address, Instant::now().into()) {
                let why = "too many new connections: wait a moment";
                return Err(Rejection::of_client(Excess::RATE, why));
            }
            let permit = self.sockets.acquire(address)?;
            let why = "you have too many pages open: close one";
            let page = self.guest_sockets.acquire(secret);
            let page = page.map_err(|_| Rejection::of_client(Excess::GUEST_CONNECTIONS, why))?;
            Ok((permit, page))
        };
        let permits = permits().inspect_err(|Rejection { excess, .. }| {
            self.metrics.note_excess(*excess);
            tracing::debug!(%address, ?excess, "socket refused");
        })?;
        self.metrics.connections.inc();
        let number = self.metrics.next_connection.fetch_add(1, Ordering::Relaxed);
        Ok(Admission { hub: self.clone(), _permits: permits, address, number })
    }

    /// Returns the metrics in Prometheus' text format.
    pub(crate) async fn metrics_text(&self) -> String {
        let metrics = &self.metrics;
        let games = self.games.lock().await;
        metrics.loaded.set(games.len() as i64);
        let mut running: HashMap<&'static str, i64> = kinds().map(|kind| (kind, 0)).collect();
        for handle in games.values().filter(|handle| !handle.over.load(Ordering::Relaxed)) {
            *running.entry(handle.game).or_default() += 1;
        }
        drop(games);
        for (game, count) in running {
            metrics.games.get_or_create(&[("game", game)]).set(count);
        }
        metrics.jobs.set(self.analysis.jobs() as i64);
        let waiting = self.bots.waiting() + self.realtime_bots.waiting();
        metrics.bots.set(waiting as i64);
        let stored = self.store.is_on_disk() && self.store.storage_error().borrow().is_none();
        metrics.stored.set(i64::from(stored));
        metrics.store_errors.inc_by(self.store.errors().saturating_sub(metrics.store_errors.get()));
        metrics.uptime.set(self.started.0.elapsed().as_secs() as i64);
        metrics.text()
    }
}

/// Returns the ids of all game types.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    let turns = fourfold_table::GAMES.iter().map(|game| game.id);
    turns.chain(realtime::KINDS.iter().map(|kind| kind.id))
}

/// A WebSocket that was admitted. Dropped when it closes.
pub(crate) struct Admission {
    hub: Arc<Hub>,
    _permits: (Permit<IpAddr>, Permit<[u8; 32]>),
    pub(crate) address: IpAddr,
    pub(crate) number: u64,
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.hub.metrics.connections.dec();
    }
}

impl Handle {
    pub(crate) fn new(
        inputs: mpsc::Sender<Input>,
        over: Arc<AtomicBool>,
        creator: GuestId,
        setup: &Setup,
    ) -> Handle {
        let game = kinds().find(|kind| *kind == setup.game).unwrap_or_default();
        Handle { inputs, over, creator, game, address: None }
    }
}

/// The message for a guest who asks for a game that does not exist.
fn missing(id: &str) -> String {
    format!("there is no game '{}'", quote_short(id))
}

/// Where a game comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A guest has just created it, from the address with this hash: see `Store::address_hash`.
    Guest { address_hash: Option<i64> },
    /// It was loaded.
    Store,
}

/// Whether a game's task is running; one that has panicked is not.
fn is_running(games: &HashMap<String, Handle>, id: &str) -> bool {
    games.get(id).is_some_and(|handle| !handle.inputs.is_closed())
}

/// Returns the setup of the landing page's game: the first game, played by its strongest bots.
fn live_setup() -> Option<Setup> {
    let game = fourfold_table::GAMES.first()?;
    let level = fourfold_bots::levels(game.id).last()?;
    let player = Player::bot(game.id, level.id).ok()?;
    let players = vec![player; game.seats.len()];
    Some(Setup {
        game: game.id.to_owned(),
        clock: None,
        rules: None,
        players,
        listed: false,
        casual: false,
        start: None,
    })
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // The data behind these locks is consistent after every statement, so poisoning can be ignored.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
