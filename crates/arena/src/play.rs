//! The task of a turn-based game, which owns the room and answers everybody in it.

mod hint;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fourfold_table::{Declaration, Seat};
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

use crate::clock::Clock;
use crate::guest::{GuestId, new_game_id};
use crate::hub::{Handle, Hub};
use crate::journal::Journal;
use crate::lobby::Sign;
use crate::party::Seating;
use crate::protocol::{self, Command};
use crate::rating;
use crate::room::{Act, Entry, Room};
use crate::thinking::{Thinker, Thinking, time_to_think};
use crate::viewer::{Course, Input, Output, Request, Viewer, is_here, watchers};
use hint::Hint;

/// Search nodes per move in the landing page's game, where nobody plays against the bots.
const SHOW_NODES: u64 = 20_000;
/// The maximum number of entries in one game.
const MOST_ENTRIES: u64 = 20_000;
/// How long the landing page shows the end of its game.
const SHOWN_END: Duration = Duration::from_secs(6);

/// A running turn-based game.
pub(crate) struct Play {
    hub: Arc<Hub>,
    room: Room,
    viewers: Vec<Viewer>,
    sign: Sign,
    seq: u64,
    /// The public state that was sent last, and the clocks in it.
    told: Map<String, Value>,
    told_clock: Option<Clock>,
    over: Arc<AtomicBool>,
    /// The task's own queue.
    inputs: mpsc::WeakSender<Input>,
    /// The time of the latest entry.
    latest: u64,
    /// The text from which the bots' random seeds are derived.
    luck: String,
    /// The bot that is thinking about its move. Dropped when the position changes, like a hint.
    thinking: Option<(Seat, Thinking)>,
    hint: Hint,
    kept: Kept,
}

/// How a game is stored.
enum Kept {
    /// Not at all: it is the game of the landing page.
    Show {
        ended: Option<Instant>,
    },
    Stored(Journal),
}

impl Kept {
    fn count(&self) -> u64 {
        match self {
            Kept::Show { .. } => 0,
            Kept::Stored(ledger) => ledger.count(),
        }
    }

