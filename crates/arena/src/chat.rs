//! The chat of a running game, between the people who play it. It is kept in memory only: not in
//! the journal, and not after the end of the game.

use std::collections::{BTreeSet, HashMap, VecDeque};

use fourfold_table::{Seat, ensure};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::game::{GameRoom, RunningGame};
use crate::guest::{GuestId, checked_text};
use crate::seating::{Player, Seats, WATCHING};
use crate::viewer::{Output, Viewer};

/// The maximum number of lines that are kept for players who open the game again.
const MOST_LINES: usize = 50;
/// The maximum length of a line, in characters.
const LONGEST_LINE: usize = 140;

/// The chat of one game.
#[derive(Default)]
pub(crate) struct Chat {
    lines: VecDeque<Line>,
    /// The players who have turned the chat on or off.
    switched: HashMap<GuestId, bool>,
}

struct Line {
    seat: Seat,
    text: String,
    /// The players who had the chat on. Nobody else ever receives the line.
    recipients: Vec<GuestId>,
}

/// Returns the people in a game.
fn people(seats: &Seats) -> BTreeSet<GuestId> {
    seats.players.iter().filter_map(Player::guest).collect()
}

impl Chat {
    /// Whether a player receives messages. With strangers from the lobby, the chat is off until a
    /// player turns it on.
    fn is_enabled(&self, seats: &Seats, guest: GuestId) -> bool {
        self.switched.get(&guest).copied().unwrap_or(!seats.setup.listed)
    }

    /// Returns what a page shows of the chat; `null` if the guest does not take part.
    pub(crate) fn status(&self, seats: &Seats, guest: GuestId) -> Value {
        // Most viewers of a game with many viewers are spectators.
        if seats.players.iter().all(|player| player.guest() != Some(guest)) {
            return Value::Null;
        }
        let mut people = people(seats);
        people.remove(&guest);
        if people.is_empty() {
            return Value::Null;
        }
        let others = people.into_iter().filter(|other| self.is_enabled(seats, *other));
        let (enabled, listed) = (self.is_enabled(seats, guest), seats.setup.listed);
        json!({"enabled": enabled, "listeners": others.count(), "listed": listed})
    }

    /// Forgets all lines.
    pub(crate) fn forget(&mut self) {
        self.lines.clear();
    }
}

/// Returns the message with these lines: with `all`, those that are kept, else new ones.
fn message<'a>(lines: impl Iterator<Item = &'a Line>, all: bool) -> String {
    let shown = |line: &Line| json!({"seat": line.seat, "text": line.text});
    let lines: Vec<Value> = lines.map(shown).collect();
    json!({"t": "chat", "all": all, "lines": lines}).to_string()
}

fn send(viewer: &Viewer, text: &str) {
    viewer.send(Output::News { watch: viewer.watch, text: text.to_owned() });
}

impl<R: GameRoom> RunningGame<R> {
    /// Delivers a message to the players who have the chat on. After the end of the game it is not
    /// kept.
    ///
    /// # Errors
    /// Returns a message for the guest if it is refused.
    pub(crate) fn say(&mut self, guest: GuestId, text: &str) -> Result<(), String> {
        let seats = self.room.seats();
        let seat = *seats.seats_of(guest).first().ok_or(WATCHING)?;
        let people = people(seats);
        ensure!(people.len() > 1, "the chat needs at least two people in the game");
        ensure!(self.chat.is_enabled(seats, guest), "turn on the chat first");
        let text = checked_text("message", text, LONGEST_LINE)?;
        let allowed = self.hub.chat_rate.spend(guest, Instant::now());
        ensure!(allowed, "too many chat messages: wait a moment");
        let recipients = people.into_iter().filter(|one| self.chat.is_enabled(seats, *one));
        let line = Line { seat, text, recipients: recipients.collect() };
        let news = message([&line].into_iter(), false);
        for viewer in self.viewers.iter().filter(|one| line.recipients.contains(&one.guest)) {
            send(viewer, &news);
        }
        if !self.room.is_over() {
            self.chat.lines.push_back(line);
            if self.chat.lines.len() > MOST_LINES {
                self.chat.lines.pop_front();
            }
        }
        Ok(())
    }

    /// Turns the chat of a player on or off.
    ///
    /// # Errors
    /// Returns a message for the guest if they have no seat.
    pub(crate) fn enable_chat(&mut self, guest: GuestId, enabled: bool) -> Result<(), String> {
        ensure!(!self.room.seats().seats_of(guest).is_empty(), WATCHING);
        self.chat.switched.insert(guest, enabled);
        Ok(())
    }

    /// Sends a new viewer the lines that are kept for them.
    pub(crate) fn send_chat(&self, connection: u64) {
        let viewer = self.viewers.iter().find(|viewer| viewer.connection == connection);
        let Some(viewer) = viewer else { return };
        let mut lines = self
            .chat
            .lines
            .iter()
            .filter(|line| line.recipients.contains(&viewer.guest))
            .peekable();
        let enabled = self.chat.is_enabled(self.room.seats(), viewer.guest);
        if enabled && lines.peek().is_some() {
            send(viewer, &message(lines, true));
        }
    }
}
