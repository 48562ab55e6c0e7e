//! What turn-based and real-time games share: the interface of a room, and the task that owns one.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fourfold_table::{Outcome, Played, Seat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::chat::Chat;
use crate::clock::ClockState;
use crate::guest::GuestId;
use crate::hub::{Handle, Hub};
use crate::journal::Journal;
use crate::lobby::ListingGuard;
use crate::protocol::{self, Command, Object, Public};
use crate::rating::{self, DisplayedRating, may_count};
use crate::seating::{DrawVote, SeatEvent, Seats, Setup};
use crate::store::{Downtime, Progress, StoredGame};
use crate::viewer::{GameRecord, Input, Output, Request, Viewer, is_connected, watchers};

/// The maximum number of inputs queued for a game.
const QUEUE: usize = 256;

/// Refuses everything but the end of a game that has reached the limit of its journal.
pub(crate) const TOO_LONG: &str = "this game is too long: it can only be ended now";

/// The result of a command, as sent to the page.
pub(crate) type Answer = Result<Object, String>;

/// Something that happened in a room, with its time in milliseconds, as in `Hub::now`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Entry<E> {
    pub(crate) at: u64,
    #[serde(rename = "act")]
    pub(crate) event: E,
}

/// One game and its players, as plain data: the allowed commands and their effects.
///
/// A room does no I/O and does not read the clock. The same entries in the same order produce the
/// same room, which is how games are restored.
pub(crate) trait GameRoom: Sized + Send + 'static {
    /// What can happen in the room.
    type Event: Serialize + DeserializeOwned;
    /// The state of the game's task besides the room.
    type State: Send;

    /// Creates a new game.
    ///
    /// # Errors
    /// Fails if there is no such game, or if it has a different number of seats.
    fn new(id: String, setup: Setup) -> Result<Self, String>;

    fn seats(&self) -> &Seats;

    fn seats_mut(&mut self) -> &mut Seats;

    /// Applies an event.
    ///
    /// # Errors
    /// Returns the reason if the rules do not allow it; nothing but time has changed then.
    fn apply(&mut self, entry: &Entry<Self::Event>) -> Result<(), String>;

    fn outcome(&self) -> Option<Outcome>;

    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// Whether the game counts for ratings so far.
    fn is_rated(&self) -> bool {
        may_count(self.seats())
    }

    /// Returns the players' ratings, if the game is rated and has begun.
    fn ratings(&self) -> &[DisplayedRating] {
        if self.is_rated() && self.seats().open_seat().is_none() {
            &self.seats().ratings
        } else {
            &[]
        }
    }

    /// Whether enough was played for the game to be rated.
    fn was_played(&self) -> bool;

    /// Whether so little was played that a player can leave without losing.
    fn is_abortable(&self) -> bool;

    /// Returns who has to agree to a draw.
    fn draw_vote(&self) -> DrawVote;

    /// Returns the seats that want a move to be taken back, starting with the one that asked.
    fn takeback_votes(&self) -> &[Seat] {
        &[]
    }

    /// Returns the entries that make up for the times since the `latest` entry during which the
    /// server was not running, if time was running in the game.
    fn pause(&self, downtimes: &[Downtime], latest: u64, now: u64) -> Vec<Entry<Self::Event>>;

    /// Returns when a clock will run out, if one is running.
    fn time_limit(&self) -> Option<u64> {
        None
    }

    /// Returns what the database looks the game up by.
    fn progress(&self, now: u64) -> Progress {
        Progress { over: self.is_over(), deadline: self.time_limit(), now }
    }

    /// Returns the keys of a `Scene` that change during the game.
    fn scene(&self) -> Object;

    /// Returns the keys of a `Scene` that never change.
    fn layout(&self) -> Object;

    /// Returns the teams; empty if everybody plays alone.
    fn teams(&self) -> Vec<Vec<Seat>>;

    /// Returns the points, by seat; empty in games without points.
    fn scores(&self) -> Vec<i32> {
        Vec::new()
    }

    fn moves(&self) -> &[Played] {
        &[]
    }

    fn clock_face(&self, _now: u64) -> Option<ClockState> {
        None
    }

    /// Returns the current tick of a real-time game.
    fn tick(&self) -> Option<u64> {
        None
    }

    /// Returns the name of the exported file and its content.
    fn export(&self) -> (String, String);

    /// Returns how the game reached its current position.
    fn record(&self) -> GameRecord;

    /// Returns the initial state of the game's task.
    fn state(&self, journal: &Journal) -> Self::State;

    /// Restores a stored game. Returns also the time of its latest entry.
    ///
    /// # Errors
    /// Fails if the game cannot be replayed.
    fn restore(stored: &StoredGame) -> Result<(Self, u64), String> {
        let mut room = Self::new(stored.id.clone(), stored.setup.clone())?;
        let mut latest = 0;
        for entry in stored.entries::<Entry<Self::Event>>()? {
            room.apply(&entry)?;
            latest = entry.at;
        }
        Ok((room, latest))
    }

    /// Turns a guest's command into an event if it does not depend on the rules.
    ///
    /// # Errors
    /// Returns a message for the guest if the command is not allowed now.
    fn decide_on_seats(
        &self,
        guest: GuestId,
        name: &str,
        command: &Command,
    ) -> Result<Option<SeatEvent>, String> {
        let over = self.outcome().map(|outcome| outcome.text);
        self.seats().decide(guest, name, command, over.as_deref(), &self.draw_vote())
    }

    /// Returns the part of the state that everybody sees and that may change with every move, except
    /// for the moves, of which there may be many. `connected` says which guests are connected, and
    /// `watchers` is the number of spectators.
    fn public(
        &self,
        now: u64,
        stored: bool,
        connected: impl Fn(GuestId) -> bool,
        watchers: usize,
    ) -> Object {
        let seats = self.seats();
        let mut public = self.scene();
        public.extend(protocol::object(&Public {
            id: &seats.id,
            players: seats.to_protocol(connected),
            clock: self.clock_face(now),
            draw_offer: seats.draw.first().copied(),
            draw_votes: &seats.draw,
            takeback_offer: self.takeback_votes().first().copied(),
            takeback_votes: self.takeback_votes(),
            rematch: &seats.rematch,
            next: seats.next.as_deref(),
            stored,
            watchers,
            rated: self.is_rated(),
            abortable: self.is_abortable(),
            ratings: self.ratings(),
        }));
        public
    }

    /// Returns everything that everybody sees, given the part that may change.
    fn whole(&self, public: &Object) -> Object {
        let mut whole = self.layout();
        whole.extend(public.clone());
        whole.insert("moves".to_owned(), json!(self.moves()));
        whole
    }
}