    fn is_whole(&self) -> bool {
        match self {
            Kept::Show { .. } => true,
            Kept::Stored(ledger) => ledger.is_whole(),
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

impl Play {
    /// Starts the task of a game whose journal says what is already saved.
    pub(crate) fn resume(hub: &Arc<Hub>, room: Room, ledger: Journal) -> Handle {
        Play::start(hub, room, ledger.creator(), Kept::Stored(ledger))
    }

    /// Starts the task of the landing page's game.
    pub(crate) fn show(hub: &Arc<Hub>, room: Room) -> Handle {
        Play::start(hub, room, GuestId(-1), Kept::Show { ended: None })
    }

    fn start(hub: &Arc<Hub>, room: Room, creator: GuestId, kept: Kept) -> Handle {
        let over = Arc::new(AtomicBool::new(room.is_over()));
        let (inputs, queue) = Handle::queue();
        let own = inputs.downgrade();
        let handle = Handle::new(inputs, over.clone(), creator);
        let luck = match kept {
            Kept::Show { .. } => new_game_id(),
            Kept::Stored(_) => room.id().to_owned(),
        };
        let mut play = Play {
            hub: hub.clone(),
            told: Map::new(),
            told_clock: room.clock().cloned(),
            sign: Sign::new(&hub.lobby, room.id()),
            room,
            viewers: Vec::new(),
            seq: 0,
            over,
            inputs: own,
            latest: 0,
            luck,
            thinking: None,
            hint: Hint::Unasked,
            kept,
        };
        play.told = play.public();
        play.look_up_ratings();
        tokio::spawn(play.run(queue));
        handle
    }

    async fn run(mut self, mut queue: mpsc::Receiver<Input>) {
        loop {
            self.let_bots_think();
            match self.next(&mut queue).await {
                Event::Input(input) => self.take(input).await,
                Event::TimeUp(seat) => self.flag(seat).await,
                Event::Thought(code) => self.take_thought(code).await,
                Event::Hint(code) => self.take_hint(code),
                Event::Retry => {
                    self.save().await;
                    self.tell();
                }
                Event::Idle => match self.kept {
                    Kept::Show { .. } => self.show_again(),
                    Kept::Stored(_) => {
                        if self.hub.retire(self.room.id(), &queue).await {
                            return;
                        }
                    }
                },
                Event::Stop => {
                    if !self.kept.is_whole() {
                        self.save().await;
                    }
                    return;
                }
            }
        }
    }

    async fn next(&mut self, queue: &mut mpsc::Receiver<Input>) -> Event {
        let deadline = self.room.deadline();
        let up = deadline.map_or_else(far, |(_, time)| self.hub.instant(time));
        let idle = match &self.kept {
            Kept::Show { ended } => ended.map_or_else(far, |ended| ended + SHOWN_END),
            // It is loaded from the store when somebody opens it again.
            Kept::Stored(_) if self.may_rest() => Instant::now() + self.hub.limits.linger,
            Kept::Stored(_) => far(),
        };
        let unsaved = !self.kept.is_whole();
        let hub = self.hub.clone();
        let (thinking, hinting) =
            (self.thinking.is_some(), matches!(self.hint, Hint::Asked { .. }));
        tokio::select! {
            biased;
            () = hub.stopped() => Event::Stop,
            // Commands carry their arrival time, so handle them before a clock that has run out.
            input = queue.recv() => input.map_or(Event::Stop, Event::Input),
            () = sleep_until(up), if deadline.is_some() => {
                deadline.map_or(Event::Idle, |(seat, _)| Event::TimeUp(seat))
            }
            thought = async {
                match &mut self.thinking {
                    Some((_, thinking)) => thinking.end().await,
                    None => None,
                }
            }, if thinking => Event::Thought(thought),
            hint = async {
                match &mut self.hint {
                    Hint::Asked { thinking, .. } => thinking.end().await,
                    Hint::Unasked | Hint::Known(_) => None,
                }
            }, if hinting => Event::Hint(hint),
            () = sleep(hub.limits.retry), if unsaved => Event::Retry,
            () = sleep_until(idle) => Event::Idle,
        }
    }

    /// Whether nothing would be lost if the game left memory.
    fn may_rest(&self) -> bool {
        self.viewers.is_empty()
            && self.kept.is_whole()
            && self.thinking.is_none()
            && self.room.deadline().is_none()
    }

    async fn take(&mut self, input: Input) {
        match input {
            Input::Join { viewer, number } => self.join(viewer, number),
            Input::Leave { connection } => {
                self.viewers.retain(|viewer| viewer.connection != connection);
                if matches!(self.hint, Hint::Asked { connection: other, .. } if other == connection)
                {
                    self.hint = Hint::Unasked;
                }
                self.tell();
            }
            Input::Command(wish) => {
                // The clock had run out before the command arrived.
                if let Some((seat, time)) = self.room.deadline()
                    && time <= wish.at
                {
                    self.flag(seat).await;
                }
                let (connection, number) = (wish.connection, wish.number);
                match self.carry_out(wish).await {
                    Ok(Some(with)) => self.answer(connection, protocol::ok(number, with)),
                    // The answer is sent when the hint is ready.
                    Ok(None) => {}
                    Err(why) => self.refuse(connection, number, &why),
                }
            }
            Input::Settled => self.look_up_ratings(),
            Input::Standings(standings) => {
                self.room.know(standings);
                self.tell();
            }
            Input::Export(answer) => {
                drop(answer.send((self.room.file_name(), self.room.export())));
            }
            Input::Course(answer) => {
                let table = self.room.table();
                let (start, moves) = table.situation();
                drop(answer.send(Course::Turns { kind: table.game(), start, moves }));
            }
        }
    }

    fn look_up_ratings(&self) {
        let (room, inputs) = (&self.room, self.inputs.upgrade());
        rating::look_up(&self.hub.store, room.id(), room.party(), inputs);
    }

    fn join(&mut self, viewer: Viewer, number: u64) {
        let connection = viewer.connection;
        self.viewers.retain(|viewer| viewer.connection != connection);
        self.viewers.push(viewer);
        self.tell();
        self.answer(connection, protocol::ok(number, Map::new()));
    }

    async fn carry_out(&mut self, wish: Request) -> Result<Option<Map<String, Value>>, String> {
        let Request { connection, guest, number, command, at } = wish;
        match command {
            Command::Look { ply } => return Ok(Some(protocol::object(&self.room.glance(ply)?))),
            Command::Try { text, ply } => {
                let tried = self.room.attempt(guest.id, &guest.name, &text, ply)?;
                return Ok(Some(protocol::object(&tried)));
            }
            Command::Hint { ply } => {
                self.room.decide_to_hint(guest.id, &guest.name, &command, ply)?;
                if !self.room.is_helped() {
                    self.happen(at, Act::Help).await?;
                }
                return self.give_hint(connection, number);
            }
            Command::Sync => {
                for viewer in &mut self.viewers {
                    if viewer.connection == connection {
                        viewer.told = None;
                    }
                }
                self.tell();
            }
            Command::Name { name } => {
                if !self.room.is_over() && self.room.party().would_rename(guest.id, &name) {
                    let act = Seating::Rename { guest: guest.id, name };
                    self.happen(at, Act::Seating(act)).await?;
                }
            }
            command => {
                let mut act = self.room.decide(guest.id, &guest.name, &command)?;
                if let Act::Seating(Seating::Rematch { seats, next }) = &mut act
                    && let Some(setup) = self.room.party().rematch_with(seats)
                {
                    *next = Some(self.hub.open(new_game_id(), setup, guest.id, None).await?);
                }
                self.happen(at, act).await?;
            }
        }
        Ok(Some(Map::new()))
    }

    /// Applies an event, saves it, and updates everybody.
    async fn happen(&mut self, at: u64, act: Act) -> Result<(), String> {
        let ends = matches!(act, Act::Declare(_));
        if !ends && self.kept.count() >= MOST_ENTRIES {
            return Err("this game is too long: it can only be ended now".to_owned());
        }
        // A command may have waited in the queue while other events happened; keep times in order.
        let mut entry = Entry { at: at.max(self.latest), act };
        self.room.act(&entry)?;
        self.latest = entry.at;
        if let (Act::Move { text, .. }, Some(played)) =
            (&mut entry.act, self.room.table().played().last())
        {
            text.clone_from(&played.code);
        }
        if matches!(entry.act, Act::Move { .. } | Act::Takeback { .. } | Act::Declare(_)) {
            self.thinking = None;
            self.forget_hint();
        }
        let over = self.room.is_over();
        if over != self.over.swap(over, Ordering::Relaxed) && matches!(self.kept, Kept::Stored(_)) {
            tracing::info!(game = self.room.id(), over, "game ended or resumed");
        }
        if matches!(entry.act, Act::Seating(Seating::Sit { .. } | Seating::Fill { .. })) {
            self.look_up_ratings();
        }
        match &mut self.kept {
            Kept::Show { ended } => *ended = self.room.is_over().then(Instant::now),
            Kept::Stored(ledger) => {
                ledger.push(&entry);
                self.save().await;
            }
        }
        self.tell();
        Ok(())
    }

    /// Handles a seat whose time has run out.
    async fn flag(&mut self, seat: Seat) {
        let now = self.hub.now();
        if let Err(error) = self.happen(now, Act::Declare(Declaration::Flag(seat))).await {
            tracing::error!(game = self.room.id(), error, "cannot end a game on time");
            self.room.stop_clock(now);
        }
    }

    /// Saves everything that is not saved yet.
    async fn save(&mut self) {
        let Kept::Stored(ledger) = &mut self.kept else { return };
        let record = ledger.record(self.room.is_over());
        let entries = record.entries.len();
        match self.hub.store.put(record).await {
            Ok(()) => {
                ledger.saved(entries);
                if self.room.is_over() {
                    self.hub.ended.notify_one();
                }
            }
            Err(error) => {
                let game = self.room.id();
                tracing::debug!(%error, game, "cannot save a game: it continues in memory");
            }
        }
    }

    /// Whether a restart would restore the whole game.
    fn is_stored(&self) -> bool {
        match &self.kept {
            Kept::Show { .. } => true,
            Kept::Stored(_) => self.kept.is_whole() && self.hub.store.is_on_disk(),
        }
    }

    fn public(&self) -> Map<String, Value> {
        let here = |guest| is_here(&self.viewers, guest);
        let watchers = watchers(&self.viewers, self.room.party());
        protocol::object(&self.room.public(self.hub.now(), self.is_stored(), here, watchers))
    }

    /// Sends every viewer what has changed.
    fn tell(&mut self) {
        self.sign.show(self.room.party(), &self.viewers, self.room.is_over());
        let public = self.public();
        let mut changes = protocol::changes(&self.told, &public);
        if self.room.clock() == self.told_clock.as_ref() {
            // Nothing has changed but the time.
            changes.remove("clock");
        }
        let personal = |viewer: &Viewer| protocol::object(&self.room.personal(viewer.guest));
        let personal: Vec<Map<String, Value>> = self.viewers.iter().map(personal).collect();
        let news = !changes.is_empty()
            || self.viewers.iter().zip(&personal).any(|(viewer, personal)| {
                viewer.told.as_ref().is_some_and(|told| told != personal)
            });
        if news {
            self.seq += 1;
        }
        for (viewer, personal) in self.viewers.iter_mut().zip(personal) {
            if news || viewer.told.is_none() {
                viewer.tell(self.seq, &public, &changes, personal);
            }
        }
        self.told = public;
        self.told_clock = self.room.clock().cloned();
    }

    fn refuse(&self, connection: u64, number: u64, why: &str) {
        self.hub.counts.refused.inc();
        self.answer(connection, protocol::no(Some(number), why));
    }

    fn answer(&self, connection: u64, answer: String) {
        let viewer = self.viewers.iter().find(|viewer| viewer.connection == connection);
        if let Some(viewer) = viewer {
            viewer.send(Output::Answer(answer));
        }
    }

    /// Starts a bot if one is to move.
    fn let_bots_think(&mut self) {
        let idle_show = matches!(self.kept, Kept::Show { .. }) && self.viewers.is_empty();
        if self.thinking.is_some() || idle_show {
            return;
        }
        let Some((seat, level)) = self.room.bot_to_move() else { return };
        let table = self.room.table();
        let found = fourfold_bots::levels(table.game()).iter().find(|known| known.id == level);
        let thinker = found.and_then(|level| Thinker::new(table, level, &self.luck));
        let Some(thinker) = thinker else {
            tracing::error!(game = self.room.id(), level, "unknown bot level");
            return;
        };
        let (thinker, pace) = match self.kept {
            Kept::Show { .. } => (thinker.at_most(SHOW_NODES), self.hub.limits.show_pace),
            // Only bots are left in the game, so they may play faster.
            Kept::Stored(_) if self.room.is_left_to_bots() => {
                (thinker, self.hub.limits.bot_pace / 4)
            }
            Kept::Stored(_) => (thinker, self.hub.limits.bot_pace),
        };
        let left = self.time_left(seat);
        // A bot that is short of time does not slow down for spectators.
        let pace = left.map_or(pace, |left| pace.min(Duration::from_millis(left / 40)));
        let thought = async move {
            let ready = Instant::now() + pace;
            let code = thinker.think(time_to_think(left)).await;
            sleep_until(ready).await;
            code
        };
        self.thinking = Some((seat, Thinking::start(thought)));
    }

    /// Returns the time left on a seat's clock.
    fn time_left(&self, seat: Seat) -> Option<u64> {
        self.room.clock().map(|clock| clock.left(seat, self.hub.now()))
    }

    async fn take_thought(&mut self, code: Option<String>) {
        let Some((seat, _)) = self.thinking.take() else { return };
        let act = match code {
            Some(text) => Act::Move { seat, text },
            None => Act::Declare(Declaration::Resign(seat)),
        };
        if let Err(error) = self.happen(self.hub.now(), act).await {
            tracing::error!(game = self.room.id(), error, "a bot's move was refused");
            let resign = Act::Declare(Declaration::Resign(seat));
            if let Err(error) = self.happen(self.hub.now(), resign).await {
                tracing::error!(game = self.room.id(), error, "the bot cannot resign either");
            }
        }
    }

    /// Replaces the finished game on the landing page with a new one.
    fn show_again(&mut self) {
        match Room::new(self.room.id().to_owned(), self.room.party().setup().clone()) {
            Ok(room) => self.room = room,
            Err(error) => tracing::error!(error, "cannot create the live game"),
        }
        self.luck = new_game_id();
        self.kept = Kept::Show { ended: None };
        self.tell();
    }
}

/// A time that is never reached.
pub(crate) fn far() -> Instant {
    Instant::now() + Duration::from_secs(365 * 24 * 3600)
}
