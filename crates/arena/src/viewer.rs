//! What connections and games say to each other.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::guest::{Guest, GuestId};
use crate::party::Party;
use crate::protocol::{self, Command};
use crate::rating::Standing;

/// What a game is told.
pub(crate) enum Input {
    /// Somebody looks at it.
    Join { viewer: Viewer, number: u64 },
    /// A connection looks elsewhere.
    Leave { connection: u64 },
    /// A viewer wants something.
    Command(Wish),
    /// It is over, and its players' ratings are what they are after it.
    Settled,
    /// How its players stand, by seat.
    Standings(Vec<Standing>),
    /// Somebody wants the file: its name and what is in it.
    Export(oneshot::Sender<(String, String)>),
    /// Somebody wants to know how it came to where it is, as an environment is told.
    Course(oneshot::Sender<Course>),
}

/// How a game came to where it is, with nothing that only its players know.
pub(crate) enum Course {
    /// A game with turns, by the id of its kind: moves from a position lead to it.
    Turns { kind: &'static str, start: String, moves: Vec<String> },
    /// A game without.
    RealTime(Box<fourfold_kung_fu::Game>),
}

/// A command as it came in.
pub(crate) struct Wish {
    pub(crate) connection: u64,
    pub(crate) guest: Guest,
    pub(crate) number: u64,
    pub(crate) command: Command,
    /// When it came.
    pub(crate) at: u64,
}

/// What a connection is sent.
pub(crate) enum Output {
    /// How a game stands, or what has changed; of no interest once the page looks elsewhere.
    News { watch: u64, text: String },
    /// The answer to a command.
    Answer(String),
}

/// A connection that looks at a game.
pub(crate) struct Viewer {
    pub(crate) connection: u64,
    pub(crate) guest: GuestId,
    /// The connection's number for this look at a game.
    pub(crate) watch: u64,
    pub(crate) out: mpsc::Sender<Output>,
    /// Told when the connection does not keep up.
    pub(crate) slow: Arc<Notify>,
    /// The number of its latest news, where each viewer hears news of its own.
    pub(crate) seq: u64,
    /// What it was told last of what concerns its guest; nothing if it needs the whole state.
    pub(crate) told: Option<Map<String, Value>>,
}

/// Whether a guest looks at the game.
pub(crate) fn is_here(viewers: &[Viewer], guest: GuestId) -> bool {
    viewers.iter().any(|viewer| viewer.guest == guest)
}

/// How many people look at a game in which they have no seat.
pub(crate) fn watchers(viewers: &[Viewer], party: &Party) -> usize {
    let guests: HashSet<GuestId> = viewers.iter().map(|viewer| viewer.guest).collect();
    guests.into_iter().filter(|guest| party.seats_of(*guest).is_empty()).count()
}

impl Viewer {
    /// Sends the changes, or the whole state to somebody who has just come.
    pub(crate) fn tell(
        &mut self,
        seq: u64,
        public: &Map<String, Value>,
        changes: &Map<String, Value>,
        personal: Map<String, Value>,
    ) {
        let text = match &self.told {
            Some(told) => {
                let mut all = changes.clone();
                all.extend(protocol::changes(told, &personal));
                protocol::delta(seq, all)
            }
            None => protocol::state(seq, public, &personal),
        };
        self.told = Some(personal);
        self.send(Output::News { watch: self.watch, text });
    }

    pub(crate) fn send(&self, output: Output) {
        if self.out.try_send(output).is_err() {
            // It will connect again, and see everything.
            self.slow.notify_one();
        }
    }
}
