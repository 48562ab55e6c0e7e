//! Messages between connections and games.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;

use tokio::sync::{Notify, mpsc, oneshot};

use crate::guest::{Guest, GuestId};
use crate::protocol::{self, Command, Object, Update};
use crate::rating::DisplayedRating;
use crate::seating::Seats;

/// An input of a game's task.
pub(crate) enum Input {
    /// A connection starts to watch the game.
    Join { viewer: Viewer, number: u64 },
    /// A connection stops watching.
    Leave { connection: u64 },
    /// A viewer sends a command.
    Command(Request),
    /// The finished game has been settled, so the ratings have changed.
    Settled,
    /// The players' ratings, by seat.
    Ratings(Vec<DisplayedRating>),
    /// Requests the exported file: its name and its content.
    Export(oneshot::Sender<(String, String)>),
    /// Requests how the game reached its current position, for the inspector.
    Record(oneshot::Sender<GameRecord>),
}

/// How a game reached its current position. Contains nothing that only its players know.
pub(crate) enum GameRecord {
    /// A turn-based game, by the id of its type, as a start position and moves.
    Turns { kind: &'static str, start: String, moves: Vec<String> },
    /// The state of a real-time game.
    RealTime(Box<fourfold_kung_fu::Game>),
}

/// A command, with where and when it came from.
pub(crate) struct Request {
    pub(crate) connection: u64,
    pub(crate) guest: Guest,
    pub(crate) address: IpAddr,
    pub(crate) number: u64,
    pub(crate) command: Command,
    /// The arrival time.
    pub(crate) at: u64,
}

/// A message for a connection.
pub(crate) enum Output {
    /// The state of a game or a change. Dropped if the page has turned to another game since.
    News { watch: u64, text: String },
    /// The answer to a command.
    Answer(String),
}

/// A connection that watches a game.
pub(crate) struct Viewer {
    pub(crate) connection: u64,
    pub(crate) guest: GuestId,
    /// The connection's count of watched games, which identifies this one.
    pub(crate) watch: u64,
    pub(crate) out: mpsc::Sender<Output>,
    /// Notified when the connection does not keep up.
    pub(crate) slow: Arc<Notify>,
    /// The number of the latest update, in games that number updates by viewer.
    pub(crate) seq: u64,
    /// The personal state that was sent last; `None` if the viewer needs the whole state.
    pub(crate) last_sent: Option<Object>,
}

/// Whether a guest is connected to the game.
pub(crate) fn is_connected(viewers: &[Viewer], guest: GuestId) -> bool {
    viewers.iter().any(|viewer| viewer.guest == guest)
}

/// Returns the number of spectators: guests without a seat.
pub(crate) fn watchers(viewers: &[Viewer], seats: &Seats) -> usize {
    let guests: HashSet<GuestId> = viewers.iter().map(|viewer| viewer.guest).collect();
    guests.into_iter().filter(|guest| seats.seats_of(*guest).is_empty()).count()
}

/// What all viewers of a game see, encoded when the first of them needs it.
pub(crate) struct Updates<'a> {
    public: &'a dyn Fn() -> Object,
    changes: &'a Object,
    state: Option<Update>,
    delta: Option<Update>,
}

impl<'a> Updates<'a> {
    /// Creates updates from the whole state and its changes.
    pub(crate) fn new(public: &'a dyn Fn() -> Object, changes: &'a Object) -> Updates<'a> {
        Updates { public, changes, state: None, delta: None }
    }

    fn state(&mut self) -> &Update {
        self.state.get_or_insert_with(|| Update::new("state", (self.public)()))
    }

    fn delta(&mut self) -> &Update {
        self.delta.get_or_insert_with(|| Update::new("delta", self.changes.clone()))
    }
}

impl Viewer {
    /// Sends the changes, or the whole state to a new viewer.
    pub(crate) fn send_update(&mut self, seq: u64, updates: &mut Updates<'_>, personal: Object) {
        let text = match &self.last_sent {
            Some(sent) => updates.delta().text(seq, protocol::changes(sent, &personal)),
            None => updates.state().text(seq, personal.clone()),
        };
        self.last_sent = Some(personal);
        self.send(Output::News { watch: self.watch, text });
    }

    pub(crate) fn send(&self, output: Output) {
        if self.out.try_send(output).is_err() {
            // It will reconnect and receive the whole state.
            self.slow.notify_one();
        }
    }
}
