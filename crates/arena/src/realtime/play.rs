//! The task of a real-time game: advances time, answers commands and updates everybody.
//!
//! It sleeps until the next tick on which something happens, or until the next command. Ticks
//! are timed from when time started to run, not from the previous tick, so lateness does not add up
//! and no tick is lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fourfold_kung_fu::{Game, Order, Player, TICKS_PER_SECOND};
use fourfold_learned::kung_fu::AnyBot;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep_until};

use super::room::{Room, RoomEvent};
use super::view;
use crate::bot_pool::BotPool;
use crate::game::{Entry, GameRoom, GameTask, RunningGame, never};
use crate::guest::GuestId;
use crate::protocol::{self, Object};
use crate::viewer::{Input, Request, Updates};

mod command;

/// The state of the task of a real-time game besides the room.
pub(crate) struct TickState {
    /// What was sent last: the pieces, and the rest of the public state.
    last_sent: Game,
    last_public: Object,
    /// Whether the rest of the public state may have changed since, or only what one guest sees.
    public_dirty: bool,
    personal_dirty: bool,
    /// The bots that are not thinking.
    bots: Vec<(Player, AnyBot)>,
    /// The bots that are thinking.
    thinking: JoinSet<Option<Thought>>,
    /// Resignations and draws, which take effect at the end of the current tick, after its orders.
    end_of_tick: Vec<EndOfTick>,
    /// Connections and command numbers of those who ended the game, answered once the end is saved.
    pending_answers: Vec<(u64, u64)>,
    /// For each seat, the latest premove that was refused when it came due.
    missed: Vec<Value>,
    saving: Option<JoinHandle<Saved>>,
    /// When to retry a disk that failed.
    retry: Option<Instant>,
}

impl TickState {
    pub(super) fn new(room: &Room) -> TickState {
        TickState {
            last_sent: *room.game(),
            last_public: Object::new(),
            public_dirty: true,
            personal_dirty: false,
            bots: Vec::new(),
            thinking: JoinSet::new(),
            end_of_tick: Vec::new(),
            pending_answers: Vec::new(),
            missed: vec![Value::Null; room.seats().players.len()],
            saving: None,
            retry: None,
        }
    }

    /// Removes all bots; those that are thinking are canceled.
    fn stop_bots(&mut self) {
        self.bots.clear();
        self.thinking = JoinSet::new();
    }
}

/// A bot that has finished thinking, and its order, if any.
type Thought = (Player, AnyBot, Option<Order>);

/// The maximum time a bot thinks about an order. Levels finish on their own long before, but networks look at the flag only:
/// all games share the threads, so a longer thought would delay the bots of others.
const LONGEST_THOUGHT: Duration = Duration::from_millis(50);

/// Lets a bot think once it is the turn of the game's owner.
async fn think(
    pool: &BotPool,
    owner: GuestId,
    game: Game,
    player: Player,
    mut bot: AnyBot,
) -> Option<Thought> {
    let work = move |stop: &AtomicBool| {
        let order = bot.think(&game, player, stop);
        (player, bot, order)
    };
    pool.run(owner, LONGEST_THOUGHT, work).await
}

/// The number of entries that were to be saved, and the result.
type Saved = (usize, rusqlite::Result<()>);

/// Waits until entries are saved.
async fn saved(saving: &mut Option<JoinHandle<Saved>>) -> Saved {
    match saving {
        Some(saving) => saving.await.unwrap_or((0, Err(rusqlite::Error::InvalidQuery))),
        None => (0, Ok(())),
    }
}

/// A resignation or an agreed draw that waits for the end of the tick.
struct EndOfTick {
    /// Returns the event, given its tick.
    event: Box<dyn FnOnce(u64) -> RoomEvent + Send>,
    connection: u64,
    number: u64,
}

/// Why the task wakes up.
enum Event {
    Input(Input),
    Tick,
    Thought(Option<Thought>),
    Saved(Saved),
    Retry,
    Idle,
    Stop,
}

impl GameTask for RunningGame<Room> {
    async fn run(mut self, mut queue: mpsc::Receiver<Input>) {
        loop {
            match self.next(&mut queue).await {
                Event::Input(input) => {
                    self.catch_up();
                    self.keep_end().await;
                    self.on_input(input).await;
                }
                Event::Tick => self.catch_up(),
                Event::Thought(thought) => {
                    self.catch_up();
                    self.take_thought(thought);
                }
                Event::Saved(saved) => self.note_saved(saved),
                Event::Retry => self.state.retry = None,
                Event::Idle => {
                    if self.hub.unload(self.id(), &queue).await {
                        return;
                    }
                }
                Event::Stop => return self.stop().await,
            }
            self.save();
            self.keep_end().await;
            self.broadcast();
            for (connection, number) in std::mem::take(&mut self.state.pending_answers) {
                self.answer(connection, number, Ok(self.with_tick()));
            }
        }
    }

