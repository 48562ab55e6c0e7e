//! A game that runs: one task for each, which owns its room and answers everybody in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fourfold_bots::{Budget, Situation};
use fourfold_table::{Declaration, Seat};
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use crate::guest::{GuestId, new_game_id};
use crate::hub::{Handle, Hub};
use crate::protocol::{self, Command, Personal};
use crate::room::{Act, Entry, Room, Setup};
use crate::store::Record;

/// What a bot may spend on a move.
const NODES: u64 = 100_000;
/// How long the landing page shows how its game has ended.
const SHOWN_END: Duration = Duration::from_secs(6);

/// What a game is told.
pub(crate) enum Input {
    /// Somebody looks at it.
    Join { viewer: Viewer, number: u64 },
    /// A connection looks elsewhere.
    Leave { connection: u64 },
    /// A viewer wants something.
    Command { connection: u64, guest: GuestId, name: String, number: u64, command: Command },
    /// A guest has another name.
    Rename { guest: GuestId, name: String },
    /// Somebody wants the file: its name and what is in it.
    Export(oneshot::Sender<(String, String)>),
}

/// A connection that looks at a game.
pub(crate) struct Viewer {
    connection: u64,
    guest: GuestId,
    out: mpsc::Sender<String>,
    /// What it was told last of what concerns its guest; nothing if it needs the whole state.
    told: Option<Map<String, Value>>,
}

impl Viewer {
    pub(crate) fn new(connection: u64, guest: GuestId, out: mpsc::Sender<String>) -> Viewer {
        Viewer { connection, guest, out, told: None }
    }

    /// Sends the changes, or the whole state if some could not be sent.
    fn tell(
        &mut self,
        seq: u64,
        public: &Map<String, Value>,
        changes: &Map<String, Value>,
        personal: &Personal,
    ) {
        let now = protocol::object(personal);
        let message = match &self.told {
            Some(told) => {
                let mut all = changes.clone();
                all.extend(protocol::changes(told, &now));
                protocol::delta(seq, all)
            }
            None => protocol::state(seq, public, personal),
        };
        // If the connection cannot keep up, the next message will be the whole state.
        self.told = self.out.try_send(message).is_ok().then_some(now);
    }
}

/// A game that runs.
pub(crate) struct Play {
    hub: Arc<Hub>,
    room: Room,
    setup: Setup,
    creator: GuestId,
    viewers: Vec<Viewer>,
    seq: u64,
    /// The public part as it was told last.
    told: Map<String, Value>,
    over: Arc<AtomicBool>,
    thinking: Option<Thinking>,
    kept: Kept,
}

/// How a game is kept.
enum Kept {
    /// Not at all: it is the landing page's.
    Show { ended: Option<Instant> },
    /// So many entries are, and these could not be yet.
    Stored { count: u64, unsaved: Vec<(u64, Entry)> },
}

struct Thinking {
    seat: Seat,
    ply: usize,
    thought: JoinHandle<Option<String>>,
}

/// Why a task wakes up.
enum Event {
    Input(Input),
    TimeUp(Seat),
    Thought(Option<String>),
    /// Nobody has looked for a while, or it is time for the next show.
    Idle,
    Stop,
}

impl Play {
    /// Starts the task of a game of which `count` entries are kept; `first` happens at once.
    pub(crate) fn resume(
        hub: &Arc<Hub>,
        room: Room,
        setup: Setup,
        creator: GuestId,
        count: usize,
        first: Option<Entry>,
    ) -> Handle {
        let kept = Kept::Stored { count: count as u64, unsaved: Vec::new() };
        Play::start(hub, room, setup, creator, kept, first)
    }

    /// Starts the task of the landing page's game.
    pub(crate) fn show(hub: &Arc<Hub>, room: Room, setup: Setup) -> Handle {
        Play::start(hub, room, setup, GuestId(-1), Kept::Show { ended: None }, None)
    }

    fn start(
        hub: &Arc<Hub>,
        room: Room,
        setup: Setup,
        creator: GuestId,
        kept: Kept,
        first: Option<Entry>,
    ) -> Handle {
        let over = Arc::new(AtomicBool::new(room.is_over()));
        let (inputs, queue) = Handle::queue();
        let handle = Handle::new(inputs, over.clone(), creator);
        let play = Play {
            hub: hub.clone(),
            told: Map::new(),
            room,
            setup,
            creator,
            viewers: Vec::new(),
            seq: 0,
            over,
            thinking: None,
            kept,
        };
        tokio::spawn(play.run(queue, first));
        handle
    }

