//! The task of a real-time game: advances time, answers commands and updates everybody.
//!
//! It sleeps until the next tick on which something happens, or until the next command. Ticks
//! are timed from when time started to run, not from the previous tick, so lateness does not add up
//! and no tick is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fourfold_bots::kung_fu::{Fighter, LEVELS};
use fourfold_kung_fu::{Game, TICKS_PER_SECOND};
use fourfold_table::Seat;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use super::room::{Act, Entry, Room};
use super::view;
use crate::guest::GuestId;
use crate::hub::{Handle, Hub};
use crate::journal::Journal;
use crate::lobby::Sign;
use crate::play::far;
use crate::protocol;
use crate::rating;
use crate::viewer::{Course, Input, Output, Viewer};

mod command;

/// A running real-time game.
pub(crate) struct Play {
    hub: Arc<Hub>,
    room: Room,
    viewers: Vec<Viewer>,
    sign: Sign,
    over: Arc<AtomicBool>,
    /// The task's own queue.
    inputs: mpsc::WeakSender<Input>,
    /// What was sent last: the pieces, and the rest of the public state.
    told: Game,
    told_talk: Map<String, Value>,
    /// Whether the rest of the public state may have changed since, or only what one guest sees.
    news: bool,
    wishes: bool,
    bots: Vec<(u8, Fighter)>,
    /// Resignations and draws, which take effect at the end of the current tick, after its orders.
    closing: Vec<Closing>,
    /// Connections and command numbers of those who ended the game, answered once the end is saved.
    last_words: Vec<(u64, u64)>,
    /// For each seat, the latest premove that was refused when it came due.
    missed: Vec<Value>,
    ledger: Journal,
    saving: Option<JoinHandle<(usize, rusqlite::Result<()>)>>,
    /// When to retry a disk that failed.
    retry: Option<Instant>,
}

/// A resignation or an agreed draw that waits for the end of the tick.
struct Closing {
    act: Closed,
    connection: u64,
    number: u64,
}

enum Closed {
    Resign(u8),
    Draw(Vec<u8>),
}

/// Why the task wakes up.
enum Event {
    Input(Input),
    Tick,
    Saved(usize, rusqlite::Result<()>),
    Retry,
    Idle,
    Stop,
}

impl Play {
    /// Starts the task of a game whose journal says what is already saved.
    pub(crate) fn resume(hub: &Arc<Hub>, room: Room, ledger: Journal) -> Handle {
        let over = Arc::new(AtomicBool::new(room.is_over()));
        let (inputs, queue) = Handle::queue();
        let own = inputs.downgrade();
        let handle = Handle::new(inputs, over.clone(), ledger.creator());
        let play = Play {
            hub: hub.clone(),
            told: *room.game(),
            told_talk: Map::new(),
            missed: vec![Value::Null; room.party().players().len()],
            sign: Sign::new(&hub.lobby, room.id()),
            room,
            viewers: Vec::new(),
            over,
            inputs: own,
            news: true,
            wishes: false,
            bots: Vec::new(),
            closing: Vec::new(),
            last_words: Vec::new(),
            ledger,
            saving: None,
            retry: None,
        };
        play.look_up_ratings();
        tokio::spawn(play.run(queue));
        handle
    }

    async fn run(mut self, mut queue: mpsc::Receiver<Input>) {
        loop {
            match self.next(&mut queue).await {
                Event::Input(input) => {
                    self.catch_up();
                    self.keep_end().await;
                    self.take(input).await;
                }
                Event::Tick => self.catch_up(),
                Event::Saved(entries, result) => self.note_saved(entries, result),
                Event::Retry => self.retry = None,
                Event::Idle => {
                    if self.hub.retire(self.room.id(), &queue).await {
                        return;
                    }
                }
                Event::Stop => return self.stop().await,
            }
            self.save();
            self.keep_end().await;
            self.tell();
            for (connection, number) in std::mem::take(&mut self.last_words) {
                self.answer(connection, number, Ok(self.with_tick()));
            }
        }
    }