    async fn run_command(&mut self, request: Request) -> Result<Option<Object>, String> {
        self.execute(request).await
    }

    fn changed(&mut self) {
        self.state.public_dirty = true;
    }

    /// A paused game waits for one of its players to return.
    fn joined(&mut self, guest: GuestId) {
        if self.room.is_ready() && !self.room.seats().seats_of(guest).is_empty() {
            self.go();
        }
    }

    fn before_answer(&mut self) {
        self.broadcast();
    }
}

impl RunningGame<Room> {
    async fn next(&mut self, queue: &mut mpsc::Receiver<Input>) -> Event {
        let tick = self.wake().map_or_else(never, |tick| self.time_of(tick));
        let idle = self.unload_time(self.room.clock.is_none());
        let retry = self.state.retry;
        let hub = self.hub.clone();
        let saving = self.state.saving.is_some();
        tokio::select! {
            biased;
            () = hub.stopped() => Event::Stop,
            () = sleep_until(tick) => Event::Tick,
            input = queue.recv() => input.map_or(Event::Stop, Event::Input),
            Some(thought) = self.state.thinking.join_next() => {
                Event::Thought(thought.ok().flatten())
            }
            saved = saved(&mut self.state.saving), if saving => Event::Saved(saved),
            () = sleep_until(retry.unwrap_or_else(never)), if retry.is_some() => Event::Retry,
            () = sleep_until(idle) => Event::Idle,
        }
    }

    // Time

    /// Returns when a tick is due.
    fn time_of(&self, tick: u64) -> Instant {
        let Some(clock) = self.room.clock else { return never() };
        let ticks = tick.saturating_sub(clock.tick);
        let nanos = (ticks * 1_000_000_000).div_ceil(u64::from(TICKS_PER_SECOND));
        self.hub.instant(clock.at) + Duration::from_nanos(nanos)
    }

    /// Returns the latest tick that is due.
    fn due(&self) -> u64 {
        let Some(clock) = self.room.clock else { return self.room.game().now() };
        let passed = Instant::now().saturating_duration_since(self.hub.instant(clock.at));
        clock.tick + (passed.as_nanos() * u128::from(TICKS_PER_SECOND) / 1_000_000_000) as u64
    }

    /// Returns the next tick on which there is something to do.
    fn wake(&self) -> Option<u64> {
        self.room.clock?;
        let game = self.room.game();
        let soon = game.now() + 1;
        let bots = self.state.bots.len() + self.state.thinking.len();
        match bots == 0 && self.state.end_of_tick.is_empty() {
            true => Some(game.next_event().max(soon)),
            false => Some(soon),
        }
    }

    /// Whether time is running; false during the countdown.
    fn is_running(&self) -> bool {
        self.room.clock.is_some_and(|clock| self.hub.now() >= clock.at)
    }

    /// Plays all ticks that are due.
    fn catch_up(&mut self) {
        let due = self.due();
        while self.room.clock.is_some() && self.room.game().now() < due {
            self.close_tick();
            let Some(wake) = self.wake() else { break };
            if wake <= due {
                let late = Instant::now().saturating_duration_since(self.time_of(wake));
                self.hub.metrics.note_tick(late);
            }
            self.room.advance(wake.min(due));
            self.note_changes();
            self.try_premoves();
            self.ask_bots();
        }
    }

    /// Applies what waited for the end of the tick.
    fn close_tick(&mut self) {
        for EndOfTick { event, connection, number } in std::mem::take(&mut self.state.end_of_tick) {
            let result = self.apply_event(event(self.room.game().now()));
            if result.is_ok() && self.room.is_over() {
                self.state.pending_answers.push((connection, number));
                continue;
            }
            self.broadcast();
            self.answer(connection, number, result.map(|()| self.with_tick()));
        }
    }

    fn try_premoves(&mut self) {
        for (id, premove) in self.room.due_premoves() {
            let (player, to) = (premove.player, premove.to);
            self.state.personal_dirty = true;
            if let Err(why) = self.order(player, id, to) {
                let seat = fourfold_table::kung_fu::seat_of(&self.room.rules(), player);
                let tick = self.room.game().now();
                if let Some(missed) = seat.and_then(|seat| self.state.missed.get_mut(seat.index()))
                {
                    *missed = json!({"piece": id.0, "tick": tick, "why": why});
                }
            }
        }
    }

