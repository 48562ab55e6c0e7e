//! The task of a turn-based game, which owns the room and answers everybody in it.

mod hint;

use std::sync::atomic::Ordering;
use std::time::Duration;

use fourfold_table::{Declaration, Seat, ensure};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

use crate::bot_jobs::{BotJob, Thinking, time_to_think};
use crate::clock::Clock;
use crate::game::{Entry, GameRoom, GameTask, RunningGame, TOO_LONG, never};
use crate::guest::new_game_id;
use crate::journal::Journal;
use crate::protocol::{self, Command, Object};
use crate::room::{Room, RoomEvent};
use crate::viewer::{Input, Request, Updates, Viewer};
use hint::Hint;

/// Search nodes per move in the landing page's game, where nobody plays against the bots.
const SHOW_NODES: u64 = 20_000;
/// The maximum number of entries in one game.
const MOST_ENTRIES: u64 = 20_000;
/// How long the landing page shows the end of its game.
const SHOWN_END: Duration = Duration::from_secs(6);

/// The state of the task of a turn-based game besides the room.
#[derive(Default)]
pub(crate) struct TurnState {
    seq: u64,
    /// The public state that was sent last, and the clocks in it.
    last_sent: Object,
    last_clock: Option<Clock>,
    /// How many moves were sent last, and how many of them still stand.
    sent_moves: usize,
    kept_moves: usize,
    /// The time of the latest entry.
    latest: u64,
    /// The text from which the bots' random seeds are derived.
    seed_text: String,
    /// The bot that is thinking about its move. Dropped when the position changes, like a hint.
    thinking: Option<(Seat, Thinking)>,
    hint: Hint,
    /// When the landing page's game ended.
    ended: Option<Instant>,
}

impl TurnState {
    pub(crate) fn new(room: &Room, journal: &Journal) -> TurnState {
        TurnState {
            last_clock: room.clock().cloned(),
            sent_moves: room.moves().len(),
            kept_moves: room.moves().len(),
            seed_text: if journal.is_stored { room.seats().id.clone() } else { new_game_id() },
            ..TurnState::default()
        }
    }
}

/// Why the task wakes up.
enum Event {
    Input(Input),
    TimeUp(Seat),
    Thought(Option<String>),
    Hint(Option<String>),
    /// Nobody has been watching for a while, or the landing page needs a new game.
    Idle,
    /// It is time to retry the disk.
    Retry,
    Stop,
}

impl GameTask for RunningGame<Room> {
    async fn run(mut self, mut queue: mpsc::Receiver<Input>) {
        self.state.last_sent = self.publish(self.is_stored());
        loop {
            self.let_bots_think();
            match self.next(&mut queue).await {
                Event::Input(input) => {
                    // The clock had run out before the command arrived.
                    if let Input::Command(request) = &input
                        && let Some((seat, time)) = self.room.deadline()
                        && time <= request.at
                    {
                        self.flag(seat).await;
                    }
                    self.on_input(input).await;
                }
                Event::TimeUp(seat) => self.flag(seat).await,
                Event::Thought(code) => self.take_thought(code).await,
                Event::Hint(code) => self.take_hint(code),
                Event::Retry => {
                    self.save().await;
                    self.broadcast();
                }
                Event::Idle if !self.journal.is_stored => self.restart_live_game(),
                Event::Idle => {
                    if self.hub.unload(self.id(), &queue).await {
                        return;
                    }
                }
                Event::Stop => return self.save().await,
            }
        }
    }

    async fn run_command(&mut self, request: Request) -> Result<Option<Object>, String> {
        let Request { connection, guest, address, number, command, at } = request;
        match command {
            Command::Position { ply } => return self.room.board_at(ply).map(Some),
            Command::Try { text, ply } => {
                let why = self.room.check_move(guest.id, &guest.name, &text, ply)?;
                return Ok(Some(protocol::object(&json!({ "why": why }))));
            }
            Command::Hint { ply } => {
                self.room.decide_to_hint(guest.id, &guest.name, &command, ply)?;
                if !self.room.helped {
                    self.apply_event(at, RoomEvent::Help).await?;
                }
                return self.give_hint(connection, number);
            }
            command => {
                let mut event = self.room.decide(guest.id, &guest.name, &command)?;
                if let RoomEvent::Seating(event) = &mut event {
                    self.open_rematch(event, guest.id, address).await?;
                }
                self.apply_event(at, event).await?;
            }
        }
        Ok(Some(Object::new()))
    }

