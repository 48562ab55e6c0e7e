//! A WebSocket connection: reads a page's commands and sends it updates.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use fourfold_table::quote_short;
use serde_json::json;
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, interval, timeout};

use crate::guest::{Guest, checked_name};
use crate::hub::{Admission, Handle, Hub};
use crate::limits::TokenBucket;
use crate::lobby::Subscription;
use crate::metrics::Excess;
use crate::network::Signal;
use crate::protocol::{self, Command, Object};
use crate::rating::Pool;
use crate::seating::Setup;
use crate::viewer::{Input, Output, Request, Viewer};

/// The largest message that a page may send, in bytes.
const LARGEST_MESSAGE: usize = 4096;
/// The maximum number of messages queued for a connection.
const QUEUE: usize = 256;
/// How long a page may take to accept a message.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a page is pinged, and how long it may stay silent before it is dropped.
const PING: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(65);
/// How long a page has to read why the server closes the connection.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Serves a page until it leaves, breaks a limit, or the server shuts down.
pub(crate) async fn serve(
    socket: WebSocket,
    hub: Arc<Hub>,
    secret: [u8; 32],
    admission: Admission,
    closed: Signal,
    here: bool,
) {
    let (out, queue) = mpsc::channel(QUEUE);
    let guest = hub.guest(secret).await;
    let bucket = TokenBucket::new(hub.limits.messages_per_second, Instant::now());
    let slow = Arc::new(Notify::new());
    let (watch, watched, lobby) = (0, None, None);
    let mut page =
        Page { hub, guest, secret, admission, here, out, slow, watch, watched, lobby, bucket };
    page.serve(socket, queue, closed).await;
    page.leave().await;
}

struct Page {
    hub: Arc<Hub>,
    guest: Guest,
    secret: [u8; 32],
    admission: Admission,
    /// Whether the page is on the computer that runs the server.
    here: bool,
    out: mpsc::Sender<Output>,
    slow: Arc<Notify>,
    /// Counts the games that the page has watched; updates of earlier ones are dropped.
    watch: u64,
    watched: Option<Handle>,
    /// The lobby subscription, if any.
    lobby: Option<Subscription>,
    bucket: TokenBucket,
}

impl Page {
    /// Serves the page until it leaves, or until its listener closes.
    async fn serve(
        &mut self,
        mut socket: WebSocket,
        mut queue: mpsc::Receiver<Output>,
        closed: Signal,
    ) {
        let here = self.here;
        let mut network = self.hub.network.changes();
        let hello = protocol::hello(&self.guest.name);
        for first in [hello, self.hub.network.message(here)] {
            if !send(&mut socket, first).await {
                return;
            }
        }
        let mut storage_error = self.hub.store.storage_error();
        // Only report a storage error to new pages if there is any.
        storage_error.mark_unchanged();
        if storage_error.borrow().is_some() {
            storage_error.mark_changed();
        }
        let (hub, slow) = (self.hub.clone(), self.slow.clone());
        let (mut stopped, mut closed) = (pin!(hub.stopped()), pin!(closed.wait()));
        let mut ping = interval(PING);
        let mut last_received = Instant::now();
        loop {
            let text = tokio::select! {
                biased;
                () = &mut stopped => {
                    return close(socket, "the server is shutting down", true).await;
                }
                () = &mut closed => {
                    return close(socket, "the server is no longer open to the network", true).await;
                }
                () = slow.notified() => {
                    hub.metrics.note_excess(Excess::SLOW);
                    return close(socket, "your connection is too slow", true).await;
                }
                // The store lives as long as the hub.
                _ = storage_error.changed() => {
                    hub.metrics.sent.inc();
                    Some(protocol::notice(*storage_error.borrow_and_update()))
                }
                // The network lives as long as the hub, too.
                _ = network.changed() => {
                    hub.metrics.sent.inc();
                    Some(hub.network.message(here))
                }
                output = queue.recv() => {
                    let text = match output {
                        Some(Output::Answer(text)) => text,
                        Some(Output::News { watch, text }) if watch == self.watch => text,
                        Some(Output::News { .. }) => continue,
                        None => return,
                    };
                    hub.metrics.sent.inc();
                    Some(text)
                }
                () = async {
                    match &mut self.lobby {
                        Some(lobby) => lobby.changed().await,
                        None => pending().await,
                    }
                } => Some(self.hub.lobby.message_for(self.guest.id)),
                message = socket.recv() => {
                    last_received = Instant::now();
                    match message {
                        Some(Ok(Message::Close(_))) | None => return,
                        Some(Err(_)) => {
                            return close(socket, "the message could not be read", true).await;
                        }
                        Some(Ok(message)) => self.on_message(message).await.inspect(|_| {
                            hub.metrics.sent.inc();
                        }),
                    }
                }
                _ = ping.tick() => {
                    let ping = socket.send(Message::Ping(Vec::new().into()));
                    if last_received.elapsed() > SILENCE || !matches!(timeout(PATIENCE, ping).await, Ok(Ok(()))) {
                        return;
                    }
                    None
                }
            };
            if let Some(text) = text
                && !send(&mut socket, text).await
            {
                return;
            }
            if self.bucket.is_overdrawn() {
                return close(socket, "too many messages", false).await;
            }
        }
    }