    /// Lets the bots think that are ready to, each on the board of this tick.
    fn ask_bots(&mut self) {
        if self.room.is_over() {
            return self.state.stop_bots();
        }
        let (game, owner) = (*self.room.game(), self.journal.creator());
        self.state.bots.retain(|(player, _)| game.alive().contains(*player));
        let ready = self.state.bots.extract_if(.., |(_, bot)| bot.is_ready(&game));
        for (player, bot) in ready {
            let hub = self.hub.clone();
            let thought = async move { think(&hub.realtime_bots, owner, game, player, bot).await };
            self.state.thinking.spawn(thought);
        }
    }

    /// Gives a bot's order on the current tick, which may be later than the one it looked at.
    fn take_thought(&mut self, thought: Option<Thought>) {
        let Some((player, bot, order)) = thought else { return };
        if let Some(order) = order {
            let to = (i32::from(order.to.row()), i32::from(order.to.column()));
            if let Err(why) = self.order(player, order.piece, to) {
                tracing::debug!(game = self.id(), why, "a bot's order came too late");
            }
        }
        self.state.bots.push((player, bot));
    }

    /// Lets time run from the current tick, after the countdown.
    fn go(&mut self) {
        let at = self.hub.now() + self.hub.limits.countdown.as_millis() as u64;
        let event = RoomEvent::Go { tick: self.room.game().now() };
        if let Err(error) = self.apply_event_at(at, event) {
            return tracing::error!(game = self.id(), error, "cannot start a game");
        }
        let seed = self.id().bytes().fold(self.room.game().now(), |seed, byte| {
            seed.wrapping_mul(31).wrapping_add(u64::from(byte))
        });
        let rules = self.room.rules();
        let kind = self.room.seats().setup.game.clone();
        let bots = self.room.active_bots().into_iter().filter_map(|(player, level)| {
            let seed = seed.wrapping_add(u64::from(player.number()));
            let bot = AnyBot::new(&kind, level, &rules, seed);
            if bot.is_none() {
                tracing::error!(game = self.id(), level, "unknown bot level");
            }
            Some((player, bot?))
        });
        let bots = bots.collect();
        self.state.stop_bots();
        self.state.bots = bots;
    }

    // Events

    fn apply_event(&mut self, event: RoomEvent) -> Result<(), String> {
        self.apply_event_at(self.hub.now(), event)
    }

    /// Applies an event and appends it to the journal.
    fn apply_event_at(&mut self, at: u64, event: RoomEvent) -> Result<(), String> {
        let entry = Entry { at, event };
        let abortable = self.room.is_abortable();
        self.room.apply(&entry)?;
        self.journal.push(&entry);
        // The effect of an order shows in the pieces.
        self.state.public_dirty |= !matches!(entry.event, RoomEvent::Order { .. });
        self.state.public_dirty |= self.room.is_abortable() != abortable;
        self.note_changes();
        Ok(())
    }

    /// Updates the task after time has passed or an event was applied.
    fn note_changes(&mut self) {
        let (game, last_sent) = (self.room.game(), &self.state.last_sent);
        // Eliminated players and captured pieces are part of the public state.
        let alive = |game: &Game| game.pieces().filter(|piece| piece.is_alive()).count();
        self.state.public_dirty |=
            game.eliminated() != last_sent.eliminated() || alive(game) != alive(last_sent);
        if self.room.is_over() && !self.over.swap(true, Ordering::Relaxed) {
            tracing::info!(game = self.id(), "game over");
            // The tick of the end is needed to restore the finished game exactly.
            let entry = Entry { at: self.hub.now(), event: RoomEvent::Stop { tick: game.now() } };
            self.journal.push(&entry);
            self.state.stop_bots();
            self.state.public_dirty = true;
        }
    }

    // Storage

    /// Saves what is not saved yet, in the background: ticks do not wait for the disk.
    fn save(&mut self) {
        if self.state.saving.is_some() || self.state.retry.is_some() || self.journal.is_whole() {
            return;
        }
        let record = self.journal.record(self.room.progress(self.hub.now()));
        let (store, entries) = (self.hub.store.clone(), record.entries.len());
        self.state.saving = Some(tokio::spawn(async move { (entries, store.put(record).await) }));
    }