/// What differs between the tasks of the two kinds of games.
pub(crate) trait GameTask: Sized + Send + 'static {
    /// Runs until the game leaves memory or the server shuts down.
    fn run(self, queue: mpsc::Receiver<Input>) -> impl Future<Output = ()> + Send;

    /// Runs a command. Returns `None` if it will be answered later.
    fn run_command(
        &mut self,
        request: Request,
    ) -> impl Future<Output = Result<Option<Object>, String>> + Send;

    /// Called when what the viewers see may have changed.
    fn changed(&mut self);

    /// Called when a guest has joined.
    fn joined(&mut self, _guest: GuestId) {}

    /// Called before answering a guest who has joined, or a command that was carried out.
    fn before_answer(&mut self) {}
}

/// A running game: the task that owns the room and answers everybody in it.
pub(crate) struct RunningGame<R: GameRoom> {
    pub(crate) hub: Arc<Hub>,
    pub(crate) room: R,
    pub(crate) viewers: Vec<Viewer>,
    pub(crate) journal: Journal,
    pub(crate) chat: Chat,
    /// What only this kind of game needs.
    pub(crate) state: R::State,
    pub(crate) over: Arc<AtomicBool>,
    listing: ListingGuard,
    /// The task's own queue.
    inputs: mpsc::WeakSender<Input>,
}