    /// Handles a message and returns the immediate answer, if any.
    async fn on_message(&mut self, message: Message) -> Option<String> {
        self.hub.metrics.messages.inc();
        let allowed = self.bucket.spend(Instant::now());
        let text = match &message {
            Message::Text(text) if text.len() <= LARGEST_MESSAGE => text,
            Message::Text(_) => {
                self.hub.metrics.note_excess(Excess::SIZE);
                let why = format!("a message has at most {LARGEST_MESSAGE} bytes");
                return Some(self.unread(None, &why));
            }
            Message::Binary(_) => {
                return Some(self.unread(None, "expected a text message, got binary"));
            }
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => return None,
        };
        if !allowed {
            self.hub.metrics.note_excess(Excess::MESSAGES);
            let number = protocol::number_of(text);
            return Some(self.refuse(number, "too many messages: wait a moment"));
        }
        let (number, command) = match protocol::read(text) {
            Ok(read) => read,
            Err((number, why)) => return Some(self.unread(number, &why)),
        };
        self.hub.metrics.commands.inc();
        match self.run_command(number, command).await {
            Ok(answer) => answer.map(|with| protocol::ok(number, with)),
            Err(why) => Some(self.refuse(Some(number), &why)),
        }
    }

    fn refuse(&self, number: Option<u64>, why: &str) -> String {
        self.hub.metrics.refused.inc();
        protocol::no(number, why, None)
    }

    fn unread(&self, number: Option<u64>, why: &str) -> String {
        self.hub.metrics.unread.inc();
        protocol::no(number, why, None)
    }

    /// Runs a command and returns the keys of its answer. `None` means that the game will answer.
    async fn run_command(
        &mut self,
        number: u64,
        mut command: Command,
    ) -> Result<Option<Object>, String> {
        match &mut command {
            Command::Create { game, opponent, seat, clock, rules, listed, casual, start } => {
                self.guest = self.hub.keep_guest(self.secret).await;
                let from = Some(self.admission.address);
                let setup = Setup::requested(&self.guest, game, opponent, *seat, *clock, rules)?;
                let setup = Setup { listed: *listed, casual: *casual, ..setup };
                let setup = setup.starting_at(start.take())?;
                let id = self.hub.open(setup, self.guest.id, from).await?;
                return Ok(Some(protocol::object(&json!({ "game": id }))));
            }
            Command::Watch { game } => {
                self.watch(number, game).await?;
                return Ok(None);
            }
            Command::Lobby { listen } => {
                self.lobby = listen.then(|| self.hub.lobby.subscribe());
                return Ok(Some(Object::new()));
            }
            Command::Network { open } => {
                self.hub.network.switch(*open, self.here).await?;
                return Ok(Some(Object::new()));
            }
            Command::History { before } => {
                let history = self.hub.store.history(self.guest.id, before.take()).await;
                return history.map(Some).map_err(unread);
            }
            Command::Ladder { pool } => {
                let known = Pool::named(pool);
                let known = known
                    .ok_or_else(|| format!("there is no rating pool '{}'", quote_short(pool)))?;
                let name = known.name.clone();
                let players = self.hub.store.ladder(known).await.map_err(unread)?;
                let ladder = json!({"name": name, "players": players});
                return Ok(Some(protocol::object(&ladder)));
            }
            Command::Leave => {
                self.leave().await;
                return Ok(Some(Object::new()));
            }
            Command::Name { name } => {
                *name = checked_name(name)?;
                self.guest.name.clone_from(name);
                self.hub.rename(self.secret, &self.guest).await;
                if self.watched.is_none() {
                    return Ok(Some(Object::new()));
                }
            }
            // The guest may have changed the name on another page.
            Command::Sit { .. } => self.guest = self.hub.keep_guest(self.secret).await,
            _ => {}
        }
        let watched = self.watched.as_ref().ok_or("watch a game first")?;
        let (connection, address) = (self.admission.number, self.admission.address);
        let (guest, at) = (self.guest.clone(), self.hub.now());
        let request = Request { connection, guest, address, number, command, at };
        let busy = |_| "the game is too busy: try again".to_owned();
        watched.inputs.try_send(Input::Command(request)).map_err(busy)?;
        Ok(None)
    }

    async fn watch(&mut self, number: u64, game: &str) -> Result<(), String> {
        let viewer = Viewer {
            connection: self.admission.number,
            guest: self.guest.id,
            watch: self.watch + 1,
            out: self.out.clone(),
            slow: self.slow.clone(),
            seq: 0,
            last_sent: None,
        };
        let handle = self.hub.send(game, Input::Join { viewer, number }).await?;
        self.watch += 1;
        let before = self.watched.replace(handle.clone());
        if let Some(before) = before
            && !before.inputs.same_channel(&handle.inputs)
        {
            self.send_leave(&before).await;
        }
        Ok(())
    }

    async fn leave(&mut self) {
        self.watch += 1;
        if let Some(watched) = self.watched.take() {
            self.send_leave(&watched).await;
        }
    }

    async fn send_leave(&self, game: &Handle) {
        // A game whose task has ended has no viewers to remove.
        let _ = game.inputs.send(Input::Leave { connection: self.admission.number }).await;
    }
}

/// Logs a database error and returns the message for the guest.
fn unread(error: rusqlite::Error) -> String {
    tracing::error!(%error, "cannot load the history");
    "the database cannot be read".to_owned()
}

/// Sends a text. Returns false if the page is gone or too slow.
async fn send(socket: &mut WebSocket, text: String) -> bool {
    matches!(timeout(PATIENCE, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

/// Sends the reason and closes the connection.
pub(crate) async fn close(mut socket: WebSocket, why: &'static str, retry: bool) {
    const GOING_AWAY: u16 = 1001;
    const POLICY: u16 = 1008;
    if send(&mut socket, protocol::bye(why, retry)).await {
        let code = if retry { GOING_AWAY } else { POLICY };
        let close = Message::Close(Some(CloseFrame { code, reason: why.into() }));
        let _ = timeout(PATIENCE, socket.send(close)).await;
        // Drain the input: closing a socket with unread data resets it, and the reason is lost.
        let _ =
            timeout(CLOSE_TIMEOUT, async { while let Some(Ok(_)) = socket.recv().await {} }).await;
    }
}