    fn changed(&mut self) {
        self.cancel_hint_of_absent();
        self.broadcast();
    }
}

impl RunningGame<Room> {
    async fn next(&mut self, queue: &mut mpsc::Receiver<Input>) -> Event {
        let deadline = self.room.deadline();
        let up = deadline.map_or_else(never, |(_, time)| self.hub.instant(time));
        let idle = match self.journal.is_stored {
            // Before its clock runs out, it is loaded again.
            true => self.unload_time(self.state.thinking.is_none()),
            false => self.state.ended.map_or_else(never, |ended| ended + SHOWN_END),
        };
        let unsaved = !self.journal.is_whole();
        let hub = self.hub.clone();
        let (thinking, hinting) =
            (self.state.thinking.is_some(), matches!(self.state.hint, Hint::Asked { .. }));
        tokio::select! {
            biased;
            () = hub.stopped() => Event::Stop,
            // Commands carry their arrival time, so handle them before a clock that has run out.
            input = queue.recv() => input.map_or(Event::Stop, Event::Input),
            () = sleep_until(up), if deadline.is_some() => {
                deadline.map_or(Event::Idle, |(seat, _)| Event::TimeUp(seat))
            }
            thought = async {
                let (_, thinking) = self.state.thinking.as_mut()?;
                thinking.join_next().await?.ok()?
            }, if thinking => Event::Thought(thought),
            hint = async {
                let Hint::Asked { thinking, .. } = &mut self.state.hint else { return None };
                thinking.join_next().await?.ok()?
            }, if hinting => Event::Hint(hint),
            () = sleep(hub.limits.retry), if unsaved => Event::Retry,
            () = sleep_until(idle) => Event::Idle,
        }
    }

    /// Applies an event, saves it, and updates everybody.
    async fn apply_event(&mut self, at: u64, event: RoomEvent) -> Result<(), String> {
        let ends = matches!(event, RoomEvent::Declare(_) | RoomEvent::Abort);
        ensure!(ends || self.journal.count() < MOST_ENTRIES, TOO_LONG);
        // A command may have waited in the queue while other events happened; keep times in order.
        let mut entry = Entry { at: at.max(self.state.latest), event };
        self.room.apply(&entry)?;
        self.state.latest = entry.at;
        self.state.kept_moves = self.state.kept_moves.min(self.room.moves().len());
        if let (RoomEvent::Move { text, .. }, Some(played)) =
            (&mut entry.event, self.room.table().played().last())
        {
            text.clone_from(&played.code);
        }
        if matches!(
            entry.event,
            RoomEvent::Move { .. }
                | RoomEvent::Takeback { .. }
                | RoomEvent::Declare(_)
                | RoomEvent::Abort
        ) {
            self.state.thinking = None;
            self.forget_hint();
        }
        let over = self.room.is_over();
        if over != self.over.swap(over, Ordering::Relaxed) && self.journal.is_stored {
            tracing::info!(game = self.id(), over, "game ended or resumed");
        }
        if matches!(&entry.event, RoomEvent::Seating(event) if event.fills_seat()) {
            self.look_up_ratings();
        }
        self.state.ended = over.then(Instant::now);
        self.journal.push(&entry);
        self.save().await;
        self.broadcast();
        Ok(())
    }

    /// Handles a seat whose time has run out.
    async fn flag(&mut self, seat: Seat) {
        let now = self.hub.now();
        // A player who never came loses nothing.
        let event = match self.room.is_abortable() {
            true => RoomEvent::Abort,
            false => RoomEvent::Declare(Declaration::Flag(seat)),
        };
        if let Err(error) = self.apply_event(now, event).await {
            tracing::error!(game = self.id(), error, "cannot end a game on time");
            self.room.stop_clock(now);
        }
    }

    async fn save(&mut self) {
        self.journal.save(&self.hub, self.room.progress(self.hub.now())).await;
    }

    /// Whether a restart would restore the whole game.
    fn is_stored(&self) -> bool {
        !self.journal.is_stored || (self.journal.is_whole() && self.hub.store.is_on_disk())
    }