impl<R: GameRoom> RunningGame<R>
where
    RunningGame<R>: GameTask,
{
    /// Starts the task of a game whose journal says what is already saved.
    pub(crate) fn start(hub: &Arc<Hub>, room: R, journal: Journal) -> Handle {
        let over = Arc::new(AtomicBool::new(room.is_over()));
        let (inputs, queue) = mpsc::channel(QUEUE);
        let play = RunningGame {
            hub: hub.clone(),
            viewers: Vec::new(),
            chat: Chat::default(),
            state: room.state(&journal),
            over: over.clone(),
            listing: ListingGuard::new(&hub.lobby, &room.seats().id),
            inputs: inputs.downgrade(),
            room,
            journal,
        };
        let handle = Handle::new(inputs, over, play.journal.creator(), &play.room.seats().setup);
        play.look_up_ratings();
        tokio::spawn(play.run(queue));
        handle
    }

    pub(crate) async fn on_input(&mut self, input: Input) {
        match input {
            Input::Join { viewer, number } => {
                let (connection, guest) = (viewer.connection, viewer.guest);
                self.viewers.retain(|viewer| viewer.connection != connection);
                self.viewers.push(viewer);
                self.changed();
                self.joined(guest);
                self.before_answer();
                self.send_chat(connection);
                self.answer(connection, number, Ok(Object::new()));
            }
            Input::Leave { connection } => {
                self.viewers.retain(|viewer| viewer.connection != connection);
                self.changed();
            }
            Input::Command(request) => {
                let (connection, number) = (request.connection, request.number);
                match self.on_command(request).await {
                    Ok(Some(with)) => {
                        self.before_answer();
                        self.answer(connection, number, Ok(with));
                    }
                    Ok(None) => {}
                    Err(why) => self.answer(connection, number, Err(why)),
                }
            }
            Input::Settled => self.look_up_ratings(),
            Input::Ratings(ratings) => {
                self.room.seats_mut().ratings = ratings;
                self.changed();
            }
            Input::Export(answer) => drop(answer.send(self.room.export())),
            Input::Record(answer) => drop(answer.send(self.room.record())),
        }
    }

    async fn on_command(&mut self, request: Request) -> Result<Option<Object>, String> {
        match &request.command {
            Command::Sync => {
                let mut viewers = self.viewers.iter_mut();
                if let Some(viewer) = viewers.find(|one| one.connection == request.connection) {
                    viewer.last_sent = None;
                }
                self.changed();
            }
            Command::Chat { text } => self.say(request.guest.id, text)?,
            Command::EnableChat { enabled } => {
                self.enable_chat(request.guest.id, *enabled)?;
                self.changed();
            }
            Command::Name { name }
                if self.room.is_over()
                    || !self.room.seats().would_rename(request.guest.id, name) => {}
            _ => return self.run_command(request).await,
        }
        Ok(Some(Object::new()))
    }
}

impl<R: GameRoom> RunningGame<R> {
    pub(crate) fn id(&self) -> &str {
        &self.room.seats().id
    }

    pub(crate) fn look_up_ratings(&self) {
        rating::look_up(&self.hub.store, self.room.seats(), self.inputs.upgrade());
    }

    /// Creates the next game if everybody wants a rematch.
    pub(crate) async fn open_rematch(
        &mut self,
        event: &mut SeatEvent,
        guest: GuestId,
        address: IpAddr,
    ) -> Result<(), String> {
        if let SeatEvent::Rematch { seats, next } = event
            && let Some(setup) = self.room.seats().rematch_with(seats)
        {
            *next = Some(self.hub.open(setup, guest, Some(address)).await?);
        }
        Ok(())
    }

    /// Answers a command: with its result, or with the reason for refusing it.
    pub(crate) fn answer(&self, connection: u64, number: u64, result: Answer) {
        let answer = match result {
            Ok(with) => protocol::ok(number, with),
            Err(why) => {
                self.hub.metrics.refused.inc();
                protocol::no(Some(number), &why, self.room.tick())
            }
        };
        let viewer = self.viewers.iter().find(|viewer| viewer.connection == connection);
        if let Some(viewer) = viewer {
            viewer.send(Output::Answer(answer));
        }
    }

    /// Updates the lobby, and returns the state that everybody sees. `stored` says whether a
    /// restart would restore the game.
    pub(crate) fn publish(&mut self, stored: bool) -> Object {
        if self.room.is_over() {
            self.chat.forget();
        }
        let (seats, viewers) = (self.room.seats(), &self.viewers);
        self.listing.show(seats, viewers, self.room.is_over());
        let connected = |guest| is_connected(viewers, guest);
        self.room.public(self.hub.now(), stored, connected, watchers(viewers, seats))
    }

    /// Returns when the game leaves memory, if nothing happens until then: `at_rest` says whether
    /// nothing would be lost. It is loaded from the store when it is opened again.
    pub(crate) fn unload_time(&self, at_rest: bool) -> Instant {
        match at_rest && self.viewers.is_empty() && self.journal.is_whole() {
            true => Instant::now() + self.hub.limits.unload_after,
            false => never(),
        }
    }
}

/// A time that is never reached.
pub(crate) fn never() -> Instant {
    Instant::now() + Duration::from_secs(365 * 24 * 3600)
}