    async fn run(mut self, mut queue: mpsc::Receiver<Input>, first: Option<Entry>) {
        if let Some(Entry { act, .. }) = first
            && let Err(error) = self.happen(act).await
        {
            tracing::error!(game = self.room.id(), error, "a game cannot go on");
        }
        self.told = self.public();
        loop {
            self.let_bots_think();
            match self.next(&mut queue).await {
                Event::Input(input) => self.take(input).await,
                Event::TimeUp(seat) => {
                    let _ = self.happen(Act::Declare(Declaration::Flag(seat))).await;
                }
                Event::Thought(code) => self.take_thought(code).await,
                Event::Idle => match self.kept {
                    Kept::Show { .. } => self.show_again(),
                    Kept::Stored { .. } => {
                        if self.hub.retire(self.room.id(), &queue).await {
                            return;
                        }
                    }
                },
                Event::Stop => return,
            }
        }
    }

    async fn next(&mut self, queue: &mut mpsc::Receiver<Input>) -> Event {
        let deadline = self.room.deadline();
        let up = deadline.map_or_else(far, |(_, time)| self.hub.instant(time));
        let idle = match &self.kept {
            Kept::Show { ended } => ended.map_or_else(far, |ended| ended + SHOWN_END),
            Kept::Stored { .. } if self.room.is_over() && self.viewers.is_empty() => {
                Instant::now() + self.hub.limits.linger
            }
            Kept::Stored { .. } => far(),
        };
        let hub = self.hub.clone();
        let thinking = self.thinking.is_some();
        tokio::select! {
            biased;
            () = hub.stopped() => Event::Stop,
            () = sleep_until(up), if deadline.is_some() => {
                deadline.map_or(Event::Idle, |(seat, _)| Event::TimeUp(seat))
            }
            input = queue.recv() => input.map_or(Event::Stop, Event::Input),
            thought = async {
                match &mut self.thinking {
                    Some(thinking) => (&mut thinking.thought).await.ok().flatten(),
                    None => None,
                }
            }, if thinking => Event::Thought(thought),
            () = sleep_until(idle) => Event::Idle,
        }
    }

    async fn take(&mut self, input: Input) {
        match input {
            Input::Join { viewer, number } => self.join(viewer, number),
            Input::Leave { connection } => {
                self.viewers.retain(|viewer| viewer.connection != connection);
                self.tell();
            }
            Input::Command { connection, guest, name, number, command } => {
                let answer = match self.carry_out(connection, guest, &name, command).await {
                    Ok(with) => protocol::ok(number, with),
                    Err(why) => {
                        self.hub.counts.refused.fetch_add(1, Ordering::Relaxed);
                        protocol::no(Some(number), &why)
                    }
                };
                self.answer(connection, answer);
            }
            Input::Rename { guest, name } => {
                if !self.room.seats_of(guest).is_empty() {
                    let _ = self.happen(Act::Rename { guest, name }).await;
                }
            }
            Input::Export(answer) => {
                drop(answer.send((self.room.file_name(), self.room.export())));
            }
        }
    }

    fn join(&mut self, viewer: Viewer, number: u64) {
        let connection = viewer.connection;
        self.viewers.retain(|viewer| viewer.connection != connection);
        self.viewers.push(viewer);
        self.tell();
        self.answer(connection, protocol::ok(number, Map::new()));
    }

    async fn carry_out(
        &mut self,
        connection: u64,
        guest: GuestId,
        name: &str,
        command: Command,
    ) -> Result<Map<String, Value>, String> {
        match command {
            Command::Look { ply } => Ok(protocol::object(&self.room.glance(ply)?)),
            Command::Sync => {
                for viewer in &mut self.viewers {
                    if viewer.connection == connection {
                        viewer.told = None;
                    }
                }
                self.tell();
                Ok(Map::new())
            }
            command => {
                let act = self.room.decide(guest, name, &command)?;
                self.happen(act).await?;
                if let Some(setup) = self.room.agreed_rematch() {
                    let game = self.hub.open(new_game_id(), setup, self.creator).await?;
                    self.happen(Act::Next { game }).await?;
                }
                Ok(Map::new())
            }
        }
    }

    /// Lets something happen, keeps it, and tells everybody.
    async fn happen(&mut self, act: Act) -> Result<(), String> {
        let mut entry = Entry { at: self.hub.now(), act };
        self.room.act(&entry)?;
        if let (Act::Move { text, .. }, Some(played)) =
            (&mut entry.act, self.room.table().played().last())
        {
            text.clone_from(&played.code);
        }
        self.over.store(self.room.is_over(), Ordering::Relaxed);
        self.keep(entry).await;
        self.tell();
        Ok(())
    }

    async fn keep(&mut self, entry: Entry) {
        let now = entry.at;
        let (count, entries) = match &mut self.kept {
            Kept::Show { ended } => {
                *ended = self.room.is_over().then(Instant::now);
                return;
            }
            Kept::Stored { count, unsaved } => {
                let number = *count + unsaved.len() as u64;
                unsaved.push((number, entry));
                (count, unsaved)
            }
        };
        let record = Record {
            id: self.room.id().to_owned(),
            creator: self.creator,
            setup: self.setup.clone(),
            over: self.room.is_over(),
            now,
            entries: entries.clone(),
        };
        match self.hub.store.put(record).await {
            Ok(()) => {
                *count += entries.len() as u64;
                entries.clear();
            }
            Err(error) => {
                tracing::error!(%error, game = self.room.id(), "a game cannot be kept: it goes on in memory");
            }
        }
    }