    /// Sends every viewer what has changed.
    fn broadcast(&mut self) {
        let public = self.publish(self.is_stored());
        let mut changes = protocol::changes(&self.state.last_sent, &public);
        if self.room.clock() == self.state.last_clock.as_ref() {
            // Nothing has changed but the time.
            changes.remove("clock");
        }
        let (moves, keep) = (self.room.moves(), self.state.kept_moves);
        if (moves.len(), self.state.sent_moves) != (keep, keep) {
            let change = json!({"keep": keep, "add": moves[keep..]});
            changes.insert("moves".to_owned(), change);
        }
        (self.state.sent_moves, self.state.kept_moves) = (moves.len(), moves.len());
        let personal = |viewer: &Viewer| {
            let mut personal = protocol::object(&self.room.personal(viewer.guest));
            let chat = self.chat.status(self.room.seats(), viewer.guest);
            personal.insert("chat".to_owned(), chat);
            personal
        };
        let personal: Vec<Object> = self.viewers.iter().map(personal).collect();
        let news = !changes.is_empty()
            || self.viewers.iter().zip(&personal).any(|(viewer, personal)| {
                viewer.last_sent.as_ref().is_some_and(|last_sent| last_sent != personal)
            });
        if news {
            self.state.seq += 1;
        }
        let whole = || self.room.whole(&public);
        let mut updates = Updates::new(&whole, &changes);
        for (viewer, personal) in self.viewers.iter_mut().zip(personal) {
            if news || viewer.last_sent.is_none() {
                viewer.send_update(self.state.seq, &mut updates, personal);
            }
        }
        self.state.last_sent = public;
        self.state.last_clock = self.room.clock().cloned();
    }

    /// Starts a bot if one is to move.
    fn let_bots_think(&mut self) {
        let unwatched = !self.journal.is_stored && self.viewers.is_empty();
        if self.state.thinking.is_some() || unwatched {
            return;
        }
        let Some((seat, level)) = self.room.bot_to_move() else { return };
        let table = self.room.table();
        let found = fourfold_learned::find(table.game(), level);
        let thinker = found.map(|level| BotJob::new(table, level, &self.state.seed_text));
        let Some(thinker) = thinker else {
            tracing::error!(game = self.id(), level, "unknown bot level");
            return;
        };
        let limits = &self.hub.limits;
        let (thinker, pace) = match self.journal.is_stored {
            false => (thinker.at_most(SHOW_NODES), limits.live_game_pace),
            // Only bots are left in the game, so they may play faster.
            true if self.room.is_left_to_bots() => (thinker, limits.bot_pace / 4),
            true => (thinker, limits.bot_pace),
        };
        let left = self.time_left(seat);
        // A bot that is short of time does not slow down for spectators.
        let pace = left.map_or(pace, |left| pace.min(Duration::from_millis(left / 40)));
        let (hub, owner) = (self.hub.clone(), self.journal.creator());
        let thought = async move {
            let ready = Instant::now() + pace;
            let code = thinker.think(hub, owner, time_to_think(left)).await;
            sleep_until(ready).await;
            code
        };
        self.state.thinking = Some((seat, Thinking::from_iter([thought])));
    }

    /// Returns the time left on a seat's clock.
    fn time_left(&self, seat: Seat) -> Option<u64> {
        self.room.clock().map(|clock| clock.left(seat, self.hub.now()))
    }

    async fn take_thought(&mut self, code: Option<String>) {
        let Some((seat, _)) = self.state.thinking.take() else { return };
        let event = match code {
            Some(text) => RoomEvent::Move { seat, text },
            None => RoomEvent::Declare(Declaration::Resign(seat)),
        };
        if let Err(error) = self.apply_event(self.hub.now(), event).await {
            tracing::error!(game = self.id(), error, "a bot's move was refused");
            let resign = RoomEvent::Declare(Declaration::Resign(seat));
            if let Err(error) = self.apply_event(self.hub.now(), resign).await {
                tracing::error!(game = self.id(), error, "the bot cannot resign either");
            }
        }
    }

    /// Replaces the finished game on the landing page with a new one.
    fn restart_live_game(&mut self) {
        match Room::new(self.id().to_owned(), self.room.seats().setup.clone()) {
            Ok(room) => self.room = room,
            Err(error) => tracing::error!(error, "cannot create the live game"),
        }
        self.state.seed_text = new_game_id();
        self.state.ended = None;
        self.state.kept_moves = 0;
        self.broadcast();
    }
}