    /// Waits until the end of the game is saved, if the disk works, so that a result that was
    /// announced is not lost.
    async fn keep_end(&mut self) {
        if !self.room.is_over() {
            return;
        }
        self.save();
        while self.state.saving.is_some() {
            let saved = saved(&mut self.state.saving).await;
            self.note_saved(saved);
            self.save();
        }
    }

    fn note_saved(&mut self, (entries, result): Saved) {
        self.state.saving = None;
        match result {
            Ok(()) => self.journal.saved(entries, &self.hub, self.room.is_over()),
            Err(error) => {
                let game = self.id();
                tracing::debug!(%error, game, "cannot save a game: it continues in memory");
                self.state.retry = Some(Instant::now() + self.hub.limits.retry);
            }
        }
        self.state.public_dirty |=
            self.state.last_public.get("stored") != Some(&json!(self.is_stored()));
    }

    /// Whether a restart would restore the game. What is being written to a working disk counts as
    /// saved.
    fn is_stored(&self) -> bool {
        self.state.retry.is_none() && self.hub.store.is_on_disk()
    }

    /// Pauses and saves the game when the server shuts down.
    async fn stop(&mut self) {
        self.catch_up();
        if self.room.clock.is_some() {
            let tick = self.room.game().now();
            if let Err(error) = self.apply_event(RoomEvent::Stop { tick }) {
                tracing::error!(game = self.id(), error, "cannot stop a game");
            }
        }
        if let Some(saving) = self.state.saving.take()
            && let Ok((entries, Ok(()))) = saving.await
        {
            self.journal.saved(entries, &self.hub, false);
        }
        self.journal.save(&self.hub, self.room.progress(self.hub.now())).await;
        if !self.journal.is_whole() {
            tracing::error!(game = self.id(), "cannot save the end of a game");
        }
    }

    // Messages

    /// Sends every viewer what has changed.
    fn broadcast(&mut self) {
        let pieces = view::changed_pieces(&self.state.last_sent, self.room.game());
        let mut changes = Object::new();
        if self.state.public_dirty {
            let public = self.publish(self.is_stored());
            changes = protocol::changes(&self.state.last_public, &public);
            self.state.last_public = public;
        } else if pieces.is_empty() && !self.state.personal_dirty {
            return;
        }
        (self.state.public_dirty, self.state.personal_dirty) = (false, false);
        self.state.last_sent = *self.room.game();
        if !pieces.is_empty() {
            changes.insert("realtime_pieces".to_owned(), Value::Array(pieces));
        }
        let unchanged = changes.is_empty();
        let time = self.room.time(self.hub.now());
        changes.insert("time".to_owned(), time.clone());
        let (room, last_public) = (&self.room, &self.state.last_public);
        let whole = || {
            let mut public = room.whole(last_public);
            let pieces = view::pieces(room.game());
            public.insert("realtime_pieces".to_owned(), Value::Array(pieces));
            public.insert("time".to_owned(), time.clone());
            public
        };
        let mut updates = Updates::new(&whole, &changes);
        for viewer in &mut self.viewers {
            let mut personal = self.room.personal(viewer.guest, &self.state.missed);
            let chat = self.chat.status(self.room.seats(), viewer.guest);
            personal.insert("chat".to_owned(), chat);
            if unchanged && viewer.last_sent.as_ref() == Some(&personal) {
                continue;
            }
            viewer.seq += 1;
            viewer.send_update(viewer.seq, &mut updates, personal);
        }
    }

    /// Returns the current tick, for an answer.
    fn with_tick(&self) -> Object {
        protocol::object(&json!({"tick": self.room.game().now()}))
    }
}

#[cfg(test)]
mod tests {
    use fourfold_kung_fu::Rules;
    use fourfold_learned::kung_fu::LearnedBot;

    use super::*;
    use crate::random_model::Files;

    #[tokio::test]
    async fn thoughts_of_networks_are_limited() {
        let rules = Rules::parse("8x8 lightning").expect("rules");
        let game = Game::new(rules).expect("a game");
        let model = Files::new("kung_fu", (1, 4), 1).model();
        let bot = LearnedBot::new(&model, &rules, u64::MAX, 1).expect("a bot");
        let pool = BotPool::new(1);
        let player = rules.players.iter().next().expect("a player");
        let thought = think(&pool, GuestId(1), game, player, AnyBot::Learned(bot)).await;
        let (_, bot, _) = thought.expect("no panic");
        // Without a limit, the search ends after 65,536 positions.
        assert!((1..65_536).contains(&bot.nodes()), "{}", bot.nodes());
        assert!(!bot.is_ready(&game));
    }
}