    async fn next(&mut self, queue: &mut mpsc::Receiver<Input>) -> Event {
        let tick = self.wake().map_or_else(far, |tick| self.time_of(tick));
        let idle = match self.may_rest() {
            // It is loaded from the store when somebody opens it again.
            true => Instant::now() + self.hub.limits.linger,
            false => far(),
        };
        let retry = self.retry;
        let hub = self.hub.clone();
        let saving = self.saving.is_some();
        tokio::select! {
            biased;
            () = hub.stopped() => Event::Stop,
            () = sleep_until(tick) => Event::Tick,
            input = queue.recv() => input.map_or(Event::Stop, Event::Input),
            saved = async {
                match &mut self.saving {
                    Some(saving) => saving.await.ok(),
                    None => None,
                }
            }, if saving => match saved {
                Some((entries, result)) => Event::Saved(entries, result),
                None => Event::Saved(0, Err(rusqlite::Error::InvalidQuery)),
            },
            () = sleep_until(retry.unwrap_or_else(far)), if retry.is_some() => Event::Retry,
            () = sleep_until(idle) => Event::Idle,
        }
    }

    /// Whether nothing would be lost if the game left memory.
    fn may_rest(&self) -> bool {
        self.viewers.is_empty() && self.ledger.is_whole() && self.room.pace.is_none()
    }

    // Time

    /// Returns when a tick is due.
    fn time_of(&self, tick: u64) -> Instant {
        let Some(pace) = self.room.pace else { return far() };
        let ticks = tick.saturating_sub(pace.tick);
        let nanos = (ticks * 1_000_000_000).div_ceil(u64::from(TICKS_PER_SECOND));
        self.hub.instant(pace.at) + Duration::from_nanos(nanos)
    }

    /// Returns the latest tick that is due.
    fn due(&self) -> u64 {
        let Some(pace) = self.room.pace else { return self.room.game().now() };
        let passed = Instant::now().saturating_duration_since(self.hub.instant(pace.at));
        pace.tick + (passed.as_nanos() * u128::from(TICKS_PER_SECOND) / 1_000_000_000) as u64
    }

    /// Returns the next tick on which there is something to do.
    fn wake(&self) -> Option<u64> {
        self.room.pace?;
        let game = self.room.game();
        let soon = game.now() + 1;
        match self.bots.is_empty() && self.closing.is_empty() {
            true => Some(game.next_event().max(soon)),
            false => Some(soon),
        }
    }

    /// Whether time is running; false during the countdown.
    fn is_running(&self) -> bool {
        self.room.pace.is_some_and(|pace| self.hub.now() >= pace.at)
    }

    /// Plays all ticks that are due.
    fn catch_up(&mut self) {
        let due = self.due();
        while self.room.pace.is_some() && self.room.game().now() < due {
            self.close_tick();
            let Some(wake) = self.wake() else { break };
            if wake <= due {
                let late = Instant::now().saturating_duration_since(self.time_of(wake));
                self.hub.counts.note_tick(late);
            }
            self.room.advance(wake.min(due));
            self.note_changes();
            self.try_premoves();
            self.ask_bots();
        }
    }

    /// Applies what waited for the end of the tick.
    fn close_tick(&mut self) {
        for Closing { act, connection, number } in std::mem::take(&mut self.closing) {
            let tick = self.room.game().now();
            let act = match act {
                Closed::Resign(player) => Act::Resign { tick, player },
                Closed::Draw(players) => Act::Draw { tick, players },
            };
            let result = self.happen(act);
            if result.is_ok() && self.room.is_over() {
                self.last_words.push((connection, number));
                continue;
            }
            self.tell();
            self.answer(connection, number, result.map(|()| self.with_tick()));
        }
    }

    fn try_premoves(&mut self) {
        for (id, premove) in self.room.due_premoves() {
            let (player, to) = (premove.player, premove.to);
            self.wishes = true;
            if let Err(why) = self.order(player, id, to) {
                let seat = fourfold_table::kung_fu::seat_of(self.room.rules(), player);
                let tick = self.room.game().now();
                if let Some(missed) = seat.and_then(|seat| self.missed.get_mut(seat.index())) {
                    *missed = json!({"piece": id.0, "tick": tick, "why": why});
                }
            }
        }
    }

    fn ask_bots(&mut self) {
        let mut bots = std::mem::take(&mut self.bots);
        for (player, bot) in &mut bots {
            if let Some(order) = bot.think(self.room.game(), *player) {
                let to = (i32::from(order.to.row()), i32::from(order.to.column()));
                if let Err(error) = self.order(*player, order.piece, to) {
                    tracing::error!(game = self.room.id(), error, "a bot's order was refused");
                }
            }
        }
        let alive = self.room.game().alive();
        let over = self.room.is_over();
        bots.retain(|(player, _)| !over && alive.contains(*player));
        self.bots = bots;
    }