    /// Whether a restart would bring all of the game back.
    fn is_stored(&self) -> bool {
        match &self.kept {
            Kept::Show { .. } => true,
            Kept::Stored { unsaved, .. } => unsaved.is_empty() && self.hub.store.is_on_disk(),
        }
    }

    fn public(&self) -> Map<String, Value> {
        let here = |guest| self.viewers.iter().any(|viewer| viewer.guest == guest);
        protocol::object(&self.room.public(self.hub.now(), self.is_stored(), here))
    }

    /// Tells every viewer what has changed.
    fn tell(&mut self) {
        let public = self.public();
        let changes = protocol::changes(&self.told, &public);
        let personal: Vec<Personal> =
            self.viewers.iter().map(|viewer| self.room.personal(viewer.guest)).collect();
        let news = !changes.is_empty()
            || self.viewers.iter().zip(&personal).any(|(viewer, personal)| {
                viewer.told.as_ref().is_some_and(|told| *told != protocol::object(personal))
            });
        if news {
            self.seq += 1;
        }
        for (viewer, personal) in self.viewers.iter_mut().zip(&personal) {
            if news || viewer.told.is_none() {
                viewer.tell(self.seq, &public, &changes, personal);
            }
        }
        self.told = public;
    }

    fn answer(&mut self, connection: u64, answer: String) {
        let viewer = self.viewers.iter_mut().find(|viewer| viewer.connection == connection);
        if let Some(viewer) = viewer
            && viewer.out.try_send(answer).is_err()
        {
            viewer.told = None;
        }
    }

    /// Sets a bot to work if one is to move.
    fn let_bots_think(&mut self) {
        let idle_show = matches!(self.kept, Kept::Show { .. }) && self.viewers.is_empty();
        if self.thinking.is_some() || idle_show {
            return;
        }
        let Some((seat, level)) = self.room.bot_to_move() else { return };
        let table = self.room.table();
        let ply = table.ply();
        let seed =
            self.room.id().bytes().fold(0, |seed: u64, byte| seed.rotate_left(7) ^ u64::from(byte));
        let Some(mut bot) = fourfold_bots::make(table.game(), level, seed) else {
            tracing::error!(game = self.room.id(), level, "there is no such bot");
            return;
        };
        let start = table.start();
        let moves: Vec<String> = table.played().iter().map(|played| played.code.clone()).collect();
        let pace = match self.kept {
            Kept::Show { .. } => self.hub.limits.show_pace,
            Kept::Stored { .. } => self.hub.limits.bot_pace,
        };
        let thought = tokio::spawn(async move {
            let ready = Instant::now() + pace;
            let work = tokio::task::spawn_blocking(move || {
                bot.think(&Situation { start: &start, moves: &moves }, Budget::nodes(NODES))
            });
            let thought = work.await;
            sleep_until(ready).await;
            match thought {
                Ok(Ok(thought)) => Some(thought.code),
                Ok(Err(error)) => {
                    tracing::error!(%error, "a bot does not know what to play");
                    None
                }
                Err(error) => {
                    tracing::error!(%error, "a bot broke down");
                    None
                }
            }
        });
        self.thinking = Some(Thinking { seat, ply, thought });
    }

    async fn take_thought(&mut self, code: Option<String>) {
        let Some(Thinking { seat, ply, .. }) = self.thinking.take() else { return };
        let waits = self.room.bot_to_move().is_some_and(|(waiting, _)| waiting == seat);
        if ply != self.room.table().ply() || !waits {
            // The move that it answered was taken back.
            return;
        }
        let act = match code {
            Some(text) => Act::Move { seat, text },
            None => Act::Declare(Declaration::Resign(seat)),
        };
        if let Err(error) = self.happen(act).await {
            tracing::error!(game = self.room.id(), error, "a bot's move is refused");
            let _ = self.happen(Act::Declare(Declaration::Resign(seat))).await;
        }
    }

    /// Puts a new game in the place of the one that was shown.
    fn show_again(&mut self) {
        // Another id gives the bots another seed; the viewers never see it.
        match Room::new(new_game_id(), self.setup.clone()) {
            Ok(room) => self.room = room,
            Err(error) => tracing::error!(error, "there is no live game"),
        }
        self.kept = Kept::Show { ended: None };
        self.tell();
    }
}

/// A time that never comes.
fn far() -> Instant {
    Instant::now() + Duration::from_secs(365 * 24 * 3600)
}