    /// Lets time run from the current tick, after the countdown.
    fn go(&mut self) {
        let at = self.hub.now() + self.hub.limits.countdown.as_millis() as u64;
        let act = Act::Go { tick: self.room.game().now() };
        if let Err(error) = self.happen_at(at, act) {
            return tracing::error!(game = self.room.id(), error, "cannot start a game");
        }
        let seed = self.room.id().bytes().fold(self.room.game().now(), |seed, byte| {
            seed.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        let bots = self.room.living_bots().into_iter().map(|(player, level)| {
            let level = LEVELS.iter().position(|known| known.id == level).unwrap_or(0);
            (player, Fighter::new(seed.wrapping_add(u64::from(player)), level as u8))
        });
        self.bots = bots.collect();
    }

    // Events

    fn happen(&mut self, act: Act) -> Result<(), String> {
        self.happen_at(self.hub.now(), act)
    }

    /// Applies an event and appends it to the journal.
    fn happen_at(&mut self, at: u64, act: Act) -> Result<(), String> {
        let entry = Entry { at, act };
        self.room.act(&entry)?;
        self.ledger.push(&entry);
        // The effect of an order shows in the pieces.
        self.news |= !matches!(entry.act, Act::Order { .. });
        self.note_changes();
        Ok(())
    }

    /// Updates the task after time has passed or an event was applied.
    fn note_changes(&mut self) {
        let game = self.room.game();
        if game.eliminated() != self.told.eliminated() {
            self.news = true;
        }
        if self.room.trays().iter().map(Vec::len).sum::<usize>() != taken(&self.told_talk) {
            self.news = true;
        }
        if self.room.is_over() && !self.over.swap(true, Ordering::Relaxed) {
            tracing::info!(game = self.room.id(), "game over");
            // The tick of the end is needed to restore the finished game exactly.
            let entry = Entry { at: self.hub.now(), act: Act::Stop { tick: game.now() } };
            self.ledger.push(&entry);
            self.bots.clear();
            self.news = true;
        }
    }

    // Storage

    /// Saves what is not saved yet, in the background: ticks do not wait for the disk.
    fn save(&mut self) {
        if self.saving.is_some() || self.retry.is_some() || self.ledger.is_whole() {
            return;
        }
        let record = self.ledger.record(self.room.is_over());
        let (store, entries) = (self.hub.store.clone(), record.entries.len());
        self.saving = Some(tokio::spawn(async move { (entries, store.put(record).await) }));
    }

    /// Waits until the end of the game is saved, if the disk works, so that a result that was
    /// announced is not lost.
    async fn keep_end(&mut self) {
        if !self.room.is_over() {
            return;
        }
        self.save();
        while let Some(saving) = &mut self.saving {
            let saved = saving.await.unwrap_or((0, Err(rusqlite::Error::InvalidQuery)));
            self.note_saved(saved.0, saved.1);
            self.save();
        }
    }

    fn note_saved(&mut self, entries: usize, result: rusqlite::Result<()>) {
        self.saving = None;
        match result {
            Ok(()) => {
                self.ledger.saved(entries);
                if self.room.is_over() {
                    self.hub.ended.notify_one();
                }
            }
            Err(error) => {
                let game = self.room.id();
                tracing::debug!(%error, game, "cannot save a game: it continues in memory");
                self.retry = Some(Instant::now() + self.hub.limits.retry);
            }
        }
        self.news |= self.told_talk.get("stored") != Some(&json!(self.is_stored()));
    }

    /// Whether a restart would restore the game. What is being written to a working disk counts as
    /// saved.
    fn is_stored(&self) -> bool {
        self.retry.is_none() && self.hub.store.is_on_disk()
    }

    /// Pauses and saves the game when the server shuts down.
    async fn stop(&mut self) {
        self.catch_up();
        if self.room.pace.is_some() {
            let tick = self.room.game().now();
            if let Err(error) = self.happen(Act::Stop { tick }) {
                tracing::error!(game = self.room.id(), error, "cannot stop a game");
            }
        }
        if let Some(saving) = self.saving.take()
            && let Ok((entries, Ok(()))) = saving.await
        {
            self.ledger.saved(entries);
        }
        if !self.ledger.is_whole()
            && let Err(error) = self.hub.store.put(self.ledger.record(self.room.is_over())).await
        {
            tracing::error!(%error, game = self.room.id(), "cannot save the end of a game");
        }
    }

    // Messages

    /// Sends every viewer what has changed.
    fn tell(&mut self) {
        let pieces = view::changed_pieces(&self.told, self.room.game());
        let mut changes = Map::new();
        if self.news {
            self.sign.show(self.room.party(), &self.viewers, self.room.is_over());
            let talk = self.room.talk(self.is_stored(), &self.viewers);
            changes = protocol::changes(&self.told_talk, &talk);
            self.told_talk = talk;
        } else if pieces.is_empty() && !self.wishes {
            return;
        }
        (self.news, self.wishes) = (false, false);
        self.told = *self.room.game();
        let time = self.room.time(self.hub.now());
        if !pieces.is_empty() {
            changes.insert("pieces".to_owned(), Value::Array(pieces));
        }
        let mut whole = None;
        for viewer in &mut self.viewers {
            let personal = self.room.personal(viewer.guest, &self.missed);
            let nothing = changes.is_empty() && viewer.told.as_ref() == Some(&personal);
            if nothing {
                continue;
            }
            viewer.seq += 1;
            if viewer.told.is_none() {
                let whole = whole.get_or_insert_with(|| {
                    let mut whole = self.told_talk.clone();
                    let pieces = view::pieces(self.room.game());
                    whole.insert("pieces".to_owned(), Value::Array(pieces));
                    whole.insert("time".to_owned(), time.clone());
                    whole
                });
                viewer.tell(viewer.seq, whole, &Map::new(), personal);
            } else {
                let mut changes = changes.clone();
                changes.insert("time".to_owned(), time.clone());
                viewer.tell(viewer.seq, &Map::new(), &changes, personal);
            }
        }
    }

    /// Returns the current tick, for an answer.
    fn with_tick(&self) -> Map<String, Value> {
        protocol::object(&json!({"tick": self.room.game().now()}))
    }

    /// Answers a command: with its result, or with the reason for refusing it and the tick.
    fn answer(&self, connection: u64, number: u64, result: Result<Map<String, Value>, String>) {
        let answer = match result {
            Ok(with) => protocol::ok(number, with),
            Err(why) => {
                self.hub.counts.refused.inc();
                let tick = self.room.game().now();
                json!({"t": "no", "n": number, "why": why, "tick": tick}).to_string()
            }
        };
        let viewer = self.viewers.iter().find(|viewer| viewer.connection == connection);
        if let Some(viewer) = viewer {
            viewer.send(Output::Answer(answer));
        }
    }

    async fn take(&mut self, input: Input) {
        match input {
            Input::Join { viewer, number } => self.join(viewer, number),
            Input::Leave { connection } => {
                self.viewers.retain(|viewer| viewer.connection != connection);
                self.news = true;
            }
            Input::Command(wish) => self.carry_out(wish).await,
            Input::Settled => self.look_up_ratings(),
            Input::Standings(standings) => {
                self.room.know(standings);
                self.news = true;
            }
            Input::Export(answer) => {
                drop(answer.send((self.room.file_name(), self.room.export())));
            }
            Input::Course(answer) => {
                drop(answer.send(Course::RealTime(Box::new(*self.room.game()))));
            }
        }
    }

    fn look_up_ratings(&self) {
        let (room, inputs) = (&self.room, self.inputs.upgrade());
        rating::look_up(&self.hub.store, room.id(), room.party(), inputs);
    }

    fn join(&mut self, viewer: Viewer, number: u64) {
        let (connection, guest) = (viewer.connection, viewer.guest);
        self.viewers.retain(|viewer| viewer.connection != connection);
        self.viewers.push(viewer);
        self.news = true;
        // A paused game waits for one of its players to return.
        if self.room.is_ready() && !self.room.party().seats_of(guest).is_empty() {
            self.go();
        }
        self.tell();
        self.answer(connection, number, Ok(Map::new()));
    }

    /// Returns the seat that a guest plays.
    fn seat_of(&self, guest: GuestId) -> Result<Seat, String> {
        let seats = self.room.party().seats_of(guest);
        let watching = || "you are watching: only players can do that".to_owned();
        seats.first().copied().ok_or_else(watching)
    }
}

/// Returns the number of captured pieces in the state that was sent last.
fn taken(talk: &Map<String, Value>) -> usize {
    let trays = talk.get("trays").and_then(Value::as_array);
    trays.map_or(0, |trays| trays.iter().filter_map(Value::as_array).map(Vec::len).sum())
}
